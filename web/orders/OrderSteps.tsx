import { formatTime } from '@qatra/contract/calendar/calendar'
import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { type CustomerStatus, customerStatus } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import type { ReactNode } from 'react'
import { useLanguage } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { BoxIcon, CheckIcon, HouseIcon, type Icon, NewIcon, TruckIcon } from '../ui/icons.tsx'
import { isLateNow } from './arrival.ts'

const stages = ['new', 'in-progress', 'delivered'] as const satisfies readonly CustomerStatus[]
const icons: Record<(typeof stages)[number], Icon> = { new: NewIcon, 'in-progress': BoxIcon, delivered: HouseIcon }

/** Start time of each of the three stages that customers see; null before it. */
export function stageTimes(order: Pick<Order, 'steps'>): (string | null)[] {
  return stages.map((stage) => order.steps.find(({ status }) => customerStatus(status) === stage)?.at ?? null)
}

/** Progress of the order, from the right in Arabic; none for a cancelled order. */
export function OrderSteps({ order }: { order: Order }) {
  const { t, lang } = useLanguage()
  const present = stages.indexOf(customerStatus(order.status) as (typeof stages)[number])
  if (present < 0) return null
  const times = stageTimes(order)
  // Without processing the order is in progress only once it is shipped.
  const isMoving = order.status === 'shipped' || !order.processing
  const timeOf = (at: string | null, index: number): ReactNode => {
    if (at) return <bdi>{formatTime(new Date(at), lang)}</bdi>
    if (index < stages.length - 1) return null
    return isLateNow(order) ? t('order.late') : slotWords(slotOf(order), lang, 'short')
  }
  return (
    // With large text the steps are below each other, so that no name breaks within a word.
    <div className="@container">
      <ol aria-label={t('order.steps')} className="mt-5.5 mb-1 grid @max-[18rem]:gap-2 @min-[18rem]:grid-cols-3">
        {stages.map((stage, index) => {
          const isPast = index < present || order.status === 'delivered'
          const isNow = index === present && !isPast
          const StateIcon = isPast ? CheckIcon : stage === 'in-progress' && isMoving ? TruckIcon : icons[stage]
          return (
            <li
              key={stage}
              aria-current={isNow ? 'step' : undefined}
              className={classes(
                'relative grid grid-cols-1 content-start justify-items-center gap-0.5 text-center text-[0.9375rem] leading-[1.5] wrap-anywhere @max-[18rem]:justify-items-start',
                isPast || isNow ? 'font-strong text-ink' : 'text-ink-3',
              )}
            >
              {index > 0 && (
                <span
                  aria-hidden="true"
                  className={classes(
                    'absolute top-4.25 h-0.75 -start-1/2 end-1/2 @max-[18rem]:hidden',
                    index <= present ? 'bg-gulf' : 'bg-well-2',
                  )}
                />
              )}
              <span
                className={classes(
                  'relative z-1 mb-1.5 grid size-9 place-items-center rounded-full',
                  isPast && 'bg-gulf text-on-gulf',
                  isNow && 'bg-aqua text-on-aqua ring-5 ring-aqua-soft',
                  !isPast && !isNow && 'bg-well text-ink-3',
                )}
              >
                <StateIcon size={19} aria-hidden="true" />
              </span>
              {t(`orders.status.${stage}`)}
              <small className="text-label font-regular text-ink-3">{timeOf(times[index] ?? null, index)}</small>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
