import type { Output } from '@qatra/contract/endpoint'
import { listCannedReplies } from '@qatra/contract/whatsapp/inbox/canned-replies'
import { getConversationCart } from '@qatra/contract/whatsapp/inbox/cart'
import {
  type Conversation,
  getConversation,
  listConversations,
  listMessages,
} from '@qatra/contract/whatsapp/inbox/inbox'
import { listAnswerers, listLabels } from '@qatra/contract/whatsapp/inbox/work'
import { listReplyTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { invalidateAndRefetch, refetchInFlight } from '../../../app/refetch.ts'
import { type CallError, call, read } from '../../../lib/api-client.ts'
import { type InboxState, listQueryOf, PAGE_OF_MESSAGES } from './inbox-search.ts'

type ListPage = Output<typeof listConversations>
type MessagePage = Output<typeof listMessages>
type Key = readonly unknown[]

/** The loaded pages of the conversation list. */
export const conversationsQuery = (state: InboxState) =>
  infiniteQueryOptions<ListPage, CallError, InfiniteData<ListPage, number>, Key, number>({
    queryKey: [listConversations.path, 'scrolled', listQueryOf(state)],
    queryFn: ({ pageParam, signal }) =>
      call(listConversations, { query: { ...listQueryOf(state), page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  })

export const detailQuery = (contactId: number) => read(getConversation, { params: { contact: String(contactId) } })

export const cartQuery = (contactId: number) => read(getConversationCart, { params: { contact: String(contactId) } })

/** The loaded pages of messages, newest first. */
export const messagesQuery = (contactId: number) =>
  infiniteQueryOptions<MessagePage, CallError, InfiniteData<MessagePage, number | null>, Key, number | null>({
    queryKey: [listMessages.path, String(contactId)],
    queryFn: ({ pageParam, signal }) =>
      call(
        listMessages,
        {
          params: { contact: String(contactId) },
          query: { limit: PAGE_OF_MESSAGES, ...(pageParam === null ? {} : { before: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: ({ items, limit }) => (items.length < limit ? undefined : items.at(-1)?.id),
  })

export const peopleQuery = (contactId: number) => read(listAnswerers, { query: { contact: String(contactId) } })
export const labelsQuery = () => read(listLabels)
export const cannedQuery = () => read(listCannedReplies, { query: { limit: 100 } })
export const templatesQuery = () => read(listReplyTemplates)

/** Writes the conversation from a command's answer to the detail and the lists. */
export function cacheConversation(queries: QueryClient, conversation: Conversation) {
  const { contactId } = conversation
  const { queryKey } = detailQuery(contactId)
  queries.setQueryData(queryKey, (before) => before && { ...before, ...conversation })
  refetchInFlight(queries, { queryKey })
  queries.setQueriesData<InfiniteData<ListPage>>({ queryKey: [listConversations.path, 'scrolled'] }, (before) => {
    if (!before) return before
    const pages = before.pages.map((page) => ({
      ...page,
      items: page.items.map((one) => (one.contactId === contactId ? conversation : one)),
    }))
    return { ...before, pages }
  })
  refetchInFlight(queries, { queryKey: [listConversations.path, 'scrolled'] })
}

export const renewDetail = (queries: QueryClient, contactId: number) =>
  invalidateAndRefetch(queries, { queryKey: detailQuery(contactId).queryKey })

export const renewList = (queries: QueryClient) =>
  invalidateAndRefetch(queries, { queryKey: [listConversations.path, 'scrolled'] })

/** Refetches the list and the conversation if they are on screen, otherwise at their next use. */
export async function renewConversation(queries: QueryClient, contactId: number): Promise<void> {
  await Promise.all([
    invalidateAndRefetch(queries, { queryKey: messagesQuery(contactId).queryKey }),
    invalidateAndRefetch(queries, { queryKey: cartQuery(contactId).queryKey }),
    renewDetail(queries, contactId),
  ])
}
