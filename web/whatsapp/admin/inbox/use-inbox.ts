import { type Conversation, readConversation } from '@qatra/contract/whatsapp/inbox/inbox'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { CallError, call } from '../../../lib/api-client.ts'
import { useSearchState } from '../../../lib/search-state.ts'
import { useNow } from '../use-now.ts'
import { followMessages, showWaiting } from './follow-messages.ts'
import { conversationsQuery } from './inbox-cache.ts'
import { inboxShape } from './inbox-search.ts'

/** Conversation list for the search state in the address. */
export function useInbox() {
  const [state, setState] = useSearchState(inboxShape)
  const list = useInfiniteQuery({ ...conversationsQuery(state), placeholderData: keepPreviousData })
  const pages = list.data?.pages
  const conversations = useMemo(() => {
    // A conversation that moved up between two requests is on two pages.
    const known = new Map<number, Conversation>()
    for (const one of pages?.flatMap(({ items }) => items) ?? [])
      if (!known.has(one.contactId)) known.set(one.contactId, one)
    return [...known.values()]
  }, [pages])
  const newest = pages?.[0]
  const now = useNow()
  useEffect(() => {
    if (newest) showWaiting(newest)
  }, [newest])
  const { open } = state
  /** Contact ids as listed with the open conversation, which leaves the waiting list when it is answered. */
  const order = useRef<readonly number[]>([])
  useEffect(() => {
    const ids = conversations.map(({ contactId }) => contactId)
    if (open !== undefined && ids.includes(open)) order.current = ids
  }, [conversations, open])
  /** The listed conversations after or before the open one, the nearest first; without one, all. */
  function neighbours(direction: 'after' | 'before'): readonly Conversation[] {
    const isListed = conversations.some(({ contactId }) => contactId === open)
    const ids = isListed ? conversations.map(({ contactId }) => contactId) : order.current
    const at = open === undefined ? -1 : ids.indexOf(open)
    if (at === -1) return conversations
    const some = direction === 'after' ? ids.slice(at + 1) : ids.slice(0, at).reverse()
    return some.flatMap((id) => conversations.find(({ contactId }) => contactId === id) ?? [])
  }
  return {
    state,
    setState,
    list,
    conversations,
    neighbours,
    counts: newest?.counts,
    waitMinutes: newest?.waitMinutes ?? 0,
    now,
  }
}
export type Inbox = ReturnType<typeof useInbox>

const EVERY_MS = 20_000

/** Polls the open conversation, because some proxies block the event stream. */
export function usePolling(contactId: number | undefined) {
  const queries = useQueryClient()
  useEffect(() => {
    const poll = () => {
      if (document.visibilityState !== 'visible') return
      void followMessages(queries, contactId === undefined ? [] : [contactId])
    }
    const timer = setInterval(poll, EVERY_MS)
    document.addEventListener('visibilitychange', poll)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', poll)
    }
  }, [queries, contactId])
}

/** Marks messages up to one as read. After a failure they remain unread and are reported again. */
export async function reportRead(contactId: number, upTo: number): Promise<void> {
  try {
    await call(readConversation, { params: { contact: String(contactId) }, body: { upTo } })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}
