import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Button } from '../../../ui/Button.tsx'
import { BoxIcon, CashIcon, CheckIcon, type Icon, TruckIcon, UserIcon } from '../../../ui/icons.tsx'
import { CashQuestion } from '../CashQuestion.tsx'
import { isCashDue, nextAction } from '../next-action.ts'
import { PaidBadge, StatusBadge } from '../OrderParts.tsx'
import { renewOrder } from '../order-cache.ts'
import { PaymentDialog } from '../PaymentDialog.tsx'
import type { OrderActions } from '../use-order-actions.ts'
import { PartialDelivery } from './PartialDelivery.tsx'

interface OrderHeadProps {
  order: AdminOrderDetail
  actions: OrderActions
  onChooseDriver(): void
}

const icons: Record<string, Icon> = { 'in-progress': BoxIcon, shipped: TruckIcon, delivered: CheckIcon }

/** The status and the next action. */
export function OrderHead({ order, actions, onChooseDriver }: OrderHeadProps) {
  const { t, lang } = useLanguage()
  const isDriver = useUser()?.role === 'driver'
  const [isAsking, setIsAsking] = useState(false)
  const [isPaying, setIsPaying] = useState(false)
  const queries = useQueryClient()
  const next = nextAction(order, isDriver)
  const money = formatMoney(fromBhd(order.cashDue), lang)
  return (
    <div data-place="">
      <div className="mt-1.5 flex flex-wrap items-center gap-2">
        <StatusBadge order={order} />
        <PaidBadge order={order} />
      </div>
      {actions.problem && (
        <p role="alert" className="mt-3 rounded-m bg-clay-soft px-3 py-2 text-clay">
          {actions.problem}
        </p>
      )}
      {next?.kind === 'move' && (
        <Button
          tone="aqua"
          className="mt-3.5 w-full"
          icon={icons[next.to] ?? CheckIcon}
          busy={actions.busy !== null}
          onClick={() => {
            if (next.to === 'delivered' && !isDriver && isCashDue(order)) setIsAsking(true)
            else void actions.move({ status: next.to })
          }}
        >
          {t(next.key, { ...next.values, ...(next.isCash ? { money } : {}) })}
        </Button>
      )}
      {next?.kind === 'move' && next.to === 'delivered' && <PartialDelivery order={order} actions={actions} />}
      {isAsking && (
        <CashQuestion
          orders={[order]}
          onClose={() => setIsAsking(false)}
          onChoose={(cashHeldBy) => {
            setIsAsking(false)
            void actions.move({ status: 'delivered', cashHeldBy })
          }}
        />
      )}
      {next?.kind === 'driver' && (
        <Button
          tone="aqua"
          className="mt-3.5 w-full"
          icon={UserIcon}
          busy={actions.busy !== null}
          onClick={onChooseDriver}
        >
          {t('desk.act.chooseDriver')}
        </Button>
      )}
      {next?.kind === 'pay' && (
        <Button
          tone="aqua"
          className="mt-3.5 w-full"
          icon={CashIcon}
          busy={actions.busy !== null}
          onClick={() => {
            void actions.settle()
            setIsPaying(true)
          }}
        >
          {t('desk.act.pay')}
        </Button>
      )}
      {isPaying && (
        <PaymentDialog
          order={order}
          kind="payment"
          amount={order.due > 0 ? order.due : null}
          onClose={() => setIsPaying(false)}
          onSaved={() => void renewOrder(queries, order.id)}
        />
      )}
    </div>
  )
}
