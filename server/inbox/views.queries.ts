import type { ConversationView } from '@qatra/contract/whatsapp/inbox/inbox'
import { type SQL, sql } from 'drizzle-orm'
import { whatsappConversationThreads as threads } from '../conversations/tables.ts'

/** The customer waits for staff: not while the conversation is put aside. */
export const isWaiting = sql`(${threads.handoffAt} is not null and ${threads.doneAt} is null
  and coalesce(${threads.snoozedUntil} <= now(), true))`
export const isMine = (userId: number) => sql`(${threads.assignedTo} = ${userId} and ${threads.doneAt} is null)`
/** Somebody else has it. */
export const isOthers = (userId: number) => sql`coalesce(${threads.assignedTo} <> ${userId}, false)`

/** Filters the conversations that the person reaches. */
export function inView(view: ConversationView, userId: number): SQL {
  switch (view) {
    case 'waiting':
      return isWaiting
    case 'mine':
      return isMine(userId)
    case 'done':
      return sql`${threads.doneAt} is not null`
    case 'unread':
      return sql`${threads.unreadCount} > 0`
    case 'snoozed':
      return sql`${threads.snoozedUntil} is not null`
    case 'unassigned':
      return sql`${threads.assignedTo} is null`
    case 'person':
      return sql`${threads.pausedUntil} > now()`
    case 'bot':
      return sql`coalesce(${threads.pausedUntil} <= now(), true)`
    case 'opted-out':
      return sql`contacts.opted_out_at is not null`
    default:
      return sql`true`
  }
}

/** Those that wait: nobody's and one's own before others', the oldest first. Others: the latest first. */
export function orderOf(view: ConversationView, userId: number, sort: 'latest' | 'unread'): SQL {
  const latest = sql`${threads.lastActivity} desc nulls last, ${threads.id} desc nulls last`
  if (view === 'waiting') return sql`${isOthers(userId)}, ${threads.handoffAt}, ${threads.id}`
  if (view === 'done') return sql`${threads.doneAt} desc nulls last, ${threads.id} desc nulls last`
  return sort === 'unread' ? sql`(${threads.unreadCount} > 0) desc nulls last, ${latest}` : latest
}
