import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { listProducts } from '@qatra/contract/products/products'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DeliveredItems, useDelivery } from '../../DeliveredItems.tsx'
import { CashQuestion } from '../CashQuestion.tsx'
import type { OrderActions } from '../use-order-actions.ts'

interface PartialDeliveryProps {
  order: AdminOrderDetail
  actions: OrderActions
}

/** Delivers more or fewer than ordered: first the quantities, then who holds the cash. */
export function PartialDelivery({ order, actions }: PartialDeliveryProps) {
  const { t } = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button tone="outline" className="mt-2 w-full" onClick={() => setIsOpen(true)}>
        {t('partly.open')}
      </Button>
      {isOpen && <Questions order={order} actions={actions} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function Questions({ order, actions, onClose }: PartialDeliveryProps & { onClose(): void }) {
  const { t, lang } = useLanguage()
  const isDriver = useUser()?.role === 'driver'
  const { data: products = [] } = useQuery(read(listProducts, { query: { vendorId: String(order.vendorId) } }))
  const delivery = useDelivery(order, products)
  const [isAsking, setIsAsking] = useState(false)
  const { report, total, due } = delivery
  if (isAsking)
    return (
      <CashQuestion
        orders={[{ ...order, cashDue: due }]}
        onClose={onClose}
        onChoose={(cashHeldBy) => {
          onClose()
          void actions.move({ status: 'delivered', ...report, cashHeldBy })
        }}
      />
    )
  return (
    <Dialog
      open
      className="admin max-w-120"
      title={t('partly.title', { name: order.customerName })}
      safe={{ label: t('partly.back'), onChoose: onClose }}
      action={{
        label: t('partly.save', { total: formatMoney(fromBhd(total), lang) }),
        reason: delivery.reason,
        onChoose: () => {
          if (!isDriver && due > 0) return setIsAsking(true)
          onClose()
          void actions.move({ status: 'delivered', ...report })
        },
      }}
    >
      <DeliveredItems
        order={order}
        delivery={delivery}
        was={order.total}
        sum={t('partly.total')}
        bhd={total}
        className="max-h-[45vh] overflow-y-auto"
      />
    </Dialog>
  )
}
