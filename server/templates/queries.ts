import type { Template } from '@qatra/contract/whatsapp-templates'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { whatsappTemplates as templates } from './tables.ts'
import { type FillableTemplate, readTemplate, textOf } from './words.ts'

export const APPROVED = 'APPROVED'
type Row = typeof templates.$inferSelect

/** Keys under which a campaign stores the values of the placeholders. */
export function keysOf({ shown }: FillableTemplate): string[] {
  let buttons = 0
  return shown.variables.map(({ part, label }) => {
    if (part === 'body') return label
    if (part === 'header') return 'header'
    buttons += 1
    return buttons === 1 ? 'button' : `button${buttons}`
  })
}

function describe(row: Row): Template {
  const read = readTemplate(row)
  const keys = read ? keysOf(read) : []
  const part = (type: string) => row.components.find((one) => textOf(one.type).toUpperCase() === type)
  const buttons = part('BUTTONS')?.buttons
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    isSelectable: row.status === APPROVED && read !== null,
    quality: row.quality,
    rejectedReason: row.rejectedReason,
    header: textOf(part('HEADER')?.text) || null,
    body: textOf(part('BODY')?.text),
    footer: textOf(part('FOOTER')?.text) || null,
    buttons: (Array.isArray(buttons) ? (buttons as Record<string, unknown>[]) : []).map((button) => ({
      type: textOf(button.type),
      text: textOf(button.text),
      url: textOf(button.url) || null,
    })),
    variables: (read?.shown.variables ?? []).map((variable, at) => ({ key: keys[at] ?? '', ...variable })),
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
  return row ? readTemplate(row) : null
}
