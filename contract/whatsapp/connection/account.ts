import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { instant } from '../../lib/ids.ts'

export const accountSeverities = ['info', 'warning', 'critical'] as const
export type AccountSeverity = (typeof accountSeverities)[number]

export const accountNotice = z.object({
  id: z.number(),
  /** Field and event in the provider's names. */
  field: z.string(),
  event: z.string(),
  severity: z.enum(accountSeverities),
  /** The provider's words. */
  text: z.nullable(z.string()),
  tier: z.nullable(z.string()),
  at: instant,
})
export type AccountNotice = z.output<typeof accountNotice>

export const getAccount = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/account',
  allow: 'super',
  permissions: ['whatsapp.connect'],
  summary: 'Quality and messaging limit of the number, and what the provider reported about the account',
  returns: z.object({
    /** People who can be written to in a day, as `TIER_1K` or a number; null before the provider answered or reported it. */
    tier: z.nullable(z.string()),
    /** The provider reported a low quality; null before it answered or reported anything. */
    isFlagged: z.nullable(z.boolean()),
    /** Newest first. */
    notices: z.array(accountNotice),
  }),
})
