import { whatsappKeys as names } from '@qatra/contract/whatsapp/connection/setup'
import { sql } from 'drizzle-orm'
import type { Config } from '../config/config.ts'
import { takeLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { emit, enqueue } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { type KeyChanges, writeKeys } from '../providers/whatsapp-cloud/keys.commands.ts'
import { isExisting, type Submitted } from '../templates/provider-template.ts'
import { saveSubmittedTemplate } from '../templates/commands.ts'
import type { Asked } from '../providers/whatsapp-cloud/asked.ts'
import type { AccountFacts } from './account-facts.ts'
import { fingerprintOf, listNeeded, neededBy, readAccountCheck, usesCloudApi } from './queries.ts'
import { hasAnswered, mergeFacts } from './rules.ts'
import { whatsappAccount } from './tables.ts'

/** A submission that waits longer than this was lost, for example with a restored database. */
const LOST_MINUTES = 15

export function requireCloudApi(config: Pick<Config, 'simulator' | 'whatsapp'>): void {
  if (!usesCloudApi(config)) throw new AppError('NOT_CLOUD_API')
}

/** Stores Meta's answers; where Meta was silent, the earlier answer stays. Needs a transaction. */
export async function storeFacts({ db }: { db: Db }, config: Config, found: AccountFacts): Promise<void> {
  await takeLock(db, 'whatsapp-account')
  const before = await readAccountCheck(db, config)
  const row = {
    settings: fingerprintOf(config),
    facts: mergeFacts(before?.facts ?? null, found),
    checkedAt: sql`now()`,
    answeredAt: hasAnswered(found) ? sql`now()` : (before?.answeredAt ?? null),
  }
  await db
    .insert(whatsappAccount)
    .values({ id: 1, ...row })
    .onConflictDoUpdate({ target: whatsappAccount.id, set: row })
}

/** Stores keys sealed, or removes them. The history says which, never a value. */
export async function storeKeys(ctx: Ctx, secret: Buffer, keys: KeyChanges): Promise<void> {
  await writeKeys(ctx.db, secret, keys, userOf(ctx).id)
  const named = (isRemoved: boolean) => {
    const found = names.filter((name) => keys[name] !== undefined && (keys[name] === null) === isRemoved)
    return found.length === 0 ? null : found
  }
  await emit(ctx, {
    name: 'whatsapp.keys-changed',
    action: 'updated',
    resource: 'connection',
    id: 'keys',
    changes: [{ field: 'keys', from: named(true), to: named(false) }],
  })
}

/** @throws META_REFUSED with Meta's words */
export async function recordSubscription(ctx: Ctx, answers: readonly Asked<unknown>[]): Promise<void> {
  const refused = answers.find(({ kind }) => kind === 'refused')
  if (refused?.kind === 'refused') throw new AppError('META_REFUSED', { reason: refused.text })
  if (answers.some(({ kind }) => kind === 'silent')) throw new AppError('META_REFUSED', { reason: null })
  await emit(ctx, { name: 'whatsapp.subscribed', action: 'subscribed', resource: 'connection', id: 'webhook' })
}

const claimSql = statement(
  'template-submission-claim',
  `insert into template_submissions as s (name, language)
   select name, language from json_to_recordset($1::json) as n (name text, language text)
   on conflict (name, language) do update set state = 'waiting', error = null, asked_at = now(), updated_at = now()
     where s.state <> 'waiting' or s.asked_at < now() - ${LOST_MINUTES} * interval '1 minute'
   returning name, language`,
)

/** Enqueues the needed templates that the account does not have. Of two presses at once the second finds none. */
export async function submitMissing(ctx: Ctx, config: Config): Promise<number> {
  const missing = (await listNeeded(ctx.db, config)).filter(({ status }) => status === null)
  const claimed = await run<{ name: string; language: string }>(ctx.db, claimSql, [JSON.stringify(missing)])
  for (const one of claimed) await enqueue(ctx, 'submit-template', one)
  if (claimed.length > 0) {
    await emit(ctx, {
      name: 'templates.submitted',
      action: 'submitted',
      resource: 'template',
      id: 'needed',
      changes: [{ field: 'templates', from: null, to: claimed.map(({ name, language }) => `${name} ${language}`) }],
    })
  }
  return claimed.length
}

interface Submission {
  name: string
  language: string
}

/** The template to submit; null if the account has it by now or nobody waits for it. */
export async function templateToSubmit({ db }: { db: Db }, config: Config, { name, language }: Submission) {
  const one = (await listNeeded(db, config)).find((needed) => needed.name === name && needed.language === language)
  if (!one) return null
  if (one.status !== null) await settle(db, { name, language }, 'done', null)
  if (one.status !== null || one.submission !== 'waiting') return null
  return neededBy(config).find((needed) => needed.name === name && needed.language === language) ?? null
}

/**
 * Stores Meta's answer about a template, and returns whether no other one waits. Meta's own rule, one per name and
 * language, makes a repetition harmless.
 */
export async function saveSubmission(
  ctx: JobContext,
  template: NonNullable<Awaited<ReturnType<typeof templateToSubmit>>>,
  answer: Asked<Submitted>,
): Promise<boolean> {
  const { name, language, components } = template
  if (answer.kind === 'answered') {
    const { id: providerId, status, category } = answer.value
    await saveSubmittedTemplate(ctx, { providerId, name, language, category, status, components })
    await settle(ctx.db, template, 'done', null)
  } else if (answer.kind === 'refused' && isExisting(answer)) {
    await saveSubmittedTemplate(ctx, { ...template, providerId: null, status: 'PENDING' })
    await settle(ctx.db, template, 'done', null)
  } else {
    await settle(ctx.db, template, 'failed', answer.kind === 'refused' ? answer.text : null)
  }
  const [left] = await run<{ count: number }>(ctx.db, leftSql)
  return left?.count === 0
}

const leftSql = statement(
  'template-submissions-left',
  `select count(*)::int as count from template_submissions where state = 'waiting'`,
)
const settleSql = statement(
  'template-submission-settle',
  `update template_submissions set state = $3, error = $4, updated_at = now() where name = $1 and language = $2`,
)
const settle = (db: Db, { name, language }: Submission, state: 'done' | 'failed', error: string | null) =>
  run(db, settleSql, [name, language, state, error])
