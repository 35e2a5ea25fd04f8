import type { Parsed } from '@qatra/contract/endpoint'
import type { CannedReply, changeCannedReply, createCannedReply } from '@qatra/contract/whatsapp/inbox/canned-replies'
import { and, eq, ne, sql } from 'drizzle-orm'
import { takeTextLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { type Change, emit } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { AppError } from '../lib/errors.ts'
import { requireCanned } from './canned.queries.ts'
import { cannedReplies } from './tables.ts'

const emitChange = (ctx: Ctx, id: number, action: ActionOf<'canned-reply'>, changes: readonly Change[]) =>
  emit(ctx, { name: `canned-reply.${action}`, action, resource: 'canned-reply', id, changes })

export async function createCanned(ctx: Ctx, body: Parsed<typeof createCannedReply>['body']): Promise<CannedReply> {
  const { id: userId } = userOf(ctx)
  const [made] = await ctx.db
    .insert(cannedReplies)
    .values({ ...body, createdBy: userId, updatedBy: userId })
    .onConflictDoNothing()
    .returning({ id: cannedReplies.id })
  if (!made) throw new AppError('SHORTCUT_TAKEN')
  await emitChange(ctx, made.id, 'created', [{ field: 'shortcut', from: null, to: body.shortcut }])
  return requireCanned(ctx, made.id)
}

export async function changeCanned(
  ctx: Ctx,
  id: number,
  body: Parsed<typeof changeCannedReply>['body'],
): Promise<CannedReply> {
  const before = await requireCanned(ctx, id)
  const keys = (Object.keys(body) as (keyof typeof body)[]).filter((key) => body[key] !== before[key])
  if (keys.length === 0) return before
  const { body: english, bodyAr: arabic } = { ...before, ...body }
  if (english === '' && arabic === '') throw new AppError('INVALID_BODY', { fields: { bodyAr: 'validation.required' } })
  if (body.shortcut !== undefined) await requireFree(ctx, id, body.shortcut)
  const values = Object.fromEntries(keys.map((key) => [key, body[key]]))
  await ctx.db
    .update(cannedReplies)
    .set({ ...values, updatedBy: userOf(ctx).id, updatedAt: sql`now()` })
    .where(eq(cannedReplies.id, id))
  await emitChange(
    ctx,
    id,
    'updated',
    keys.map((field) => ({ field, from: before[field], to: body[field] })),
  )
  return requireCanned(ctx, id)
}

/** Serializes concurrent requests with the same name. */
async function requireFree({ db }: Ctx, id: number, shortcut: string): Promise<void> {
  await takeTextLock(db, 'canned-reply', shortcut)
  const [other] = await db
    .select({ id: cannedReplies.id })
    .from(cannedReplies)
    .where(and(eq(cannedReplies.shortcut, shortcut), ne(cannedReplies.id, id)))
  if (other) throw new AppError('SHORTCUT_TAKEN')
}

export async function deleteCanned(ctx: Ctx, id: number): Promise<{ success: true }> {
  const { shortcut } = await requireCanned(ctx, id)
  await ctx.db.delete(cannedReplies).where(eq(cannedReplies.id, id))
  await emitChange(ctx, id, 'deleted', [{ field: 'shortcut', from: shortcut, to: null }])
  return { success: true }
}
