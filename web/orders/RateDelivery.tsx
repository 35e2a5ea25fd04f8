import { type Rating, ratedParts, ratings } from '@qatra/contract/orders/order-status'
import { type Order, rateOrder } from '@qatra/contract/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { call } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { refusalText } from '../lib/refusal.ts'
import { useAction } from '../lib/use-action.ts'
import { Chip } from '../ui/Chip.tsx'
import { orderQuery } from './api.ts'
import { invalidateOrders } from './invalidate-orders.ts'

type Part = (typeof ratedParts)[number]

/** Two taps after a delivery, one for water and one for the driver; another tap changes it. */
export function RateDelivery({ order, className }: { order: Order; className?: string }) {
  const t = useT()
  const id = useId()
  const queries = useQueryClient()
  const [given, setGiven] = useState<Partial<Record<Part, Rating>>>({})
  const { problem, run } = useAction((error) => refusalText(t, error, 'order.rate'))
  const sent = useRef(Promise.resolve())
  const { rating } = order
  if (order.status !== 'delivered' || !(order.can.rate || rating)) return null

  const chosen = (part: Part) => given[part] ?? rating?.[part] ?? null
  // One after the other, so that the last tap is the one that is kept.
  function rate(part: Part, to: Rating) {
    const before = chosen(part)
    setGiven((all) => ({ ...all, [part]: to }))
    const send = () =>
      run(async () => {
        try {
          const rated = await call(rateOrder, { params: { id: order.id }, body: { [part]: to } })
          queries.setQueryData(orderQuery(order.id).queryKey, rated)
          void invalidateOrders(queries)
        } catch (error) {
          setGiven(({ [part]: _refused, ...rest }) => (before ? { ...rest, [part]: before } : rest))
          throw error
        }
      })
    sent.current = sent.current.then(send)
  }
  const isRated = ratedParts.some(chosen)
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className="text-heading">
        {t('order.rate')}
      </h2>
      {ratedParts.map((part) => (
        <div
          key={part}
          role="group"
          aria-labelledby={`${id}-${part}`}
          className="mt-2.5 flex flex-wrap items-center gap-x-3 gap-y-1.5"
        >
          <span id={`${id}-${part}`} className="min-w-14 text-ink-2">
            {t(`order.rate.${part}`)}
          </span>
          {order.can.rate ? (
            <span className="no-print flex flex-wrap gap-2">
              {ratings.map((one) => (
                <Chip key={one} chosen={chosen(part) === one} onClick={() => rate(part, one)}>
                  {t(`order.rate.${one}`)}
                </Chip>
              ))}
            </span>
          ) : (
            <span>{t(`order.rate.${chosen(part) ?? 'none'}`)}</span>
          )}
        </div>
      ))}
      <p role="status" className="mt-2 text-label text-ink-3 empty:hidden">
        {order.can.rate && isRated && !problem && t('order.rate.thanks')}
      </p>
      <p role="alert" className={problem ? 'mt-2 text-label text-clay' : 'hidden'}>
        {problem}
      </p>
    </section>
  )
}
