import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { done, idParams, instant } from '../../lib/ids.ts'
import { uploadedFile } from '../../lib/upload.ts'
import { mayRead, mayReply } from '../access.ts'
import { buttonKinds, fixedReasons, headerFormats, templateKinds } from './template-rules.ts'
import { templateParts, unfillableReasons } from './template-values.ts'

export const templateChangeFields = ['status', 'quality', 'category', 'next-category', 'content'] as const

const line = (longest: number) => z.string().check(z.trim(), z.maxLength(longest, 'validation.textTooLong'))

/** A template as its author writes it. The rules of its parts are those of `problemsOfTemplate`. */
export const templateDraft = z.object({
  name: line(512),
  language: z.enum(['ar', 'en']),
  category: z.enum(templateKinds),
  headerFormat: z.enum(headerFormats),
  header: line(200),
  headerSample: line(2000),
  body: line(2000),
  samples: z.array(line(200)).check(z.maxLength(50)),
  footer: line(200),
  buttons: z
    .array(z.object({ type: z.enum(buttonKinds), text: line(100), value: line(2000), sample: line(200) }))
    .check(z.maxLength(20)),
})

const written = z.extend(templateDraft, { headerFormat: z._default(templateDraft.shape.headerFormat, 'TEXT') })

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
  /** Newest changes that the provider reported, and edits of the shop. */
  changes: z.array(
    z.object({
      field: z.enum(templateChangeFields),
      from: z.nullable(z.string()),
      to: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      at: instant,
    }),
  ),
  /** To edit it; null if it has parts that are not written here. */
  draft: z.nullable(templateDraft),
  /** Why it cannot be edited or deleted now; null if it can. */
  fixed: z.object({ edit: z.nullable(z.enum(fixedReasons)), delete: z.nullable(z.enum(fixedReasons)) }),
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

const writing = {
  allow: 'super',
  permissions: ['whatsapp.read', 'whatsapp.write'],
  forbidWhileImpersonating: true,
} as const
const refusals = ['NOT_CLOUD_API', 'META_REFUSED', 'TEMPLATE_FIXED'] as const

export const writeTemplate = endpoint({
  ...writing,
  method: 'POST',
  path: '/api/admin/whatsapp/templates',
  summary: 'Submit a new template for the provider’s review',
  body: written,
  returns: template,
  errors: [...refusals, 'TEMPLATE_RULES', 'TEMPLATE_EXISTS'],
})

export const editTemplate = endpoint({
  ...writing,
  method: 'PUT',
  path: '/api/admin/whatsapp/templates/{id}',
  summary: 'Replace the parts of a template, which is reviewed again; name and language stay',
  params: idParams,
  body: written,
  returns: template,
  errors: [...refusals, 'TEMPLATE_NOT_FOUND', 'TEMPLATE_RULES'],
})

export const deleteTemplate = endpoint({
  ...writing,
  method: 'DELETE',
  path: '/api/admin/whatsapp/templates/{id}',
  summary: 'Delete a template at the provider; the name of an approved one is taken for 30 days',
  params: idParams,
  returns: done,
  errors: [...refusals, 'TEMPLATE_NOT_FOUND'],
})

/** Meta's limit for pictures. */
export const SAMPLE_BYTES = 5_000_000

export const uploadTemplateSample = endpoint({
  ...writing,
  method: 'POST',
  path: '/api/admin/whatsapp/templates/sample',
  summary: 'Give the provider a picture or PDF as the sample of a heading; the handle names it in the template',
  accepts: ['multipart/form-data'],
  body: uploadedFile,
  returns: z.object({ format: z.enum(['IMAGE', 'DOCUMENT']), handle: z.string() }),
  errors: ['NOT_CLOUD_API', 'META_REFUSED', 'FILE_REFUSED', 'TOO_LARGE', 'UNAVAILABLE'],
})

export const uploadHeadingFile = endpoint({
  ...mayReply,
  method: 'POST',
  path: '/api/admin/whatsapp/templates/files',
  summary:
    'Store a picture (as JPEG) or a PDF for the heading of messages; its URL is a value of the template. Served to everybody, and deleted within some days unless a campaign has it',
  accepts: ['multipart/form-data'],
  body: uploadedFile,
  returns: z.object({ url: z.string() }),
  errors: ['FILE_REFUSED', 'TOO_LARGE', 'UNAVAILABLE'],
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
