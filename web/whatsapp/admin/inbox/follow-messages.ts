import type { Output } from '@qatra/contract/endpoint'
import { getAccount } from '@qatra/contract/whatsapp/connection/account'
import { getConnection } from '@qatra/contract/whatsapp/connection/connection'
import { getConversationCart } from '@qatra/contract/whatsapp/inbox/cart'
import { getConversation, listConversations, listMessages } from '@qatra/contract/whatsapp/inbox/inbox'
import type { QueryClient } from '@tanstack/react-query'
import { invalidateAndRefetch } from '../../../app/refetch.ts'
import { CallError, call } from '../../../lib/api-client.ts'
import { setNavCount, setTalking } from '../../../ui/admin/nav-counts.ts'
import { renewConversation, renewList } from './inbox-cache.ts'

/** Sets the number of conversations that wait for the user in the navigation. */
export function showWaiting({ counts }: Pick<Output<typeof listConversations>, 'counts'>) {
  setNavCount('/admin/whatsapp', counts.waiting)
}

/** A failed call keeps the previous number. */
export async function renewWaitingCount(): Promise<void> {
  try {
    const answer = await call(listConversations, { query: { limit: 1 } })
    showWaiting(answer)
    setTalking(answer.total > 0)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}

const isWatched = (queries: QueryClient) =>
  queries.getQueryCache().findAll({ queryKey: [listConversations.path, 'scrolled'], type: 'active' }).length > 0

/** Refetches the conversations that changed. */
export async function followMessages(queries: QueryClient, contactIds: Iterable<number>): Promise<void> {
  // The answer of the list includes the count.
  const list = isWatched(queries) ? renewList(queries) : renewWaitingCount()
  await Promise.all([list, ...[...new Set(contactIds)].map((id) => renewConversation(queries, id))])
}

/** The orders and bottles beside the open conversation: an order may be its customer's. */
export const followOrders = (queries: QueryClient) => queries.invalidateQueries({ queryKey: [getConversation.path] })

/** Reloads the inbox after the event stream missed too much. */
export async function reloadInbox(queries: QueryClient): Promise<void> {
  await Promise.all([
    isWatched(queries) ? renewList(queries) : renewWaitingCount(),
    invalidateAndRefetch(queries, { queryKey: [listMessages.path] }),
    invalidateAndRefetch(queries, { queryKey: [getConversation.path] }),
    invalidateAndRefetch(queries, { queryKey: [getConversationCart.path] }),
  ])
}

export const renewConnection = (queries: QueryClient) =>
  Promise.all([getConnection, getAccount].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })))
