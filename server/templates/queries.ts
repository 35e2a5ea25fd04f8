import { type FixedReason, whyNotDeleted, whyNotEdited } from '@qatra/contract/whatsapp/templates/template-rules'
import type { Template } from '@qatra/contract/whatsapp/templates/templates'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { neededTemplates } from '../order-messages/needed-templates.ts'
import { whatsappTemplates as templates, whatsappTemplateChanges } from './tables.ts'
import { draftOf, type FillableTemplate, isFillable, partsOf, readTemplate } from './words.ts'

export const APPROVED = 'APPROVED'
type Row = typeof templates.$inferSelect
type Change = typeof whatsappTemplateChanges.$inferSelect

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

type Settings = Pick<Config, 'publicUrl' | 'whatsapp'>

/** The shop sends these itself, in every language. */
export const isNeeded = ({ publicUrl, whatsapp: { codeTemplate } }: Settings, name: string): boolean =>
  neededTemplates({ publicUrl, codeTemplate }).some((one) => one.name === name)

const usedSql = statement(
  'templates-of-campaigns',
  `select template_name as name, unnest(array[language, second_language]) as language from template_campaigns
   where status in ('scheduled', 'running', 'paused')`,
)

interface Fixing {
  settings: Settings
  now: Date
  /** Those of campaigns that are planned or run. */
  used: readonly { name: string; language: string | null }[]
}

function fixedOf(row: Row, hasDraft: boolean, edits: readonly Date[], fixing: Fixing): Template['fixed'] {
  const isUsed = fixing.used.some(({ name, language }) => name === row.name && language === row.language)
  const common: FixedReason | null = isNeeded(fixing.settings, row.name) ? 'needed' : isUsed ? 'campaign' : null
  const parts = hasDraft ? null : 'parts'
  return {
    edit: common ?? whyNotEdited(row.status, edits, fixing.now) ?? parts,
    delete: common ?? whyNotDeleted(row.status),
  }
}

function describe(row: Row, changes: readonly Change[], fixing: Fixing): Template {
  const read = readTemplate(row)
  const fillable = isFillable(read) ? read : null
  const keys = fillable ? keysOf(fillable) : []
  const { headerText, bodyText, footer, buttons } = partsOf(row)
  const draft = draftOf(row)
  const edits = changes.flatMap(({ field, at }) => (field === 'content' ? [at] : []))
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    category: row.category,
    nextCategory: row.nextCategory,
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
    changes: changes.map(({ field, from, to, reason, at }) => ({ field, from, to, reason, at: at.toISOString() })),
    draft,
    fixed: fixedOf(row, draft !== null, edits, fixing),
    syncedAt: row.syncedAt?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Of all templates together. */
const SHOWN_CHANGES = 500

export async function listTemplates({ db, now }: Pick<Ctx, 'db' | 'now'>, settings: Settings): Promise<Template[]> {
  const rows = await db
    .select()
    .from(templates)
    .orderBy(sql`(${templates.status} <> ${APPROVED})`, templates.name, templates.language)
  const newest = await db
    .select()
    .from(whatsappTemplateChanges)
    .orderBy(desc(whatsappTemplateChanges.at), desc(whatsappTemplateChanges.id))
    .limit(SHOWN_CHANGES)
  const used = await run<Fixing['used'][number]>(db, usedSql)
  const all = rows.map((row) =>
    describe(
      row,
      newest.filter(({ templateId }) => templateId === row.id),
      { settings, now, used },
    ),
  )
  return [...all.filter((one) => one.isSelectable), ...all.filter((one) => !one.isSelectable)]
}

/** The provider's status and category; null if it does not exist. */
export async function findState({ db }: { db: Db }, name: string, language: string) {
  const [row] = await db
    .select({ status: templates.status, category: templates.category })
    .from(templates)
    .where(and(eq(templates.name, name), eq(templates.language, language)))
  return row ?? null
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
