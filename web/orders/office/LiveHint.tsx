import type { Output } from '@qatra/contract/endpoint'
import { countOrders, listOrders } from '@qatra/contract/orders-office'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { CallError, call, read } from '../../app/call.ts'
import { useT } from '../../app/i18n.tsx'
import { counted, heldOf, none, opened, since, useArrivalNews, withList } from './arrivals.ts'
import { deskShape, filtersOf, listQueryOf } from './desk-search.ts'
import type { Desk } from './use-desk.ts'

const EVERY_MS = 30_000

/**
 * Holds the new orders that no list has shown yet: asks every half minute while the page is seen, and at once when there is
 * news. The list itself stays as it is until somebody asks for them.
 */
export function useArrivals({ state, setState, list }: Pick<Desk, 'state' | 'setState' | 'list'>) {
  const queries = useQueryClient()
  const [arrivals, setArrivals] = useState(none)
  const filters = JSON.stringify(filtersOf(state))
  const { data, isPlaceholderData } = list
  useEffect(() => {
    // Rows of another question stand in until the answer is there.
    if (data && !isPlaceholderData) setArrivals((before) => withList(before, data))
  }, [data, isPlaceholderData])

  const from = since(arrivals)
  const asked = useRef({ filters, from })
  useEffect(() => {
    asked.current = { filters, from }
  })
  const look = useCallback(async () => {
    const now = asked.current
    if (now.from === null) return
    const query = JSON.parse(now.filters) as ReturnType<typeof filtersOf> // written above
    try {
      const answer = await call(countOrders, { query: { ...query, since: now.from } })
      queries.setQueryData(read(countOrders, { query }).queryKey, answer)
      // The answer to another question says nothing about this one.
      if (asked.current.filters === now.filters && asked.current.from === now.from) {
        setArrivals((before) => counted(before, answer))
      }
    } catch (error) {
      // A look that fails is followed by another; the list says by itself when there is no connection.
      if (!(error instanceof CallError)) throw error
    }
  }, [queries])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question is asked at once.
  useEffect(() => {
    void look()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void look()
    }, EVERY_MS)
    const onSeen = () => document.visibilityState === 'visible' && void look()
    document.addEventListener('visibilitychange', onSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onSeen)
    }
  }, [look, filters, from])
  useArrivalNews(useCallback(() => void look(), [look]))

  /** Opens the list where the new orders are: its first page, newest first, of a status that a new order may have. */
  async function show() {
    const hidesNew = state.status.length > 0 && !state.status.includes('new')
    if (state.page !== 1 || state.sort !== newest || hidesNew) {
      void queries.invalidateQueries({ queryKey: [listOrders.path], refetchType: 'none' })
      setArrivals((before) => opened(before, null))
      setState({ page: 1, sort: newest, ...(hidesNew ? { status: [] } : {}) })
    } else {
      await queries.invalidateQueries({ queryKey: [listOrders.path] })
      const fresh = queries.getQueryData<Output<typeof listOrders>>(
        read(listOrders, { query: listQueryOf(state) }).queryKey,
      )
      // Without a connection the list is the old one, and the orders stay held.
      if (fresh && fresh.now !== data?.now) setArrivals((before) => opened(before, fresh.now))
    }
    scrollTo({ top: 0 })
  }
  return { count: useMemo(() => heldOf(arrivals).count, [arrivals]), show }
}

const newest = deskShape.sort.read([])

/** New orders wait here, so that nothing moves under a pointer; it stays in sight however far the list is scrolled. */
export function LiveHint({ count, onShow }: { count: number; onShow(): void }) {
  const t = useT()
  return (
    <div role="status" className="no-print live-hint sticky top-0 z-20 empty:hidden">
      {count > 0 && (
        <div className="bg-page px-4 py-1 md:px-6">
          <div className="rise flex min-h-9 flex-wrap items-center gap-x-2 rounded-[10px] bg-aqua-soft ps-3 pe-1.5 max-md:min-h-tap">
            <span aria-hidden="true" className="size-2 rounded-full bg-aqua-ink" />
            <b className="font-strong">{t('desk.arrived', { count })}</b>
            <span className="text-ink-2">{t('desk.arrivedHint', { count })}</span>
            <button
              type="button"
              className="ms-auto h-8 rounded-s px-2.5 font-strong text-aqua-ink hover:underline max-md:h-tap"
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
