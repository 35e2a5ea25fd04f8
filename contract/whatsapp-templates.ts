import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instant } from './ids.ts'

export const templateParts = ['body', 'header', 'button'] as const

export const template = z.object({
  id: z.number(),
  name: z.string(),
  language: z.string(),
  /** MARKETING, UTILITY or AUTHENTICATION */
  category: z.string(),
  /** Status from the provider: APPROVED, PENDING, REJECTED, PAUSED, DISABLED …; DELETED if it is no longer listed. */
  status: z.string(),
  /** Approved, and without parts that cannot be filled in here. */
  isSelectable: z.boolean(),
  quality: z.nullable(z.string()),
  rejectedReason: z.nullable(z.string()),
  header: z.nullable(z.string()),
  /** With {{1}}, {{2}} … */
  body: z.string(),
  footer: z.nullable(z.string()),
  buttons: z.array(z.object({ type: z.string(), text: z.string(), url: z.nullable(z.string()) })),
  /** Variables by the keys that campaigns use: `1`, `2` … for the body, `header`, `button`. */
  variables: z.array(
    z.object({
      key: z.string(),
      part: z.enum(templateParts),
      label: z.string(),
      example: z.nullable(z.string()),
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
  permissions: ['whatsapp.read'],
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
