import { countOrders, listOrders } from '@qatra/contract/orders-office'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { CallError, call, read } from '../../app/call.ts'
import { useT } from '../../app/i18n.tsx'
import { useArrivalNews } from './arrivals.ts'
import { type DeskState, filtersOf } from './desk-search.ts'

const EVERY_MS = 30_000

/**
 * Counts what came since the list was loaded: every half minute while the page is seen, and at once when there is news.
 * The list itself stays as it is until somebody asks for them.
 */
export function useArrivals(state: DeskState, loadedAt: number) {
  const queries = useQueryClient()
  const [count, setCount] = useState(0)
  const since = useRef<string | null>(null)
  const filters = JSON.stringify(filtersOf(state))

  const look = useCallback(async () => {
    const query = JSON.parse(filters) as ReturnType<typeof filtersOf> // written four lines above
    try {
      const answer = await call(countOrders, {
        query: { ...query, ...(since.current ? { since: since.current } : {}) },
      })
      queries.setQueryData(read(countOrders, { query }).queryKey, answer)
      // Its own clock: the first look says from when on an order is new.
      since.current ??= answer.now
      setCount(answer.arrived)
    } catch (error) {
      // A look that fails is followed by another; the list says by itself when there is no connection.
      if (!(error instanceof CallError)) throw error
    }
  }, [filters, queries])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that was loaded anew begins to count anew.
  useEffect(() => {
    since.current = null
    setCount(0)
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
  }, [look, loadedAt])
  useArrivalNews(useCallback(() => void look(), [look]))

  const show = () => queries.invalidateQueries({ queryKey: [listOrders.path] })
  return { count, show }
}

/** New orders wait here, so that nothing moves under a pointer. */
export function LiveHint({ count, onShow }: { count: number; onShow(): void }) {
  const t = useT()
  return (
    <div role="status" className="no-print">
      {count > 0 && (
        <div className="px-4 pb-2 md:px-6">
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
