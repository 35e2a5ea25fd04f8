import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Parsed } from '@qatra/contract/endpoint'
import { type answerDue, type CustomerDetail, MOST_QUIET_DAYS, quietDays } from '@qatra/contract/users/customers'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { authorsOf, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { requireCustomer } from './detail.queries.ts'
import { scopeOf } from './policy.ts'
import { requireCustomerRow } from './queries.ts'
import { customerAnswers, customerNotes, customerTags, MARKET } from './tables.ts'

/** Records that a note was added, without its text, since history is kept longer than personal data. */
const emitChange = (ctx: Ctx, id: number, action: 'note-added' | 'note-removed' | 'tagged' | 'asked') => {
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

/** Records what a due customer said. @throws INVALID_BODY if the day is not after today, or too far away */
export async function answerWhenDue(
  ctx: Ctx,
  userId: number,
  { answer, until }: Parsed<typeof answerDue>['body'],
): Promise<CustomerDetail> {
  await requireCustomerRow(ctx, userId)
  const today = bahrainDate(ctx.now)
  const quietUntil = until ?? addDays(today, quietDays[answer])
  if (quietUntil <= today) throw invalidFields(ctx, { until: 'validation.dayPast' })
  if (quietUntil > addDays(today, MOST_QUIET_DAYS)) throw invalidFields(ctx, { until: 'validation.dayYear' })
  const said = { answer, quietUntil, createdBy: authorsOf(ctx).changedBy, createdAt: ctx.now }
  await ctx.db
    .insert(customerAnswers)
    .values({ userId, vendorId: scopeOf(ctx.actor), ...said })
    .onConflictDoUpdate({ target: [customerAnswers.userId, customerAnswers.vendorId], set: said })
  await emitChange(ctx, userId, 'asked')
  return requireCustomer(ctx, userId)
}
