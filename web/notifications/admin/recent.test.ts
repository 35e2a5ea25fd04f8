import type { Output } from '@qatra/contract/endpoint'
import type { listNotifications } from '@qatra/contract/notifications/notifications'
import { afterEach, expect, it, vi } from 'vitest'
import { createQueries } from '../../app/queries.ts'
import { markRead, recentNotifications } from './recent.ts'

afterEach(() => vi.unstubAllGlobals())

it('a notification stays read if the list was refetched before the server had marked it', async () => {
  const unreadList = { items: [{ id: 1, isRead: false }], unread: 1 } as unknown as Output<typeof listNotifications>
  const queries = createQueries(async () => unreadList)
  const recent = recentNotifications()
  queries.setQueryData(recent.queryKey, unreadList)
  let answer = (_: Response) => {}
  vi.stubGlobal('fetch', () => new Promise<Response>((done) => (answer = done)))
  const marking = markRead(queries, { ids: [1] })
  await queries.fetchQuery({ ...recent, staleTime: 0 })
  answer(Response.json({ unread: 0 }))
  await marking
  expect(queries.getQueryData(recent.queryKey)?.items[0]?.isRead).toBe(true)
})
