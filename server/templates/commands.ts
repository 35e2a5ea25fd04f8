import type { Output } from '@qatra/contract/endpoint'
import type { syncTemplates as sync } from '@qatra/contract/whatsapp-templates'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { askProvider } from './provider.queries.ts'
import type { ProviderTemplate } from './provider-template.ts'

const putSql = statement(
  'templates-put',
  `with listed as (
     select * from json_to_recordset($1::json) as n ("providerId" text, name text, language text, category text,
       status text, components jsonb, quality text, "rejectedReason" text)
   ), before as (select name, language, status, category, components from whatsapp_templates),
   put as (
     insert into whatsapp_templates as t
       (provider_id, name, language, category, status, components, quality, rejected_reason, synced_at)
     select "providerId", name, language, category, status, components, quality, "rejectedReason", now() from listed
     on conflict (name, language) do update set provider_id = excluded.provider_id, category = excluded.category,
       status = excluded.status, components = excluded.components, quality = excluded.quality,
       rejected_reason = excluded.rejected_reason, synced_at = now(),
       updated_at = case when (t.status, t.category, t.components) is distinct from
         (excluded.status, excluded.category, excluded.components) then now() else t.updated_at end
     returning name, language, status, category, components
   ), gone as (
     update whatsapp_templates t set status = 'DELETED', synced_at = null, updated_at = now()
     where t.status <> 'DELETED'
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

async function put(db: Db, listed: readonly ProviderTemplate[]) {
  // If a template is listed twice, the last entry wins.
  const once = new Map(listed.map((one) => [`${one.name} ${one.language}`, one]))
  const [row] = await run<{ added: number; changed: number; removed: number; total: number; at: Date }>(db, putSql, [
    JSON.stringify([...once.values()]),
  ])
  if (!row) throw new Error('The statement answers its counts')
  const { at, ...counts } = row
  return { ...counts, syncedAt: at.toISOString() }
}

/** @throws TEMPLATES_NOT_SYNCED if the provider did not return all of them */
export async function storeTemplates(
  ctx: Ctx,
  listed: readonly ProviderTemplate[] | null,
): Promise<Output<typeof sync>> {
  if (listed === null) throw new AppError('TEMPLATES_NOT_SYNCED')
  const counts = await put(ctx.db, listed)
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

/** Stores the simulated account's templates without a synchronisation. */
export async function offerTemplates(app: App): Promise<void> {
  if (app.config.simulator) await put(app.db, (await askProvider(app)) ?? [])
}

const moveSql = statement(
  'template-move',
  `update whatsapp_templates set status = $3, rejected_reason = $4, updated_at = now()
   where name = $1 and language = $2`,
)

/** Updates the status of one template from a webhook. Unknown templates are left to the next synchronisation. */
export async function noteStatus(
  { db }: { db: Db },
  { name, language, status, reason }: { name: string; language: string; status: string; reason: string | null },
): Promise<void> {
  const rejectedReason = reason === null || reason.toUpperCase() === 'NONE' ? null : reason
  await run(db, moveSql, [name, language, status.toUpperCase(), rejectedReason])
}
