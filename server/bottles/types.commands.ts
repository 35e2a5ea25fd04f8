import type { Parsed } from '@qatra/contract/endpoint'
import { fromBhd } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import {
  type BottleType,
  bottleTypeFields,
  type createBottleType as create,
  type updateBottleType as update,
} from '@qatra/contract/products/bottle-types'
import { and, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { managesVendor, vendorInReach } from '../vendors/policy.ts'
import { vendors } from '../vendors/tables.ts'
import { listBottleTypes } from './queries.ts'
import { bottleTypes } from './tables.ts'

type Facts = Pick<BottleType, (typeof bottleTypeFields)[number]>

/** @throws BOTTLE_TYPE_EXISTS, FORBIDDEN for another vendor */
export async function createBottleType(
  ctx: Ctx,
  { vendorId: requested, ...facts }: Parsed<typeof create>['body'],
): Promise<BottleType> {
  const vendorId = vendorInReach(ctx.actor, requested)
  if (vendorId === null) throw invalidFields(ctx, { vendorId: 'validation.required' })
  requireFree(ctx, facts, await lockTypesOf(ctx, vendorId))
  const [made] = await ctx.db
    .insert(bottleTypes)
    .values({ ...facts, vendorId, deposit: fromBhd(facts.deposit) })
    .returning({ id: bottleTypes.id })
  if (!made) throw new Error('The type was not written')
  const changes = bottleTypeFields.map((field) => ({ field, from: null, to: facts[field] }))
  await record(ctx, 'created', { id: made.id, vendorId }, changes)
  return requireType(ctx, made.id)
}

/** @throws VERSION_CONFLICT if it was changed since `version` was read, BOTTLE_TYPE_EXISTS */
export async function updateBottleType(
  ctx: Ctx,
  id: number,
  { version, ...wanted }: Parsed<typeof update>['body'],
): Promise<BottleType> {
  const { vendorId } = await requireType(ctx, id)
  const types = await lockTypesOf(ctx, vendorId)
  const before = await requireType(ctx, id)
  if (version !== undefined && version !== before.version)
    throw new AppError('VERSION_CONFLICT', { version: before.version })
  const after: Facts = {
    ...before,
    ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
  }
  const changes = bottleTypeFields.flatMap((field) =>
    before[field] === after[field] ? [] : [{ field, from: before[field], to: after[field] }],
  )
  if (changes.length === 0) return before
  requireFree(
    ctx,
    after,
    types.filter((one) => one.id !== id),
  )
  const { name, nameAr, deposit, isActive } = after
  await ctx.db
    .update(bottleTypes)
    .set({ name, nameAr, deposit: fromBhd(deposit), isActive, version: before.version + 1, updatedAt: ctx.now })
    .where(eq(bottleTypes.id, id))
  await record(ctx, 'updated', before, changes)
  return requireType(ctx, id)
}

/** Serializes changes of the vendor's types until the transaction ends. */
async function lockTypesOf(ctx: Ctx, vendorId: number): Promise<BottleType[]> {
  const [vendor] = await ctx.db
    .select({ id: vendors.id })
    .from(vendors)
    .where(eq(vendors.id, vendorId))
    .for('no key update')
  if (!vendor) throw invalidFields(ctx, { vendorId: 'validation.unknownVendor' })
  return listBottleTypes(ctx, vendorId)
}

/** A file names a type in either language, so no two of a vendor may have the same name. */
function requireFree(ctx: Ctx, facts: Pick<Facts, 'name' | 'nameAr'>, others: readonly BottleType[]): void {
  const taken = new Set(others.flatMap(namesOf))
  if (namesOf(facts).some((name) => taken.has(name)))
    throw invalidFields(ctx, { name: 'validation.bottleTypeExists' }, 'BOTTLE_TYPE_EXISTS')
}

/** Folded, in both languages. */
export const namesOf = ({ name, nameAr }: Pick<Facts, 'name' | 'nameAr'>) =>
  [name, nameAr ?? ''].filter((text) => text !== '').map(fold)

/** @throws BOTTLE_TYPE_NOT_FOUND, the same for a foreign and an unknown type */
async function requireType(ctx: Ctx, id: number): Promise<BottleType> {
  const [type] = await listBottleTypes(ctx, null, id)
  if (!type || !managesVendor(ctx.actor, type.vendorId)) throw new AppError('BOTTLE_TYPE_NOT_FOUND')
  return type
}

const record = (
  ctx: Ctx,
  action: ActionOf<'bottle-type'>,
  { id, vendorId }: Pick<BottleType, 'id' | 'vendorId'>,
  changes: { field: string; from: unknown; to: unknown }[],
) => emit(ctx, { name: `bottle-type.${action}`, action, resource: 'bottle-type', id, vendorId, changes })

/** The vendors of those of these types that are in use, and stay so until the transaction ends. */
export async function lockUsableTypes({ db }: Ctx, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: bottleTypes.id, vendorId: bottleTypes.vendorId })
    .from(bottleTypes)
    .where(and(inArray(bottleTypes.id, [...ids]), eq(bottleTypes.isActive, true)))
    .orderBy(bottleTypes.id)
    .for('share')
  return new Map(rows.map(({ id, vendorId }) => [id, vendorId]))
}
