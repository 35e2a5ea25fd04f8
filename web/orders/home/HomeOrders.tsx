import { usualVendorId } from '@qatra/contract/orders/usual-items'
import type { AreaSummary } from '@qatra/contract/places/areas'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { deliversTo } from '../../app/delivery-area.ts'
import { TruckIcon } from '../../ui/icons.tsx'
import { firstOrdersQuery } from '../api.ts'
import { LastOrder } from './LastOrder.tsx'
import { OpenOrder } from './OpenOrder.tsx'
import { UsualOrder, useUsual } from './UsualOrder.tsx'

export const loadHomeOrders = (queries: QueryClient) => queries.fetchQuery(firstOrdersQuery())

/** The vendors with the one first whose products the customer usually orders, unless it does not deliver to the area. */
export function ownFirst<V extends { id: number }>(
  queries: QueryClient,
  vendors: readonly V[],
  area: AreaSummary | null,
) {
  const own = usualVendorId(queries.getQueryData(firstOrdersQuery().queryKey)?.items ?? [])
  if (own === undefined || (area && !deliversTo(area, own))) return vendors
  return [...vendors].sort((a, b) => Number(b.id === own) - Number(a.id === own))
}

interface PromiseLineProps {
  /** Null where nobody delivers: `text` says so. */
  day: string | null
  text: ReactNode
  fee: string | null
  /** At the end of the line. */
  children: ReactNode
}

/** The delivery promise in one line. */
export function PromiseLine({ day, text, fee, children }: PromiseLineProps) {
  return (
    <section className="-mx-4 flex min-h-9 items-center gap-2.5 bg-well px-4 py-1 md:mx-0 md:rounded-m">
      <TruckIcon size={20} aria-hidden="true" className="text-aqua-ink" />
      <div className="dots text-label leading-[1.7] md:shrink-0">
        <h1 className="font-strong text-aqua-ink first-letter:uppercase">{day ?? text}</h1>
        {day && fee && <span>{fee}</span>}
      </div>
      {children}
    </section>
  )
}

const useFirstOrders = () => useQuery(firstOrdersQuery()).data?.items ?? []

export const HomeOpenOrder = () => <OpenOrder orders={useFirstOrders()} />

/**
 * One tap to order as before: the usual items, or the last order of a customer who has no habit yet. One that is not
 * delivered cannot be reordered; its items are added as the usual ones are.
 */
export function HomeOrderAgain() {
  const orders = useFirstOrders()
  const { usual, isHabit } = useUsual(orders)
  if (!isHabit && orders.some(({ can }) => can.reorder)) return <LastOrder />
  return usual.length > 0 && <UsualOrder usual={usual} isHabit={isHabit} />
}
