import type { Rating } from '@qatra/contract/orders/order-status'
import type { Referral } from '@qatra/contract/users/referral'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import type { Outgoing } from '../providers/message.ts'
import type { MessagePricing } from '../providers/provider.ts'
import { users } from '../users/tables.ts'

/** A person reached by a channel: by phone, by the business-scoped id of newer accounts, or by both. */
export const contacts = pgTable(
  'contacts',
  {
    id: rowId(),
    phone: text().unique(),
    businessScopedId: text().unique(),
    name: text(),
    language: text(),
    /** Time of the marketing opt-out; replies and order updates are still sent. */
    optedOutAt: instant(),
    /** Source of the last opt-out or opt-in: `message`, `provider`, `profile`, `admin`. */
    optOutSource: text(),
    optOutChangedAt: instant(),
    /** Since then neither bot nor campaign writes to the person; a block of some vendors: only if no other serves them. */
    blockedAt: instant(),
    /** The vendors whose staff blocked the person; none: the market's did. */
    blockedVendors: integer().array().notNull().default([]),
    blockedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    blockedReason: text(),
    /** The last ad or post that the person came from. */
    referral: jsonb().$type<Referral>(),
    referredAt: instant(),
    /** Name, phone and provider's id in the form of `fold` of the contract, for search. */
    searchText: text().generatedAlwaysAs(
      sql`fold_text(coalesce(name, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(business_scoped_id, ''))`,
    ),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('contacts_search').using('gin', t.searchText.op('gin_trgm_ops')),
    index().on(t.blockedBy).where(sql`${t.blockedBy} is not null`),
    check('contacts_reachable', sql`num_nonnulls(${t.phone}, ${t.businessScopedId}) >= 1`),
  ],
)

/** One row per contact: assignee, unread count and state of the bot. */
export const whatsappConversationThreads = pgTable(
  'whatsapp_conversation_threads',
  {
    id: rowId(),
    contactId: integer()
      .notNull()
      .unique()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    phoneNumber: text().unique(),
    /** Topic in the staff's Telegram group that mirrors the conversation. */
    telegramThreadId: text(),
    threadName: text(),
    lastActivity: instant().notNull().defaultNow(),
    lastMessageId: integer(),
    /** By the customer; the service window is the 24 hours after it. */
    lastIncomingAt: instant(),
    unreadCount: integer().notNull().default(0),
    assignedTo: integer().references(() => users.id, { onDelete: 'set null' }),
    assignedAt: instant(),
    /** The bot is silent until then because staff answer. */
    pausedUntil: instant(),
    pausedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The last reply by staff. */
    humanRepliedAt: instant(),
    /** Since when the customer waits for staff; null after a reply or once the bot is resumed. */
    handoffAt: instant(),
    handoffReason: text(),
    /** Time of the last alarm about a long wait; before `handoffAt` it belongs to an earlier wait. */
    lateToldAt: instant(),
    /** The order that the customer complains about. */
    handoffOrderId: text(),
    /** Since when staff are responsible: since the hand-over or their own reply, until the bot answers again. */
    staffSince: instant(),
    /** Resolved by staff; the customer's next message reopens it. */
    doneAt: instant(),
    /** Put aside by staff; a job brings it back at that time. */
    snoozedUntil: instant(),
    labels: text().array().notNull().default([]),
    /** Ids of staff who get neither sound nor push for it. */
    mutedBy: integer().array().notNull().default([]),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('conversations_latest').on(t.lastActivity.desc(), t.id.desc()),
    index('conversations_unread').on(sql`(${t.unreadCount} > 0) desc nulls last`, t.lastActivity.desc(), t.id.desc()),
    index('conversations_waiting').on(t.handoffAt).where(sql`${t.handoffAt} is not null and ${t.doneAt} is null`),
    index('conversations_done').on(t.doneAt.desc(), t.id.desc()).where(sql`${t.doneAt} is not null`),
    index('conversations_snoozed').on(t.snoozedUntil).where(sql`${t.snoozedUntil} is not null`),
    index('conversations_paused_by').on(t.pausedBy).where(sql`${t.pausedBy} is not null`),
    index('conversations_labelled').on(t.lastActivity.desc()).where(sql`${t.labels} <> '{}'`),
    index('conversations_of_staff').on(t.assignedTo, t.lastActivity.desc()),
    uniqueIndex('conversations_by_topic').on(t.telegramThreadId).where(sql`${t.telegramThreadId} is not null`),
    check('conversations_unread_count', sql`${t.unreadCount} >= 0`),
  ],
)

/** What a customer needed a person for, from the beginning of the wait to its end, for reports. */
export const conversationCases = pgTable(
  'conversation_cases',
  {
    id: rowId(),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    beganAt: instant().notNull().defaultNow(),
    /** The first reply by staff, and its author; null for the shop's own phone. */
    answeredAt: instant(),
    answeredBy: integer().references(() => users.id, { onDelete: 'set null' }),
    endedAt: instant(),
    /** Who said “done”; null if the bot took the conversation over again. */
    resolvedBy: integer().references(() => users.id, { onDelete: 'set null' }),
    rating: text().$type<Rating>(),
    ratedAt: instant(),
  },
  (t) => [
    uniqueIndex('conversation_cases_open').on(t.contactId).where(sql`${t.endedAt} is null`),
    index().on(t.contactId, t.id),
    index().on(t.beganAt),
    index().on(t.answeredBy),
    index().on(t.resolvedBy),
    check('conversation_cases_rating', sql`${t.rating} in ('good', 'fair', 'bad')`),
  ],
)

/** All incoming and outgoing messages of all channels. Codes are stored masked. */
export const whatsappMessages = pgTable(
  'whatsapp_messages',
  {
    id: rowId(),
    /** The provider's id; null until it accepted the message. */
    messageId: text().unique(),
    /** A second message with the same key is not sent. */
    dedupeKey: text().unique(),
    contactId: integer().references(() => contacts.id, { onDelete: 'cascade' }),
    conversationId: text(),
    fromNumber: text(),
    toNumber: text(),
    direction: text().$type<'incoming' | 'outgoing'>().notNull(),
    channel: text().$type<'whatsapp' | 'sms' | 'telegram' | 'push'>().notNull(),
    messageType: text().notNull().default('text'),
    /** Text of the message, shown and searched in the inbox. */
    content: text(),
    /** Outgoing: the gateway's input. Incoming: the message parsed as in `received.ts`. */
    payload: jsonb().$type<Outgoing | Record<string, unknown>>(),
    /** Provider's id of the message that this one replies to. */
    contextMessageId: text(),
    /** `unknown`: sent without a known result; never sent again, a receipt can settle it. */
    status: text()
      .$type<'queued' | 'unknown' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'>()
      .notNull()
      .default('queued'),
    /** Time of the last status change; the sender's clock for incoming messages. */
    timestamp: instant(),
    /** Claimed by a worker; no other worker sends a claimed message. */
    claimedAt: instant(),
    /** Not sent before, because the provider was busy; later messages of the contact wait behind it. */
    sendAfter: instant(),
    sentAt: instant(),
    deliveredAt: instant(),
    /** Read by the customer; `readAt` is when staff read an incoming message. */
    seenAt: instant(),
    webhookData: jsonb(),
    processed: boolean().notNull().default(false),
    botResponseSent: boolean().notNull().default(false),
    botResponseText: text(),
    sentByType: text().notNull().default('bot'),
    sentByUserId: integer(),
    readByAdmin: boolean().notNull().default(false),
    readAt: instant(),
    /** Outgoing: how the provider bills the message, from its receipts. */
    pricing: jsonb().$type<MessagePricing>(),
    errors: jsonb().$type<{ code: string; text: string; kind: string; at: string }[]>().notNull().default([]),
    /** Incoming: the customer's last edit. */
    editedAt: instant(),
    /** Incoming: deleted by the customer, together with its content. */
    revokedAt: instant(),
    searchText: text().generatedAlwaysAs(sql`fold_text(coalesce(content, ''))`),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.contactId, t.id),
    index().on(t.toNumber, t.id),
    index('messages_search').using('gin', t.searchText.op('gin_trgm_ops')),
    index('messages_not_worked').on(t.contactId, t.id).where(sql`${t.direction} = 'incoming' and not ${t.processed}`),
    index('messages_reactions').on(t.contextMessageId).where(sql`${t.messageType} = 'reaction'`),
    index('messages_waiting').on(t.createdAt).where(sql`${t.status} = 'queued'`),
    check(
      'whatsapp_messages_status',
      sql`${t.status} in ('queued','unknown','sent','delivered','read','failed','received')`,
    ),
  ],
)

/** Edits and deletions of messages that have not arrived yet. */
export const earlyMessageChanges = pgTable(
  'early_message_changes',
  {
    id: rowId(),
    /** The provider's ids of the change and of the message. */
    changeId: text().notNull().unique(),
    messageId: text().notNull(),
    contactId: integer()
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    /** The new text; null: deleted. */
    content: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.messageId), index().on(t.contactId), index().on(t.createdAt)],
)

/** Receipts of unknown messages, applied when the message's id is stored. */
export const orphanReceipts = pgTable(
  'orphan_receipts',
  {
    id: rowId(),
    messageId: text().notNull(),
    status: text().$type<'sent' | 'delivered' | 'read' | 'failed'>().notNull(),
    at: instant().notNull(),
    error: jsonb(),
    pricing: jsonb(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('orphan_receipts_once').on(t.messageId, t.status), index().on(t.createdAt)],
)
