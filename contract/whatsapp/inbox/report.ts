import * as z from 'zod/mini'
import { dayInput } from '../../calendar/dates.ts'
import { endpoint, tableFile } from '../../endpoint.ts'
import { langs } from '../../lib/lang.ts'
import { person } from './message.ts'

/** Of conversations in which a customer needed a person, by when the wait began. */
const figures = {
  count: z.number(),
  answered: z.number(),
  resolved: z.number(),
  /** Seconds to the first reply and to “done”: half took less. Null without any. */
  answerSeconds: z.nullable(z.number()),
  resolveSeconds: z.nullable(z.number()),
  good: z.number(),
  fair: z.number(),
  bad: z.number(),
}
const byAgent = z.object({
  /** Who replied first, else who said “done”; null: nobody yet, or the shop's own phone. */
  agent: z.nullable(person),
  ...figures,
})
export type AgentFigures = z.output<typeof byAgent>
const byHour = z.object({
  /** Of the day in Bahrain. */
  hour: z.number(),
  ...figures,
})
export type HourFigures = z.output<typeof byHour>

const access = {
  method: 'GET',
  allow: ['super_admin', 'vendor_admin'],
  permissions: ['audit.read', 'whatsapp.read'],
} as const
/** Bahrain days, both inclusive. Default: the last seven days. */
const days = { from: z.optional(dayInput), to: z.optional(dayInput) }

export const getConversationReport = endpoint({
  ...access,
  path: '/api/admin/reports/conversations',
  summary: 'First reply, resolution and satisfaction of conversations with staff, by agent and by hour',
  query: z.object(days),
  returns: z.object({ total: z.object(figures), agents: z.array(byAgent), hours: z.array(byHour) }),
})

export const exportConversationReport = endpoint({
  ...tableFile,
  ...access,
  path: '/api/admin/reports/conversations.csv',
  summary: 'The same by agent or by hour as a CSV file',
  query: z.object({ ...days, by: z._default(z.enum(['agent', 'hour']), 'agent'), lang: z.optional(z.enum(langs)) }),
})
