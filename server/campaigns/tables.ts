import type { Audience } from '@qatra/contract/whatsapp/campaigns/audience'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core'
import { contacts, whatsappMessages } from '../conversations/tables.ts'
import { instant, rowId } from '../database/columns.ts'
import { magicLinks } from '../links/tables.ts'

export const templateCampaigns = pgTable(
  'template_campaigns',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: varchar({ length: 255 }).notNull(),
    templateName: text().notNull(),
    language: varchar({ length: 10 }).notNull(),
    createdBy: integer(),
    status: varchar({ length: 50 })
      .$type<'draft' | 'scheduled' | 'running' | 'paused' | 'completed' | 'cancelled'>()
      .notNull()
      .default('draft'),
    totalRecipients: integer().notNull().default(0),
    successfulSends: integer().notNull().default(0),
    failedSends: integer().notNull().default(0),
    globalVariables: jsonb().$type<Record<string, string>>(),
    /** The same template in another language, for people who speak that one, with its own values. */
    secondLanguage: varchar({ length: 10 }),
    secondVariables: jsonb().$type<Record<string, string>>(),
    /** Category of the template when the campaign was started or resumed; a change to MARKETING pauses it. */
    category: text(),
    /** Filter that selects the recipients; null for a list. */
    audience: jsonb().$type<Audience>(),
    /** Number of excluded people by reason. */
    exclusions: jsonb().$type<Record<string, number>>(),
    /** People removed by hand with their values, so that they can be put back. */
    removedRecipients: jsonb('taken_out')
      .$type<{ phone: string; variables: Record<string, string> | null }[]>()
      .notNull()
      .default([]),
    /** Declaration that the people of an uploaded list agreed to offers: where, by whom and when. */
    consentSource: text(),
    consentBy: integer(),
    consentAt: instant(),
    /** Everybody gets a magic link to this target. */
    hasLinks: boolean().notNull().default(false),
    linkRedirectUrl: text(),
    linkRedirectParams: jsonb().$type<Record<string, string>>(),
    scheduledAt: instant(),
    startedAt: instant(),
    pausedAt: instant(),
    completedAt: instant(),
    cancelledAt: instant(),
    /** Reason of an automatic pause: the provider's code or our own, and its text. */
    statusCode: text(),
    statusReason: text(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('campaigns_newest').on(t.createdAt.desc()),
    index('campaigns_due').on(t.scheduledAt).where(sql`${t.status} = 'scheduled'`),
    index('campaigns_running').on(t.id).where(sql`${t.status} = 'running'`),
    check('campaigns_status', sql`${t.status} in ('draft','scheduled','running','paused','completed','cancelled')`),
  ],
)

/** One row per recipient of a campaign; its counts are computed from these rows. */
export const templateSends = pgTable(
  'template_sends',
  {
    id: rowId(),
    campaignId: uuid()
      .notNull()
      .references(() => templateCampaigns.id, { onDelete: 'cascade' }),
    recipientPhone: varchar({ length: 20 }).notNull(),
    contactId: integer().references(() => contacts.id, { onDelete: 'set null' }),
    /** SHA-256 of the token; only the message contains the token itself. */
    magicLinkToken: text(),
    magicLinkId: integer().references(() => magicLinks.id, { onDelete: 'set null' }),
    variables: jsonb().$type<Record<string, string>>(),
    /** Language of the message, once it is claimed. */
    language: varchar({ length: 10 }),
    /** `sending` is written before the provider is called; after a crash it becomes `unknown`. */
    status: text()
      .$type<'pending' | 'sending' | 'sent' | 'delivered' | 'read' | 'failed' | 'unknown' | 'skipped' | 'cancelled'>()
      .notNull()
      .default('pending'),
    errorCode: text(),
    errorMessage: text(),
    /** The provider's id. */
    whatsappMessageId: text(),
    /** Our row of the message. */
    messageId: integer().references(() => whatsappMessages.id, { onDelete: 'set null' }),
    claimedAt: instant(),
    claimedBy: text(),
    attempts: integer().notNull().default(0),
    /** How often it was accepted and then refused by a receipt, for a reason that passes. */
    returns: integer().notNull().default(0),
    retryAt: instant(),
    sentAt: instant(),
    deliveredAt: instant(),
    readAt: instant(),
    clickedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('template_sends_once').on(t.campaignId, t.recipientPhone),
    index('template_sends_by_status').on(t.campaignId, t.status, t.id),
    index('template_sends_claimed').on(t.claimedAt).where(sql`${t.status} = 'sending'`),
    index('template_sends_of_provider').on(t.whatsappMessageId),
    index('template_sends_of_message').on(t.messageId),
    index('template_sends_of_contact').on(t.contactId),
    index('template_sends_of_phone').on(t.recipientPhone),
    index('template_sends_of_link').on(t.magicLinkId),
    check(
      'template_sends_status',
      sql`${t.status} in ('pending','sending','sent','delivered','read','failed','unknown','skipped','cancelled')`,
    ),
  ],
)

/** When the provider may be called next; shared by the workers of all processes. */
export const campaignSendRate = pgTable('campaign_send_rate', {
  id: integer().primaryKey(),
  nextAt: instant().notNull(),
  /** Divides the rate after the provider limited it; halved each minute. */
  slowdown: doublePrecision().notNull().default(1),
  slowedAt: instant(),
  /** The provider's code. */
  slowedBy: text(),
})
