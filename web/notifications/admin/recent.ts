import { listNotifications, readNotifications } from '@qatra/contract/notifications/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { refetchInFlight } from '../../app/refetch.ts'
import { call, read } from '../../lib/api-client.ts'
import { broadcastRead, setUnread } from './notification-store.ts'

/** Number of rows in the panel. */
const SHOWN = 40

export const recentNotifications = () => read(listNotifications, { query: { limit: SHOWN } })

/** Optimistic; the count comes from the server's answer. */
export async function markRead(queries: QueryClient, which: { ids: number[] } | { upTo: number }) {
  const { queryKey } = recentNotifications()
  const isMeant = (id: number) => ('ids' in which ? which.ids.includes(id) : id <= which.upTo)
  const mark = () =>
    queries.setQueryData(queryKey, (before) =>
      before
        ? { ...before, items: before.items.map((item) => (isMeant(item.id) ? { ...item, isRead: true } : item)) }
        : before,
    )
  mark()
  const { unread } = await call(readNotifications, { body: which }, { keepalive: true })
  // A new notification may have refetched the list in the meantime.
  mark()
  refetchInFlight(queries, { queryKey })
  setUnread(unread)
  broadcastRead(unread)
}
