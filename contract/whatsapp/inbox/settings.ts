import * as z from 'zod/mini'
import { timeInput } from '../../calendar/dates.ts'
import { endpoint } from '../../endpoint.ts'
import { rowIdNumber } from '../../lib/ids.ts'
import { freeText } from '../../lib/text.ts'
import { mayManage } from '../access.ts'
import { label } from './work.ts'

/** Key of these settings, as JSON; no fact of the company has one without a dot. */
export const INBOX_SETTINGS = 'inbox'

export const MOST_WAIT_MINUTES = 720
export const MOST_RULES = 30
const MOST_VALUES = 50
export const LONGEST_CLOSED_TEXT = 300

export const ruleSubjects = ['vendor', 'area', 'label', 'all'] as const

const ids = z.array(rowIdNumber).check(z.maxLength(MOST_VALUES))
const rule = z.object({
  by: z.enum(ruleSubjects),
  /** Vendors or areas. */
  ids,
  labels: z.array(label).check(z.maxLength(MOST_VALUES)),
  /** Who gets the conversation, in turn. */
  people: ids.check(z.minLength(1, 'validation.required')),
})
export type AnsweringRule = z.output<typeof rule>

const closedText = freeText(LONGEST_CLOSED_TEXT)

const fields = {
  /** A customer who has waited this long is late, and a person who was not seen for this long is gone. */
  waitMinutes: z
    .int('validation.number')
    .check(z.gte(1, 'validation.number'), z.lte(MOST_WAIT_MINUTES, 'validation.number')),
  /** The first that fits, with somebody on duty, decides who gets a conversation that waits for a person. */
  rules: z.array(rule).check(z.maxLength(MOST_RULES)),
  /** By weekday, from Sunday; null: closed. Seven times null: not entered. Closing at or before opening is the next day. */
  hours: z.array(z.nullable(z.object({ opensAt: timeInput, closesAt: timeInput }))).check(z.length(7)),
  /** Said while the office is closed, before the time at which it answers; blank: the usual words. */
  closedText,
  closedTextAr: closedText,
  /** Asks customers after “done” whether they are content. */
  asksRating: z.boolean(),
}

const answered = z.object({
  ...fields,
  hours: z.array(z.nullable(z.object({ opensAt: z.string(), closesAt: z.string() }))),
  closedText: z.string(),
  closedTextAr: z.string(),
})
export type InboxSettings = z.output<typeof answered>

const defaults: InboxSettings = {
  waitMinutes: 10,
  rules: [],
  hours: Array.from({ length: 7 }, () => null),
  closedText: '',
  closedTextAr: '',
  asksRating: false,
}

/** Those stored, with defaults for what an earlier version did not have. */
export const inboxSettingsIn = (stored: ReadonlyMap<string, string>): InboxSettings => ({
  ...defaults,
  ...(JSON.parse(stored.get(INBOX_SETTINGS) ?? '{}') as Partial<InboxSettings>), // as written by saveInboxSettings
})

/** Whether a customer who waits since then has waited too long. */
export const isLate = (since: string, now: Date, { waitMinutes }: Pick<InboxSettings, 'waitMinutes'>): boolean =>
  now.getTime() - Date.parse(since) >= waitMinutes * 60_000

const access = { path: '/api/admin/whatsapp/inbox-settings', ...mayManage } as const
const versioned = z.extend(answered, { version: z.number() })

export const getInboxSettings = endpoint({
  ...access,
  method: 'GET',
  summary: 'How the office answers: limit of waiting, who answers whom, hours, question after “done”',
  returns: versioned,
})

export const saveInboxSettings = endpoint({
  ...access,
  method: 'PUT',
  summary: 'Replace the settings of the inbox',
  body: z.object({ ...fields, version: z.optional(z.int().check(z.gte(0))) }),
  returns: versioned,
  errors: ['VERSION_CONFLICT'],
})
