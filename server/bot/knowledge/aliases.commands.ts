import type { Parsed } from '@qatra/contract/endpoint'
import { type BotAlias, type createBotAlias, ownAnswerId } from '@qatra/contract/whatsapp/bot'
import { eq } from 'drizzle-orm'
import { takeLock } from '../../database/advisory-lock.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { aliasProblem } from '../understanding/aliases.ts'
import { keyOf } from '../understanding/names.ts'
import { markUnderstood } from './misses.commands.ts'
import { describeAlias } from './queries.ts'
import { aliasOf, columnsOf, type KnownShop, targetOf } from './snapshot.queries.ts'
import { botAliases, botAnswers } from './tables.ts'

const MOST = 2_000

type NewAlias = Omit<Parsed<typeof createBotAlias>['body'], 'miss'>

/** @throws ALIAS_TARGET_NOT_FOUND, ALIAS_REFUSED, ALIASES_FULL */
export async function insertAlias(ctx: Ctx, shop: KnownShop, { text, type, target }: NewAlias): Promise<BotAlias> {
  const columns = columnsOf(type, target, shop)
  await lockAnswerOf(ctx, target)
  const row = {
    text,
    vendorId: null,
    productId: null,
    areaId: null,
    size: null,
    landmark: null,
    topic: null,
    answerId: null,
    ...columns,
  }
  const alias = columns && aliasOf(row)
  if (!alias) throw new AppError('ALIAS_TARGET_NOT_FOUND')
  const problem = aliasProblem(alias, shop)
  if (problem !== null) throw new AppError('ALIAS_REFUSED', { reason: problem })
  await takeLock(ctx.db, 'bot-aliases')
  if ((await ctx.db.$count(botAliases)) >= MOST) throw new AppError('ALIASES_FULL')
  // Another process may have added the name since its snapshot.
  const [made] = await ctx.db
    .insert(botAliases)
    .values({ ...row, key: keyOf(text), createdBy: userOf(ctx).id })
    .onConflictDoNothing()
    .returning()
  if (!made) throw new AppError('ALIAS_REFUSED', { reason: 'taken' })
  await emit(ctx, {
    name: 'bot-alias.created',
    action: 'created',
    resource: 'bot-alias',
    id: made.id,
    changes: [
      { field: 'text', from: null, to: text },
      { field: 'target', from: null, to: `${type} ${target}` },
    ],
  })
  return describeAlias(made)
}

/** Keeps an added answer from being deleted meanwhile. @throws ALIAS_TARGET_NOT_FOUND */
async function lockAnswerOf({ db }: Ctx, target: string): Promise<void> {
  const id = ownAnswerId(target)
  if (id === null) return
  const rows = await db.select({ id: botAnswers.id }).from(botAnswers).where(eq(botAnswers.id, id)).for('key share')
  if (rows.length === 0) throw new AppError('ALIAS_TARGET_NOT_FOUND')
}

export async function createAlias(
  ctx: Ctx,
  shop: KnownShop,
  { miss, ...alias }: Parsed<typeof createBotAlias>['body'],
): Promise<BotAlias> {
  const made = await insertAlias(ctx, shop, alias)
  if (miss !== undefined) await markUnderstood(ctx, miss)
  return made
}

/** @throws ALIAS_NOT_FOUND */
export async function deleteAlias(ctx: Ctx, id: number): Promise<{ success: true }> {
  const [row] = await ctx.db.delete(botAliases).where(eq(botAliases.id, id)).returning()
  if (!row) throw new AppError('ALIAS_NOT_FOUND')
  const { type, target } = targetOf(row)
  await emit(ctx, {
    name: 'bot-alias.deleted',
    action: 'deleted',
    resource: 'bot-alias',
    id,
    changes: [
      { field: 'text', from: row.text, to: null },
      { field: 'target', from: `${type} ${target}`, to: null },
    ],
  })
  return { success: true }
}
