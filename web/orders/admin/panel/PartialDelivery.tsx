import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { useState } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DeliveredItems, usePartialDelivery } from '../../DeliveredItems.tsx'
import { canDeliverPart } from '../../delivered-items.ts'
import { CashQuestion } from '../CashQuestion.tsx'
import type { OrderActions } from '../use-order-actions.ts'

interface PartialDeliveryProps {
  order: AdminOrderDetail
  actions: OrderActions
}

/** Delivers a part of an order: first the quantities, then who holds the cash. */
export function PartialDelivery({ order, actions }: PartialDeliveryProps) {
  const { t } = useLanguage()
  const [isOpen, setIsOpen] = useState(false)
  if (!canDeliverPart(order)) return null
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
  const part = usePartialDelivery(order)
  const [isAsking, setIsAsking] = useState(false)
  const { delivered, total, due } = part
  if (isAsking)
    return (
      <CashQuestion
        orders={[{ ...order, cashDue: due }]}
        onClose={onClose}
        onChoose={(cashHeldBy) => {
          onClose()
          void actions.move({ status: 'delivered', delivered, cashHeldBy })
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
        reason: part.reason,
        onChoose: () => {
          if (!isDriver && due > 0) return setIsAsking(true)
          onClose()
          void actions.move({ status: 'delivered', delivered })
        },
      }}
    >
      <DeliveredItems
        order={order}
        part={part}
        sum={t('partly.total')}
        bhd={total}
        className="max-h-[45vh] overflow-y-auto"
      />
    </Dialog>
  )
}
