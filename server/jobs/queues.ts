import type { EventJob, EventName } from './events.ts'

interface QueueDeclaration {
  /** Events that enqueue a job here. */
  on?: readonly EventName[]
  /** Cron line in Asia/Bahrain. */
  every?: string
  /** What jobs contain that are enqueued by the queue's name. Only its type is used. */
  sent?: object | null
}
export type QueueList = Readonly<Record<string, QueueDeclaration>>

type Words<Messages> = keyof Messages extends infer Key ? (Key extends `jobs.name.${infer Name}` ? Name : never) : never
/** Queues that have a name on the page of jobs, in both languages. */
type Named = Words<typeof import('@qatra/contract/messages/admin-jobs.ar.json')> &
  Words<typeof import('@qatra/contract/messages/admin-jobs.en.json')>

/** Declares what jobs contain that are enqueued by the queue's name. */
export const sent = <Data extends object>(): Data | null => null

type Texts<Messages> = keyof Messages extends infer Key
  ? Key extends `news.order.${infer Name}`
    ? Name
    : never
  : never
/** Texts of messages about orders, in both languages. */
export type OrderText = Texts<typeof import('@qatra/contract/messages/news.ar.json')> &
  Texts<typeof import('@qatra/contract/messages/news.en.json')>
export type MessageChannel = 'push' | 'whatsapp' | 'sms'

/** Events of orders. `server/notifications/event-messages.ts` lists who is notified of each. */
const ordersTold = [
  'order.placed',
  'order.status-changed',
  'order.cancelled',
  'order.rescheduled',
  'order.attempted',
  'order.call-requested',
  'order.items-changed',
  'order.address-changed',
  'order.buyer-changed',
  'order.payment-changed',
  'order.driver-assigned',
  'order.driver-removed',
  'order.driver-left',
  'order.confirmation-asked',
  'order.noted',
  'order.rated',
  'order.terms-agreed',
] as const satisfies EventName[]

/**
 * All queues, with the events and cron lines that fill them. Each has a worker, which `handle` declares, and a name
 * `jobs.name.<queue>` in `admin-jobs`.
 */
export const queues = {
  // sign-in
  // `isOfClaim`: for the first super admin, who may come before any channel works.
  'send-code': { sent: sent<{ codeId: number; sealed: string; isOfClaim?: boolean }>() },
  'code-fallback': { sent: sent<{ codeId: number; sealed: string; isOfClaim?: boolean }>() },
  'send-link': { sent: sent<{ linkId: number; sealed: string }>() },
  'message-login': { on: ['message.received'] },
  'due-impersonations': { every: '* * * * *' },
  // messages to customers and staff about orders
  'order-messages': { on: ordersTold },
  'order-push': { sent: sent<OrderNews>() },
  'push-fallback': { sent: sent<OrderNews>() },
  'news-fallback': { on: ['message.failed'], sent: sent<{ messageId: number }>() },
  'due-reminders': { every: '0 10 * * *' },
  'receipt-news': { on: ['order.receipt-asked'] },
  'invitation-news': { on: ['invitation.sent'] },
  'admin-notifications': { on: ordersTold },
  'visit-notifications': {
    on: [
      'visit.created',
      'visit.requested',
      'visit.updated',
      'visit.done',
      'visit.failed',
      'visit.undone',
      'visit.deleted',
    ],
  },
  // orders
  'move-orders': { on: ['calendar.day-closed'] },
  'receipt-numbers': { every: '15 4 * * *' },
  'order-referrals': { on: ['order.placed'] },
  'order-days': { every: '*/5 * * * *' },
  'legacy-sync': {
    on: [
      'order.placed',
      'order.status-changed',
      'order.cancelled',
      'order.payment-changed',
      'order.items-changed',
      'order.address-changed',
      'order.rescheduled',
      'order.terms-agreed',
    ],
    sent: sent<{ id: string }>(),
  },
  'legacy-sweep': { every: '* * * * *' },
  'outgoing-webhooks': { sent: sent<{ endpointId: number }>() },
  'webhook-sweep': { every: '* * * * *' },
  // conversations
  'webhook-event': { sent: sent<{ eventId: number }>() },
  // The thousands of receipts of a campaign do not delay what customers write.
  'webhook-receipt': { sent: sent<{ eventId: number }>() },
  'stranded-webhook-events': { every: '*/5 * * * *' },
  'send-messages': { sent: sent<{ contactId: number }>() },
  'sweep-sending': { every: '* * * * *' },
  'repeat-messages': { on: ['message.failed'] },
  'mark-read': { on: ['conversation.read'] },
  // `isAsked`: by staff.
  'message-files': { sent: sent<{ messageId: number; isAsked?: boolean }>() },
  'voice-messages': { sent: sent<{ messageId: number }>() },
  'revoked-files': { on: ['message.revoked'] },
  'conversation-snooze': { every: '* * * * *', sent: sent<{ contactId: number }>() },
  'conversation-without-bot': { on: ['message.received'] },
  'conversation-turns': { on: ['conversation.waiting'] },
  'late-conversations': { every: '* * * * *' },
  'conversation-ratings': { on: ['message.received'], sent: sent<{ caseId: number }>() },
  'conversation-notifications': {
    on: [
      'message.received',
      'conversation.waiting',
      'conversation.late',
      'message.status-changed',
      'conversation.changed',
      'conversation.read',
      'connection.changed',
      'account.alarm',
    ],
  },
  'conversation-push': { on: ['message.received', 'conversation.waiting', 'conversation.late'] },
  'bot-turn': { on: ['message.received'], sent: sent<{ messageId: number; contactId: number }>() },
  'bot-typing': { on: ['message.received'] },
  'revoked-bot-talk': { on: ['message.revoked'] },
  // campaigns and templates
  'campaign-work': { sent: sent<{ campaignId: string }>() },
  'sweep-campaigns': { every: '* * * * *' },
  'campaign-receipts': { on: ['message.status-changed'] },
  'campaign-clicks': { on: ['link.opened'] },
  'campaign-news': { on: ['campaign.changed'] },
  'campaign-stops': { on: ['campaign.stopped'] },
  'opt-out-words': { on: ['message.received', 'offers.agreed'] },
  'template-changes': { on: ['template.changed'] },
  'sync-templates': { every: '17 * * * *' },
  'submit-template': { sent: sent<{ name: string; language: string }>() },
  'whatsapp-account': { every: '*/10 * * * *' },
  'account-news': { on: ['account.reported'] },
  // Telegram
  'telegram-send': { sent: sent<{ id: number }>() },
  'telegram-fallback': { sent: sent<{ id: number }>() },
  'telegram-update': { sent: sent<{ updateId: number }>() },
  'telegram-orders': { on: ordersTold },
  'telegram-visits': { on: ['visit.requested', 'visit.deleted'] },
  'telegram-messages': { on: ['message.received', 'conversation.waiting', 'conversation.late'] },
  'telegram-mirror': { on: ['message.received', 'conversation.waiting', 'conversation.changed'] },
  'telegram-failures': { on: ['message.failed', 'message.status-changed'] },
  'telegram-group-lost': { on: ['telegram.group-lost'] },
  'revoked-topics': { on: ['message.revoked'] },
  'telegram-forget-person': {
    /** `topics`: of the group. `messages`: in the private chats of staff, by chat. */
    sent: sent<{ topics: string[]; messages: { chatId: string; ids: number[] }[] }>(),
  },
  // upkeep
  'fetch-pictures': {
    on: ['product.created', 'product.updated', 'vendor.created', 'vendor.updated'],
    every: '* * * * *',
  },
  'months-ahead': { every: '5 3 * * *' },
  'old-rows': { every: '10 3 * * *' },
  'old-rate-limits': { every: '40 * * * *' },
} as const satisfies { [Name in Named]: QueueDeclaration }

/** Of earlier versions; deleted at the start, since their cron lines would go on filling them. */
export const retiredQueues =
  'bot-misses bot-talk carts invitations legacy-rows media notifications order-keys sign-ins simulated telegram webhook-events'
    .split(' ')
    .map((name) => `old-${name}`)

/**
 * Queues of earlier versions whose jobs are those of `order-messages` now. A process of such a version may add some until
 * it ends, so the queues stay and each poll moves their jobs. Processes without workers leave them to the workers there are.
 */
export const movedQueues = 'order-news moved-news edit-news attempt-news order-confirmation driver-news'.split(' ')

/** News of an order. One message for each, however often its jobs run. */
export interface OrderNews {
  id: string
  /** `address`: nothing but the address was edited. */
  kind: Exclude<OrderText, 'delivered-partly' | 'confirmation' | 'receipt'>
  /** The order's version after the change; of `edited` and `address` the number of the edit, from 1. */
  version: number | string
  /** Channels in their order; absent in jobs of earlier versions, which go by all. */
  by?: readonly MessageChannel[]
  /** Of `rescheduled`: the new days of the customer's moved orders, ascending. */
  days?: readonly string[]
}

export type QueueName = keyof typeof queues
export type EventsOf<Declared> = Declared extends { on: readonly (infer Name extends EventName)[] } ? Name : never
type SentTo<Declared> = Declared extends { sent: infer Data } ? NonNullable<Data> : never
/** A job of the clock is empty. */
type ByClock<Declared> = Declared extends { every: string } ? Record<string, never> : never

/** What the jobs of a queue contain. */
export type JobData<Declared> = EventJob<EventsOf<Declared>> | SentTo<Declared> | ByClock<Declared>
export type JobOf<Name extends QueueName> = JobData<(typeof queues)[Name]>
