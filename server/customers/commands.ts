import type { CustomerDetail } from '@qatra/contract/users/customers'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { authorsOf, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { scopeOf } from './policy.ts'
import { requireCustomer, requireCustomerRow } from './queries.ts'
import { customerNotes, customerTags, MARKET } from './tables.ts'

/** Records that a note was added, without its text, since history is kept longer than personal data. */
const emitChange = (ctx: Ctx, id: number, action: 'note-added' | 'note-removed' | 'tagged') => {
  const scope = scopeOf(ctx.actor)
  const vendorId = scope === MARKET ? null : scope
  return emit(ctx, { name: `customer.${action}`, action, resource: 'customer', id, vendorId })
}

export async function addNote(ctx: Ctx, userId: number, body: string): Promise<CustomerDetail> {
  await requireCustomerRow(ctx, userId)
  const { changedBy, onBehalfOf } = authorsOf(ctx)
  await ctx.db
    .insert(customerNotes)
    .values({ userId, vendorId: scopeOf(ctx.actor), body, createdBy: changedBy, onBehalfOf })
  await emitChange(ctx, userId, 'note-added')
  return requireCustomer(ctx, userId)
}

export async function removeNote(ctx: Ctx, userId: number, noteId: number): Promise<CustomerDetail> {
  await requireCustomerRow(ctx, userId)
  const scope = scopeOf(ctx.actor)
  const [removed] = await ctx.db
    .update(customerNotes)
    .set({ removedAt: sql`now()`, removedBy: authorsOf(ctx).changedBy })
    .where(
      and(
        eq(customerNotes.id, noteId),
        eq(customerNotes.userId, userId),
        scope === MARKET ? undefined : eq(customerNotes.vendorId, scope),
        isNull(customerNotes.removedAt),
      ),
    )
    .returning({ id: customerNotes.id })
  if (!removed) throw new AppError('NOT_FOUND')
  await emitChange(ctx, userId, 'note-removed')
  return requireCustomer(ctx, userId)
}

export async function setTags(ctx: Ctx, userId: number, tags: readonly string[]): Promise<CustomerDetail> {
  const before = await requireCustomerRow(ctx, userId)
  const wanted = [...new Set(tags)].sort()
  if (JSON.stringify(wanted) !== JSON.stringify(before.tags ?? [])) {
    const values = { userId, vendorId: scopeOf(ctx.actor), tags: wanted }
    await ctx.db
      .insert(customerTags)
      .values(values)
      .onConflictDoUpdate({
        target: [customerTags.userId, customerTags.vendorId],
        set: { tags: wanted, updatedAt: sql`now()` },
      })
    await emitChange(ctx, userId, 'tagged')
  }
  return requireCustomer(ctx, userId)
}
