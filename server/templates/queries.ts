import type { Template } from '@qatra/contract/whatsapp-templates'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { whatsappTemplates as templates } from './tables.ts'
import { type FillableTemplate, isFillable, partsOf, readTemplate } from './words.ts'

export const APPROVED = 'APPROVED'
/** Queue that fetches all templates of the provider. */
export const SYNCING = 'sync-templates'
type Row = typeof templates.$inferSelect

/** Names of a body's placeholders that would be taken for another part. */
const reserved = /^(?:header|button\d*|code)$/

/** Keys under which a campaign stores the values of the placeholders. */
export function keysOf({ shown }: FillableTemplate): string[] {
  let buttons = 0
  return shown.variables.map(({ part, label }) => {
    if (part === 'body') return reserved.test(label) ? `body_${label}` : label
    if (part === 'code') return 'code'
    if (part !== 'button') return 'header'
    buttons += 1
    return buttons === 1 ? 'button' : `button${buttons}`
  })
}

function describe(row: Row): Template {
  const read = readTemplate(row)
  const fillable = isFillable(read) ? read : null
  const keys = fillable ? keysOf(fillable) : []
  const { headerText, bodyText, footer, buttons } = partsOf(row)
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    isSelectable: row.status === APPROVED && fillable !== null,
    unfillable: isFillable(read) ? null : read,
    quality: row.quality,
    rejectedReason: row.rejectedReason,
    header: headerText || null,
    body: bodyText,
    footer: footer || null,
    buttons: buttons.map(({ type, text, url }) => ({ type, text, url: url || null })),
    variables: (fillable?.shown.variables ?? []).map((variable, at) => ({ key: keys[at] ?? '', ...variable })),
    syncedAt: row.syncedAt?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  }
}

export async function listTemplates({ db }: { db: Db }): Promise<Template[]> {
  const rows = await db
    .select()
    .from(templates)
    .orderBy(sql`(${templates.status} <> ${APPROVED})`, templates.name, templates.language)
  const all = rows.map(describe)
  return [...all.filter((one) => one.isSelectable), ...all.filter((one) => !one.isSelectable)]
}

/** Null if it does not exist, is not approved or cannot be filled in by hand. */
export async function findSendable(
  { db }: { db: Db },
  name: string,
  language: string,
): Promise<FillableTemplate | null> {
  const [row] = await db
    .select()
    .from(templates)
    .where(and(eq(templates.name, name), eq(templates.language, language), eq(templates.status, APPROVED)))
  const read = row ? readTemplate(row) : null
  return read !== null && isFillable(read) ? read : null
}
