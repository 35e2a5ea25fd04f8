import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { instant } from '../../lib/ids.ts'
import { mayRead } from '../access.ts'
import { templateParts, unfillableReasons } from './template-values.ts'

export const templateChangeFields = ['status', 'quality', 'category', 'next-category'] as const

export const template = z.object({
  id: z.number(),
  name: z.string(),
  language: z.string(),
  /** MARKETING, UTILITY or AUTHENTICATION */
  category: z.string(),
  /** Category that the provider announced for the coming day. */
  nextCategory: z.nullable(z.string()),
  /** Status from the provider: APPROVED, PENDING, REJECTED, PAUSED, DISABLED …; DELETED if it is no longer listed. */
  status: z.string(),
  /** Approved, and without parts that cannot be filled in here. */
  isSelectable: z.boolean(),
  /** Why it cannot be filled in here, whatever its status. */
  unfillable: z.nullable(z.enum(unfillableReasons)),
  quality: z.nullable(z.string()),
  rejectedReason: z.nullable(z.string()),
  header: z.nullable(z.string()),
  /** With {{1}}, {{2}} … */
  body: z.string(),
  footer: z.nullable(z.string()),
  buttons: z.array(z.object({ type: z.string(), text: z.string(), url: z.nullable(z.string()) })),
  /**
   * Variables by the keys that campaigns use: `1`, `2` … or names for the body, `header` for its text or file, `button`,
   * `code`.
   */
  variables: z.array(
    z.object({
      key: z.string(),
      part: z.enum(templateParts),
      label: z.string(),
      example: z.nullable(z.string()),
    }),
  ),
  /** Newest changes that the provider reported. */
  changes: z.array(
    z.object({
      field: z.enum(templateChangeFields),
      from: z.nullable(z.string()),
      to: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      at: instant,
    }),
  ),
  syncedAt: z.nullable(instant),
  updatedAt: instant,
})
export type Template = z.output<typeof template>

export const listTemplates = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/templates',
  allow: 'super',
  permissions: ['whatsapp.read', 'whatsapp.write'],
  summary: 'Templates as last fetched from the provider; sendable ones first',
  returns: z.array(template),
})

export const syncTemplates = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/templates/sync',
  allow: 'super',
  permissions: ['whatsapp.read', 'whatsapp.write'],
  summary: 'Fetch the templates from the provider',
  returns: z.object({
    added: z.number(),
    changed: z.number(),
    /** Templates that the provider no longer lists. */
    removed: z.number(),
    total: z.number(),
    syncedAt: instant,
  }),
  errors: ['TEMPLATES_NOT_SYNCED'],
})

export const replyTemplate = z.object({
  name: z.string(),
  language: z.string(),
  category: z.string(),
  header: z.nullable(z.string()),
  /** With {{1}}, {{2}} … */
  body: z.string(),
  footer: z.nullable(z.string()),
  buttons: z.array(z.string()),
  /** Variables in sending order: body, header, then buttons. `label` is the placeholder, or the title of a button. */
  variables: z.array(z.object({ part: z.enum(templateParts), label: z.string(), example: z.nullable(z.string()) })),
})
export type ReplyTemplate = z.output<typeof replyTemplate>

export const listReplyTemplates = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/reply-templates',
  ...mayRead,
  summary: 'Approved templates that staff can fill in and send',
  returns: z.array(replyTemplate),
})
