import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { ConversationAction, ConversationDetail, Note, ContactOrder } from '@qatra/contract/whatsapp/inbox/inbox'
import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import type { Pending } from '../composer/outbox.ts'

/** Items of a conversation in the order of display. */
export type ThreadItem =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'unread'; key: string; count: number }
  | { kind: 'message'; key: string; message: Message; isLast: boolean }
  | { kind: 'pending'; key: string; pending: Pending }
  | { kind: 'note'; key: string; note: Note }
  | { kind: 'action'; key: string; action: ConversationAction }
  | { kind: 'order'; key: string; order: ContactOrder }

type Dated = Exclude<ThreadItem, { kind: 'day' | 'unread' }> & { at: string }

interface Parts {
  /** Newest first, as the server sends them. */
  messages: readonly Message[]
  detail: Pick<ConversationDetail, 'notes' | 'acts' | 'orders'> | undefined
  pending: readonly Pending[]
  /** Older messages are not loaded yet; notes and orders before the oldest loaded message are hidden. */
  hasOlder: boolean
  /** The first message that was unread when the conversation was opened. */
  firstUnread: number | null
}

/** Messages keep the server's order; notes, actions and orders are inserted by time. */
export function threadOf({ messages, detail, pending, hasOlder, firstUnread }: Parts): ThreadItem[] {
  const oldest = messages.at(-1)
  const since = hasOlder && oldest ? oldest.at : ''
  const lastOutgoing = messages.find(({ direction }) => direction === 'outgoing')?.id
  const sorted: Dated[] = [...messages].reverse().map((message) => ({
    kind: 'message',
    key: `m${message.id}`,
    message,
    isLast: message.id === lastOutgoing,
    at: message.at,
  }))
  const others: Dated[] = [
    ...(detail?.notes ?? []).map((note): Dated => ({ kind: 'note', key: `n${note.id}`, note, at: note.at })),
    ...(detail?.acts ?? []).map((action): Dated => ({ kind: 'action', key: `a${action.id}`, action, at: action.at })),
    ...(detail?.orders ?? []).map(
      (order): Dated => ({ kind: 'order', key: `o${order.id}`, order, at: order.createdAt }),
    ),
  ]
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at.localeCompare(b.at))
  const all = [
    ...merge(sorted, others),
    ...pending.map((one): Dated => ({ kind: 'pending', key: one.key, pending: one, at: one.at })),
  ]
  return withSigns(all, firstUnread)
}

/** Merges two lists; each keeps its own order. */
function merge(sorted: readonly Dated[], others: readonly Dated[]): Dated[] {
  const merged: Dated[] = []
  let next = 0
  for (const item of sorted) {
    for (let one = others[next]; one && one.at <= item.at; one = others[next]) {
      merged.push(one)
      next += 1
    }
    merged.push(item)
  }
  return [...merged, ...others.slice(next)]
}

function withSigns(items: readonly Dated[], firstUnread: number | null): ThreadItem[] {
  let day = ''
  return items.flatMap((item, at): ThreadItem[] => {
    const marks: ThreadItem[] = []
    const own = bahrainDate(new Date(item.at))
    // A message within the same second may be of the day before, and adds no separator.
    if (own > day) {
      day = own
      marks.push({ kind: 'day', key: `d${own}`, day: own })
    }
    if (firstUnread !== null && item.kind === 'message' && item.message.id === firstUnread) {
      const rest = items.slice(at).flatMap((one) => (one.kind === 'message' ? [one.message] : []))
      const count = rest.filter(({ direction, id }) => direction === 'incoming' && id >= firstUnread).length
      marks.push({ kind: 'unread', key: 'unread', count })
    }
    return [...marks, item]
  })
}
