import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { done, idParams, instant } from '../../lib/ids.ts'
import type { Lang } from '../../lib/lang.ts'
import { page, pageQuery } from '../../lib/page.ts'
import { freeText } from '../../lib/text.ts'
import { importQuery, importReport, uploadedFile } from '../../lib/upload.ts'
import { mayManage, mayRead } from '../access.ts'

/** Placeholders of canned replies, written `{name}` and filled in when the reply is chosen. */
export const placeholders = ['name', 'agent', 'order', 'date'] as const
export type Placeholder = (typeof placeholders)[number]
const braces = /\{([^{}]*)\}/g

export const placeholderNames = (text: string): string[] => [...text.matchAll(braces)].map(([, name = '']) => name)
export const hasOnlyKnown = (text: string) =>
  placeholderNames(text).every((name) => (placeholders as readonly string[]).includes(name))

/** Unknown values keep their placeholder, so that the person can fill them in. */
export const fillIn = (text: string, values: Partial<Record<Placeholder, string | null>>): string =>
  text.replace(braces, (whole, name: string) => values[name as Placeholder] || whole)

/** A reply has the text of one language or of both; the others are empty. */
export const cannedReply = z.object({
  id: z.number(),
  shortcut: z.string(),
  title: z.string(),
  titleAr: z.string(),
  body: z.string(),
  bodyAr: z.string(),
  isActive: z.boolean(),
  updatedAt: instant,
})
export type CannedReply = z.output<typeof cannedReply>

/** The text in this language, else in the other one. */
export function cannedText(
  { body, bodyAr }: Pick<CannedReply, 'body' | 'bodyAr'>,
  to: Lang,
): { text: string; in: Lang } {
  const isArabic = to === 'ar' ? bodyAr !== '' : body === ''
  return isArabic ? { text: bodyAr, in: 'ar' } : { text: body, in: 'en' }
}

const line = freeText(80).check(z.refine((text) => !text.includes('\n'), 'validation.text'))
const words = freeText(1024).check(z.refine(hasOnlyKnown, 'validation.placeholder'))
export const cannedFields = {
  /** Text typed after `/`. */
  shortcut: z.string('validation.required').check(
    z.overwrite((text: string) => text.trim().replace(/^\//, '').toLowerCase()),
    z.minLength(1, 'validation.required'),
    z.maxLength(24, 'validation.textTooLong'),
    z.regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u, 'validation.shortcut'),
  ),
  title: line,
  titleAr: line,
  body: words,
  bodyAr: words,
  isActive: z.boolean(),
}
const hasText = ({ body, bodyAr }: { body?: string | undefined; bodyAr?: string | undefined }) =>
  body !== '' || bodyAr !== ''
const textNeeded = { path: ['bodyAr'], message: 'validation.required' }

export const listCannedReplies = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/canned-replies',
  ...mayRead,
  summary: 'Canned replies, by shortcut',
  query: pageQuery,
  returns: page(cannedReply),
})

export const createCannedReply = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/canned-replies',
  ...mayManage,
  summary: 'Create a canned reply',
  body: z.object({ ...cannedFields, isActive: z._default(z.boolean(), true) }).check(z.refine(hasText, textNeeded)),
  returns: cannedReply,
  errors: ['SHORTCUT_TAKEN'],
})

export const changeCannedReply = endpoint({
  method: 'PATCH',
  path: '/api/admin/whatsapp/canned-replies/{id}',
  ...mayManage,
  summary: 'Change a canned reply',
  params: idParams,
  body: z.partial(z.object(cannedFields)).check(z.refine(hasText, textNeeded)),
  returns: cannedReply,
  errors: ['CANNED_REPLY_NOT_FOUND', 'SHORTCUT_TAKEN'],
})

export const deleteCannedReply = endpoint({
  method: 'DELETE',
  path: '/api/admin/whatsapp/canned-replies/{id}',
  ...mayManage,
  summary: 'Delete a canned reply',
  params: idParams,
  returns: done,
  errors: ['CANNED_REPLY_NOT_FOUND'],
})

export const CANNED_FILE_BYTES = 500_000
export const CANNED_ROWS = 100
/** Columns of a file; only the shortcut is required. */
export const cannedColumns = ['shortcut', 'bodyAr', 'body', 'titleAr', 'title'] as const
export type CannedColumn = (typeof cannedColumns)[number]

const cannedImportResult = z.extend(importReport, {
  created: z.number(),
  /** Known shortcuts whose reply gets another text. A blank cell changes nothing. */
  updated: z.number(),
  unchanged: z.number(),
  failedRows: z.number(),
})
export type CannedImportResult = z.output<typeof cannedImportResult>

export const importCannedReplies = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/canned-replies/import',
  ...mayManage,
  summary: 'Import canned replies: a form with a `file` (.csv or .xlsx) of shortcuts with an Arabic or an English text',
  query: importQuery,
  accepts: ['multipart/form-data'],
  body: uploadedFile,
  returns: cannedImportResult,
  errors: ['BULK_REFUSED'],
})
