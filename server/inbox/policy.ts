import type { ConversationView } from '@qatra/contract/whatsapp-inbox'
import { type SQL, sql } from 'drizzle-orm'
import { whatsappConversationThreads as threads } from '../conversations/tables.ts'

/** All users with access to the inbox see all conversations; a view filters the list. */
export function inView(view: ConversationView, userId: number): SQL {
  switch (view) {
    case 'unread':
      return sql`${threads.unreadCount} > 0`
    case 'waiting':
      return sql`${threads.handoffAt} is not null`
    case 'mine':
      return sql`${threads.assignedTo} = ${userId}`
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
