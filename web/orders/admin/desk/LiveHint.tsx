import type { Output } from '@qatra/contract/endpoint'
import { countOrders, listOrders } from '@qatra/contract/orders/admin'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CallError, call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { arrival, counted, heldOf, none, opened, since, withList } from './arrivals.ts'
import { filtersOf, listQueryOf, sortOf } from './desk-search.ts'
import type { Desk } from './use-desk.ts'

const EVERY_MS = 30_000

/**
 * Counts the new orders that no list has shown yet. Polls every 30 seconds while the page is visible, and at once after a
 * live event. The list stays unchanged until `show` is called. Orders of other days count too.
 */
export function useArrivals({ state, setState, list }: Pick<Desk, 'state' | 'setState' | 'list'>) {
  const queries = useQueryClient()
  const [arrivals, setArrivals] = useState(none)
  const filters = JSON.stringify(filtersOf({ ...state, day: undefined }))
  const isWhole = filters === JSON.stringify(filtersOf(state))
  const { data, isPlaceholderData } = list
  useEffect(() => {
    // Placeholder rows belong to another query.
    if (data && !isPlaceholderData) setArrivals((before) => withList(before, data))
  }, [data, isPlaceholderData])

  const from = since(arrivals)
  const latest = useRef({ filters, from, isWhole })
  useEffect(() => {
    latest.current = { filters, from, isWhole }
  })
  const poll = useCallback(async () => {
    const sent = latest.current
    if (sent.from === null) return
    const query = JSON.parse(sent.filters) as ReturnType<typeof filtersOf> // serialized above
    try {
      const answer = await call(countOrders, { query: { ...query, since: sent.from } })
      queries.setQueryData(read(countOrders, { query }).queryKey, answer)
      // The tabs count the orders of the day.
      if (!sent.isWhole) void queries.invalidateQueries({ queryKey: [countOrders.path] })
      // Ignore an answer if the filters or the start time have changed since.
      if (latest.current.filters === sent.filters && latest.current.from === sent.from) {
        setArrivals((before) => counted(before, answer))
      }
    } catch (error) {
      // The next poll repeats a failed one; the list shows the offline state.
      if (!(error instanceof CallError)) throw error
    }
  }, [queries])

  // biome-ignore lint/correctness/useExhaustiveDependencies: poll at once when the filters or the start time change.
  useEffect(() => {
    void poll()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void poll()
    }, EVERY_MS)
    const onSeen = () => document.visibilityState === 'visible' && void poll()
    document.addEventListener('visibilitychange', onSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onSeen)
    }
  }, [poll, filters, from])
  useEffect(() => arrival.on(() => void poll()), [poll])

  /** Opens the first page, newest first, and removes the day and a status filter that hides new orders. */
  async function show() {
    const hidesNew = state.status.length > 0 && !state.status.includes('new')
    if (state.page !== 1 || sortOf(state) !== '-createdAt' || hidesNew || !isWhole) {
      void queries.invalidateQueries({ queryKey: [listOrders.path], refetchType: 'none' })
      setArrivals((before) => opened(before, null))
      setState({
        page: 1,
        sort: '-createdAt',
        ...(isWhole ? {} : { day: 'all' }),
        ...(hidesNew ? { status: [] } : {}),
      })
    } else {
      await queries.invalidateQueries({ queryKey: [listOrders.path] })
      const fresh = queries.getQueryData<Output<typeof listOrders>>(
        read(listOrders, { query: listQueryOf(state) }).queryKey,
      )
      // Offline the list is unchanged, so the orders stay counted.
      if (fresh && fresh.now !== data?.now) setArrivals((before) => opened(before, fresh.now))
    }
    scrollTo({ top: 0 })
  }
  return { count: useMemo(() => heldOf(arrivals).count, [arrivals]), show }
}

/** Announces new orders. Above the foot of the list, which stays in view, so that no row moves under the pointer. */
export function LiveHint({ count, onShow }: { count: number; onShow(): void }) {
  const t = useT()
  return (
    <div role="status" className={count > 0 ? 'live-hint' : undefined}>
      {count > 0 && (
        <div className="border-t border-line bg-page px-4 py-1.5 md:px-6">
          <div className="rise flex min-h-9 items-center gap-x-2 rounded-[10px] bg-aqua-soft ps-3 pe-1.5 max-md:min-h-tap">
            <span aria-hidden="true" className="size-2 flex-none rounded-full bg-aqua-ink" />
            <b className="font-strong">{t('desk.arrived', { count })}</b>
            <span className="text-ink-2 max-md:sr-only">{t('desk.arrivedHint', { count })}</span>
            <button
              type="button"
              className="ms-auto h-8 flex-none rounded-s px-2.5 font-strong text-aqua-ink hover:underline max-md:h-tap"
              onClick={onShow}
            >
              {t('desk.showArrived', { count })}
            </button>
          </div>
        </div>
      )}
    </div>
  )
}
