import { type QueryClient, useQuery } from '@tanstack/react-query'
import { firstOrdersQuery } from '../api.ts'
import { LastOrder } from './LastOrder.tsx'
import { OpenOrder } from './OpenOrder.tsx'
import { UsualOrder, useUsual } from './UsualOrder.tsx'

export const loadHomeOrders = (queries: QueryClient) => queries.fetchQuery(firstOrdersQuery())

const useFirstOrders = () => useQuery(firstOrdersQuery()).data?.items ?? []

export const HomeOpenOrder = () => <OpenOrder orders={useFirstOrders()} />

/** One tap to order as before: the usual items, or the last order of a customer who has no habit yet. */
export function HomeOrderAgain() {
  const usual = useUsual(useFirstOrders())
  return usual.length > 0 ? <UsualOrder usual={usual} /> : <LastOrder />
}
