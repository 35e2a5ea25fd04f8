import { useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Later than what a first visit loads. A page where an order is placed does not wait. */
const DELAY_MS = 10_000

/** Keeps the promised days of an open page true across cut-offs and midnight. */
export function useTruePromises() {
  const queries = useQueryClient()
  const isOrdering = useRouterState({ select: ({ location }) => location.pathname === '/checkout' })
  useEffect(() => {
    let isStopped = false
    let stop = () => {}
    const timer = setTimeout(
      () =>
        void import('./follow-promises.ts').then(
          ({ followPromises }) => {
            if (!isStopped) stop = followPromises(queries)
          },
          // The server checks the day when the order is placed.
          () => undefined,
        ),
      isOrdering ? 0 : DELAY_MS,
    )
    return () => {
      isStopped = true
      clearTimeout(timer)
      stop()
    }
  }, [queries, isOrdering])
}
