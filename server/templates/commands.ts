import type { Output } from '@qatra/contract/endpoint'
import type { syncTemplates as sync } from '@qatra/contract/whatsapp/templates/templates'
import { and, eq, gt, or, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import type { TemplateNews } from '../webhooks/parse-template.ts'
import { askProvider } from './provider.queries.ts'
import type { ProviderTemplate } from './provider-template.ts'
import { APPROVED } from './queries.ts'
import { whatsappTemplateChanges as changes, whatsappTemplates as templates } from './tables.ts'

const saveListedSql = statement(
  'templates-put',
  `with listed as (
     select * from json_to_recordset($1::json) as n ("providerId" text, name text, language text, category text,
       status text, components jsonb, quality text, "rejectedReason" text)
   ), before as (select name, language, status, category, components from whatsapp_templates),
   put as (
     insert into whatsapp_templates as t
       (provider_id, name, language, category, status, components, quality, rejected_reason, synced_at)
     select "providerId", name, language, category, status, components, quality, "rejectedReason", now() from listed
     -- A status that arrived after the list was asked for is newer than the list.
     on conflict (name, language) do update set provider_id = excluded.provider_id, category = excluded.category,
       next_category = case when t.category = excluded.category then t.next_category end,
       status = excluded.status, components = excluded.components, quality = excluded.quality,
       rejected_reason = excluded.rejected_reason, synced_at = now(),
       updated_at = case when (t.status, t.category, t.components) is distinct from
         (excluded.status, excluded.category, excluded.components) then now() else t.updated_at end
       where t.updated_at <= $2
     returning name, language, status, category, components
   ), gone as (
     update whatsapp_templates t set status = 'DELETED', synced_at = null, updated_at = now()
     where t.status <> 'DELETED' and t.updated_at <= $2
       and not exists (select from listed where (listed.name, listed.language) = (t.name, t.language))
     returning id
   )
   select
     (select count(*)::int from put p where not exists
       (select from before b where (b.name, b.language) = (p.name, p.language))) as added,
     (select count(*)::int from put p join before b using (name, language)
       where (p.status, p.category, p.components) is distinct from (b.status, b.category, b.components)) as changed,
     (select count(*)::int from gone) as removed,
     (select count(*)::int from put) as total, now() as at`,
)

/** @param askedAt database time before the provider was asked */
async function saveListed(db: Db, listed: readonly ProviderTemplate[], askedAt: Date) {
  // If a template is listed twice, the last entry wins.
  const once = new Map(listed.map((one) => [`${one.name} ${one.language}`, one]))
  const [row] = await run<{ added: number; changed: number; removed: number; total: number; at: Date }>(
    db,
    saveListedSql,
    [JSON.stringify([...once.values()]), askedAt],
  )
  if (!row) throw new Error('The statement answers its counts')
  const { at, ...counts } = row
  return { ...counts, syncedAt: at.toISOString() }
}

const nowSql = statement('templates-now', 'select now() as at')

/** The provider's list with the database time before it was asked; null if the list is incomplete. */
export async function readProviderTemplates(
  app: App,
): Promise<{ listed: readonly ProviderTemplate[]; askedAt: Date } | null> {
  const [row] = await run<{ at: Date }>(app.db, nowSql)
  const listed = await askProvider(app)
  return row && listed ? { listed, askedAt: row.at } : null
}
type Answer = Awaited<ReturnType<typeof readProviderTemplates>>

/** @throws TEMPLATES_NOT_SYNCED if the provider did not return all of them */
export async function storeTemplates(ctx: Ctx, answer: Answer): Promise<Output<typeof sync>> {
  if (answer === null) throw new AppError('TEMPLATES_NOT_SYNCED')
  const counts = await saveListed(ctx.db, answer.listed, answer.askedAt)
  const { added, changed, removed } = counts
  await emit(ctx, {
    name: 'templates.synced',
    action: 'synced',
    resource: 'template',
    id: 'all',
    changes: [{ field: 'templates', from: null, to: { added, changed, removed } }],
  })
  return counts
}

/** Stores the templates without a person's request: at the start of a simulator, and on schedule. */
export async function refreshTemplates(app: App): Promise<void> {
  const answer = await readProviderTemplates(app)
  if (answer === null) throw new Error('The provider did not list its templates')
  await saveListed(app.db, answer.listed, answer.askedAt)
}

/** Inserts a template that was just submitted, or the provider's answer about an existing one. */
export async function saveSubmittedTemplate(
  { db }: { db: Db },
  template: Omit<ProviderTemplate, 'quality' | 'rejectedReason'>,
) {
  const { providerId, name, language, category, status, components } = template
  const columns = {
    providerId,
    category,
    status,
    components,
    rejectedReason: null,
    syncedAt: sql`now()`,
    updatedAt: sql`now()`,
  }
  await db
    .insert(templates)
    .values({ name, language, ...columns })
    .onConflictDoUpdate({
      target: [templates.name, templates.language],
      set: columns,
      setWhere: eq(templates.status, 'DELETED'),
    })
}

export type TemplateChange = Omit<TemplateNews, 'kind'>

/** Warnings that leave the status as it is. */
const warnings: readonly string[] = ['FLAGGED', 'LOCKED']

/**
 * Stores a change that the provider reported, and applies it unless a later one of the same field is known. Unknown
 * templates are left to the next synchronisation.
 */
export async function applyTemplateChange({ db }: { db: Db }, change: TemplateChange): Promise<void> {
  const { providerId, name, language, field, to, reason, at } = change
  const named = and(eq(templates.name, name), eq(templates.language, language))
  const [template] = await db
    .select()
    .from(templates)
    .where(providerId === null ? named : or(eq(templates.providerId, providerId), named))
    .orderBy(sql`${templates.providerId} is not distinct from ${providerId} desc`)
    .limit(1)
    .for('update')
  if (!template) return
  const { id: templateId } = template
  const before = { status: template.status, quality: template.quality, category: template.category }
  const from = field === 'next-category' ? template.category : before[field]
  await db.insert(changes).values({ templateId, field, from, to, reason, at }).onConflictDoNothing()
  const later = and(eq(changes.templateId, templateId), eq(changes.field, field), gt(changes.at, at))
  if ((await db.select({ id: changes.id }).from(changes).where(later).limit(1)).length > 0) return
  if (field === 'status' && warnings.includes(to)) return
  await db
    .update(templates)
    .set({ ...valuesOf(change), updatedAt: sql`now()` })
    .where(eq(templates.id, templateId))
}

function valuesOf({ field, to, reason }: TemplateChange): Partial<typeof templates.$inferInsert> {
  if (field === 'status') return { status: to, rejectedReason: to === APPROVED ? null : reason }
  if (field === 'quality') return { quality: to }
  return field === 'category' ? { category: to, nextCategory: null } : { nextCategory: to }
}
