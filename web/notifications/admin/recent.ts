import { listNotifications, readNotifications } from '@qatra/contract/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { call, read } from '../../app/call.ts'
import { broadcastRead, setUnread } from './notification-store.ts'

/** As many as the panel shows. */
const SHOWN = 40

export const recentNotifications = () => read(listNotifications, { query: { limit: SHOWN } })

/** Marks them on the screen at once; the server's number is what counts afterwards. */
export async function markRead(queries: QueryClient, which: { ids: number[] } | { upTo: number }) {
  const { queryKey } = recentNotifications()
  const isMeant = (id: number) => ('ids' in which ? which.ids.includes(id) : id <= which.upTo)
  queries.setQueryData(queryKey, (before) =>
    before
      ? { ...before, items: before.items.map((item) => (isMeant(item.id) ? { ...item, isRead: true } : item)) }
      : before,
  )
  const { unread } = await call(readNotifications, { body: which }, { keepalive: true })
  setUnread(unread)
  broadcastRead(unread)
}
