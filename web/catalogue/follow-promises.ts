import { nextPromiseChange } from '@qatra/contract/calendar/slot'
import { getSite } from '@qatra/contract/settings/site'
import { getDeliveryDays, listVendors } from '@qatra/contract/vendors/vendors'
import type { QueryClient } from '@tanstack/react-query'
import { serverNow, toServerTime } from '../lib/server-clock.ts'
import { vendorsQuery } from './api.ts'

/** Spreads the requests of all pages that are open across the same cut-off. */
const spreadMs = () => 200 + Math.random() * 1_500
const RETRY_MS = 30_000

/** Data that name a delivery day. */
const promising: readonly unknown[] = [listVendors.path, getSite.path, getDeliveryDays.path]

/** When the vendors' promised days can differ from those that the page has; by the server's clock. */
function changesAt(queries: QueryClient): number {
  const { data, dataUpdatedAt = 0 } = queries.getQueryState(vendorsQuery().queryKey) ?? {}
  return nextPromiseChange(data ?? [], new Date(toServerTime(dataUpdatedAt))).getTime()
}

/** Refetches the promised days when a cut-off or midnight has passed, also on a page that slept meanwhile. */
export function followPromises(queries: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  function schedule(soonestMs: number) {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => void renew(), Math.max(soonestMs, changesAt(queries) - serverNow() + spreadMs()))
  }
  async function renew() {
    if (serverNow() >= changesAt(queries))
      await queries.invalidateQueries({
        predicate: ({ queryKey: [path] }) => promising.includes(path),
        // Loaders accept data in the cache.
        refetchType: 'all',
      })
    // After a failed request the data are as old as before.
    schedule(RETRY_MS)
  }
  // A device that sleeps does not run timers.
  const wake = () => {
    if (document.visibilityState === 'visible') void renew()
  }
  schedule(0)
  document.addEventListener('visibilitychange', wake)
  window.addEventListener('pageshow', wake)
  window.addEventListener('online', wake)
  return () => {
    isStopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', wake)
    window.removeEventListener('pageshow', wake)
    window.removeEventListener('online', wake)
  }
}
