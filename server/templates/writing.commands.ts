import type { Parsed } from '@qatra/contract/endpoint'
import { componentsOf, problemsOfTemplate, type TemplateDraft } from '@qatra/contract/whatsapp/templates/template-rules'
import type { editTemplate, Template } from '@qatra/contract/whatsapp/templates/templates'
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { emit, enqueue } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { providerSettings } from '../providers/settings.ts'
import type { Asked } from '../providers/whatsapp-cloud/asked.ts'
import { isExisting } from './provider-template.ts'
import { saveSubmittedTemplate } from './commands.ts'
import { resubmitTemplate, submitTemplate, withdrawTemplate } from './provider.queries.ts'
import { isNeeded, listTemplates } from './queries.ts'
import { whatsappTemplateChanges as changes, whatsappTemplates as templates } from './tables.ts'

/** The review of most templates; a webhook that came before its template was stored is made up for then. */
const SYNC_AFTER_SECONDS = 60

/** @throws NOT_CLOUD_API */
export function requireAccount({ config }: App): void {
  const { simulator, whatsapp } = config
  const isCloud = simulator || whatsapp.provider === 'cloud'
  if (!isCloud || providerSettings(config).whatsapp.businessAccountId === null) throw new AppError('NOT_CLOUD_API')
}

function requireRules(draft: TemplateDraft): void {
  const problems = problemsOfTemplate(draft)
  if (Object.keys(problems).length > 0) throw new AppError('TEMPLATE_RULES', { problems })
}

/** @throws META_REFUSED with Meta's words, or null if it did not answer, so that the outcome is unknown */
export function answered<T>(asked: Asked<T>): T {
  if (asked.kind === 'answered') return asked.value
  throw new AppError('META_REFUSED', { reason: asked.kind === 'refused' ? asked.text : null })
}

async function requireTemplate(app: App, ctx: Pick<Ctx, 'db' | 'now'>, id: number): Promise<Template> {
  const found = (await listTemplates(ctx, app.config)).find((one) => one.id === id)
  if (!found) throw new AppError('TEMPLATE_NOT_FOUND')
  return found
}

async function findNamed(app: App, ctx: Ctx, { name, language }: Pick<TemplateDraft, 'name' | 'language'>) {
  return (await listTemplates(ctx, app.config)).find((one) => one.name === name && one.language === language)
}

const titleOf = ({ name, language }: Pick<Template, 'name' | 'language'>) => `${name} ${language}`

/** Of two submissions at once Meta refuses one. */
export async function writeTemplate(app: App, ctx: Ctx, draft: TemplateDraft): Promise<Template> {
  requireAccount(app)
  requireRules(draft)
  if (isNeeded(app.config, draft.name)) throw new AppError('TEMPLATE_FIXED', { reason: 'needed' })
  const known = await findNamed(app, ctx, draft)
  if (known && known.status !== 'DELETED') throw new AppError('TEMPLATE_EXISTS')
  const { name, language } = draft
  const components = componentsOf(draft)
  const asked = await submitTemplate(app, { name, language, category: draft.category, components })
  if (isExisting(asked)) throw new AppError('TEMPLATE_EXISTS')
  const { id: providerId, status, category } = answered(asked)
  await inTransaction(app.pool, async (db) => {
    const inside = { ...ctx, db }
    await saveSubmittedTemplate(inside, { providerId, name, language, category, status, components })
    await record(app, inside, 'created', draft)
  })
  const made = await findNamed(app, ctx, draft)
  if (!made) throw new Error('It was stored')
  return made
}

/** Name and language stay, and the kind of an approved template. @throws TEMPLATE_FIXED, TEMPLATE_NOT_FOUND */
export async function rewriteTemplate(
  app: App,
  ctx: Ctx,
  { params: { id }, body }: Pick<Parsed<typeof editTemplate>, 'params' | 'body'>,
): Promise<Template> {
  requireAccount(app)
  const before = await requireTemplate(app, ctx, id)
  const reason = before.fixed.edit
  if (reason !== null || !before.draft) throw new AppError('TEMPLATE_FIXED', { reason: reason ?? 'parts' })
  const { name, language, category } = before.draft
  const draft = { ...body, name, language, ...(before.status === 'APPROVED' ? { category } : {}) }
  requireRules(draft)
  const components = componentsOf(draft)
  const changed = draft.category === category ? {} : { category: draft.category }
  const providerId = await requireProviderId(ctx, id)
  answered(await resubmitTemplate(app, { providerId, components, ...changed }))
  await inTransaction(app.pool, async (db) => {
    await db
      .update(templates)
      .set({ components, category: draft.category, status: 'PENDING', rejectedReason: null, updatedAt: sql`now()` })
      .where(eq(templates.id, id))
    await db.insert(changes).values({ templateId: id, field: 'content', from: null, to: null, at: ctx.now })
    await record(app, { ...ctx, db }, 'updated', draft)
  })
  return requireTemplate(app, ctx, id)
}

/** @throws TEMPLATE_FIXED, TEMPLATE_NOT_FOUND */
export async function removeTemplate(app: App, ctx: Ctx, id: number): Promise<{ success: true }> {
  requireAccount(app)
  const before = await requireTemplate(app, ctx, id)
  if (before.fixed.delete !== null) throw new AppError('TEMPLATE_FIXED', { reason: before.fixed.delete })
  const { name } = before
  answered(await withdrawTemplate(app, { providerId: await requireProviderId(ctx, id), name }))
  await inTransaction(app.pool, async (db) => {
    const gone = { status: 'DELETED', syncedAt: null, updatedAt: sql`now()` }
    await db.update(templates).set(gone).where(eq(templates.id, id))
    await record(app, { ...ctx, db }, 'deleted', before)
  })
  return { success: true }
}

async function requireProviderId({ db }: Pick<Ctx, 'db'>, id: number): Promise<string> {
  const [row] = await db.select({ providerId: templates.providerId }).from(templates).where(eq(templates.id, id))
  if (!row?.providerId) throw new AppError('TEMPLATE_FIXED', { reason: 'status' })
  return row.providerId
}

async function record(
  app: App,
  ctx: Ctx,
  action: 'created' | 'updated' | 'deleted',
  template: Pick<Template, 'name' | 'language' | 'body'>,
): Promise<void> {
  const [from, to] = action === 'deleted' ? [template.body, null] : [null, template.body]
  await emit(ctx, {
    name: `template.${action}`,
    action,
    resource: 'template',
    id: titleOf(template),
    changes: [{ field: 'body', from, to }],
  })
  if (!app.config.simulator && action !== 'deleted') await enqueue(ctx, 'sync-templates', {}, SYNC_AFTER_SECONDS)
}
