import { getStopsLeft, type Order, type StopsLeft } from '@qatra/contract/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../app/names.ts'
import { read } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { classes } from '../ui/class-names.ts'
import { HouseIcon } from '../ui/icons.tsx'
import { vendorOf } from './OrderCard.tsx'

const REFETCH_MS = 60_000
/** More stops are said in words only. */
const MOST_DRAWN = 8
const MOST_PASSED = 4

export const stopsQuery = (id: string) => read(getStopsLeft, { params: { id } })

/** How many stops the driver has before a shipped order, and the driver's first name. */
export function DriverStops({ order, className }: { order: Order; className: string }) {
  const t = useT()
  const vendor = useNameIn()(vendorOf(order))
  // The stream reports changes of the run except a new arrangement.
  const { data } = useQuery({
    ...stopsQuery(order.id),
    enabled: order.status === 'shipped',
    refetchInterval: REFETCH_MS,
  })
  if (order.status !== 'shipped' || !data) return null
  const { left, driverFirstName: name } = data
  return (
    <section aria-live="polite" className={className}>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <b className="text-heading">{t('order.stops', { count: left })}</b>
        {left > 0 && <span className="text-label text-ink-3">{t('order.stopsBefore')}</span>}
      </p>
      {left <= MOST_DRAWN && <Bars stops={data} />}
      {name !== null && (
        <div className="mt-4 flex items-center gap-3">
          <span
            aria-hidden="true"
            className="grid size-12 flex-none place-items-center rounded-full bg-gulf-soft text-heading text-gulf"
          >
            {[...name][0]}
          </span>
          <p className="min-w-0">
            <b dir="auto" className="text-as-page block">
              {name}
            </b>
            <span className="text-label text-ink-3">{t('order.driverOf', { vendor })}</span>
          </p>
        </div>
      )}
    </section>
  )
}

function Bars({ stops: { left, done } }: { stops: StopsLeft }) {
  const passed = Math.min(done, MOST_PASSED)
  return (
    <div aria-hidden="true" className="mt-4 flex items-center gap-1.5">
      {Array.from({ length: passed + left }, (_, at) => (
        <span
          key={at}
          className={classes(
            'h-2 flex-1 rounded-full',
            at < passed ? 'bg-gulf' : at === passed ? 'bg-aqua' : 'bg-well-2',
          )}
        />
      ))}
      <span className="grid size-7.5 flex-none place-items-center rounded-full bg-gulf text-on-gulf">
        <HouseIcon size={17} />
      </span>
    </div>
  )
}
