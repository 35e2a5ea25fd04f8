import type { Parsed } from '@qatra/contract/endpoint'
import { isChosen } from '@qatra/contract/places/geo'
import {
  type changeAddress as change,
  type createAddress as create,
  mostAddresses,
  type SavedAddress,
} from '@qatra/contract/users/addresses'
import type { updateProfile } from '@qatra/contract/users/auth'
import { and, eq } from 'drizzle-orm'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { type AddressRow, describeAddress, findDefaultAddress, listAddressRows } from './address-book.queries.ts'
import { addresses } from './tables.ts'

type NewAddress = Parsed<typeof create>['body']
type AddressChange = Parsed<typeof change>['body']
type Columns = Partial<Omit<typeof addresses.$inferInsert, 'id' | 'userId'>>

const defaultsSql = statement(
  'address-book-defaults',
  `update addresses a set is_default = true
   where a.id in (
     select distinct on (b.user_id) b.id from addresses b where b.user_id = any($1::integer[])
     order by b.user_id, b.used_at desc, b.id desc)
     and not exists (select from addresses d where d.user_id = a.user_id and d.is_default)`,
)

/** Makes the last used address of each person without a default the default. The caller has locked the accounts. */
export async function chooseDefaults({ db }: Pick<Ctx, 'db'>, userIds: readonly number[]): Promise<void> {
  await run(db, defaultsSql, [userIds])
}

const lockSql = statement('address-book-lock', 'select from users where id = $1 and is_active for no key update')

/**
 * Locks the account, which serializes all changes of the book, orders included.
 * @throws SIGNED_OUT if the account was deactivated or erased meanwhile
 */
export async function lockBook(ctx: Ctx): Promise<number> {
  const { id } = userOf(ctx)
  if ((await run(ctx.db, lockSql, [id])).length === 0) throw new AppError('SIGNED_OUT')
  return id
}

/** @throws ADDRESS_REQUIRED for coordinates that count as not chosen; ADDRESS_BOOK_FULL */
export async function createAddress(ctx: Ctx, catalogue: AreaSnapshot, fields: NewAddress): Promise<SavedAddress> {
  if (fields.mapCoordinates && !isChosen(fields.mapCoordinates)) throw new AppError('ADDRESS_REQUIRED')
  const userId = await lockBook(ctx)
  const book = await listAddressRows(ctx, userId)
  if (book.length >= mostAddresses) throw new AppError('ADDRESS_BOOK_FULL')
  const isDefault = fields.isDefault === true || !book.some((one) => one.isDefault)
  if (isDefault) await clearDefault(ctx, userId)
  const [row] = await ctx.db
    .insert(addresses)
    .values({ ...columnsOf(fields, null), userId, isDefault })
    .returning()
  if (!row) throw new Error('An insert returns its row')
  await recordChange(ctx, userId, 'added')
  return describeAddress(catalogue, row)
}

/** Changes only the fields that were sent. The default address stays it until another one is chosen. @throws ADDRESS_NOT_FOUND, also for a foreign one; ADDRESS_REQUIRED */
export async function changeAddress(
  ctx: Ctx,
  catalogue: AreaSnapshot,
  id: number,
  fields: AddressChange,
): Promise<SavedAddress> {
  if (fields.mapCoordinates && !isChosen(fields.mapCoordinates)) throw new AppError('ADDRESS_REQUIRED')
  const userId = await lockBook(ctx)
  const before = await requireOwn(ctx, userId, id)
  const isDefault = fields.isDefault === true || before.isDefault
  if (isDefault && !before.isDefault) await clearDefault(ctx, userId)
  const [after] = await ctx.db
    .update(addresses)
    .set({ ...columnsOf(fields, before), isDefault, usedAt: ctx.now })
    .where(eq(addresses.id, id))
    .returning()
  if (!after) throw new Error('The book is locked')
  await recordChange(ctx, userId, 'changed')
  return describeAddress(catalogue, after)
}

/** After the default address, the last used one becomes the default. @throws ADDRESS_NOT_FOUND */
export async function removeAddress(ctx: Ctx, id: number): Promise<{ success: true }> {
  const userId = await lockBook(ctx)
  await requireOwn(ctx, userId, id)
  await ctx.db.delete(addresses).where(eq(addresses.id, id))
  await chooseDefaults(ctx, [userId])
  await recordChange(ctx, userId, 'removed')
  return { success: true }
}

type ProfileFields = Parsed<typeof updateProfile>['body']
export type DeliveryFields = Pick<ProfileFields, 'address' | 'addressParts' | 'mapCoordinates' | 'instructions'>

/**
 * Writes the address fields of the profile to the default address, which is created if missing and removed if nothing is
 * left of it. The caller has locked the account.
 */
export async function writeDefaultAddress(ctx: Ctx, fields: DeliveryFields): Promise<AddressRow | null> {
  const userId = userOf(ctx).id
  const before = await findDefaultAddress(ctx, userId)
  const columns = columnsOf(fields, before)
  if (Object.keys(columns).length === 0) return before
  if (!before) {
    if (!holdsAnything({ ...emptyAddress, ...columns })) return null
    const [row] = await ctx.db
      .insert(addresses)
      .values({ ...columns, userId, isDefault: true })
      .returning()
    return row ?? null
  }
  if (!holdsAnything({ ...before, ...columns })) {
    await ctx.db.delete(addresses).where(eq(addresses.id, before.id))
    await chooseDefaults(ctx, [userId])
    return null
  }
  const [after] = await ctx.db.update(addresses).set(columns).where(eq(addresses.id, before.id)).returning()
  return after ?? null
}

const emptyAddress = { address: null, addressParts: null, lat: 0, lng: 0, instructions: null }
const holdsAnything = (one: Pick<Columns, keyof typeof emptyAddress>) =>
  Boolean(one.address || one.instructions || one.lat || one.lng || Object.keys(one.addressParts ?? {}).length > 0)

/** The columns of the sent fields; an empty text is none. Of a moved pin the source is not known unless it was sent. */
function columnsOf({ mapCoordinates, ...fields }: AddressChange | DeliveryFields, before: AddressRow | null): Columns {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  const { lat, lng } = mapCoordinates ?? { lat: 0, lng: 0 }
  const isMoved = mapCoordinates !== undefined && (lat !== before?.lat || lng !== before.lng)
  return {
    ...(mapCoordinates !== undefined && { lat, lng }),
    ...(isMoved && { pinSource: null, isPinAsked: false }),
    ...Object.fromEntries(sent.map(([name, value]) => [name, value === '' ? null : value])),
  }
}

async function requireOwn(ctx: Ctx, userId: number, id: number): Promise<AddressRow> {
  const [row] = await ctx.db
    .select()
    .from(addresses)
    .where(and(eq(addresses.id, id), eq(addresses.userId, userId)))
  if (!row) throw new AppError('ADDRESS_NOT_FOUND')
  return row
}

const clearDefault = (ctx: Ctx, userId: number) =>
  ctx.db
    .update(addresses)
    .set({ isDefault: false })
    .where(and(eq(addresses.userId, userId), eq(addresses.isDefault, true)))

/** The history names the act and, during impersonation, the staff member; never what the address says. */
const recordChange = (ctx: Ctx, userId: number, to: 'added' | 'changed' | 'removed') =>
  emit(ctx, {
    name: 'user.updated',
    action: 'updated',
    resource: 'user',
    id: userId,
    changes: [{ field: 'addresses', from: null, to }],
  })

interface Saving {
  /** The part of the statement that returns the new row of `orders`. */
  order: string
  /** False if another person acts for the customer: nothing is saved. */
  isOwn: string
  /**
   * The saved address from which the order was made; null: an equal one. The text of the same block, road, building and
   * flat may be in another language.
   */
  addressId: string
  /** True if the customer was asked whether the pin of the saved address is at the door. */
  isPinAsked: string
}

/**
 * The end of the statement that places an order: saves name and address for the next order. The address replaces the saved
 * one; without one it is added, as the default if there is none, while the book is not full. From now
 * on its area counts, not the one chosen before. The caller has locked the account.
 */
export const savingDelivery = ({ order, isOwn, addressId, isPinAsked }: Saving) => `,
  used_address as (
    update addresses a set (address, address_parts, lat, lng, pin_source, instructions, receiver_name, receiver_phone, used_at) =
      (o.address, o.address_parts, o.lat, o.lng, o.pin_source, o.instructions, o.receiver_name, o.receiver_phone, o.created_at),
      is_pin_asked = (a.lat, a.lng) = (o.lat, o.lng) and (a.is_pin_asked or ${isPinAsked})
    from ${order} o
    where ${isOwn} and a.id = (
      select b.id from addresses b
      where b.user_id = o.user_id and case when ${addressId} is not null then b.id = ${addressId}
        else (b.address, b.lat, b.lng) = (o.address, o.lat, o.lng)
          or b.address_parts = o.address_parts and b.address_parts ? 'block' and b.address_parts ? 'building' end
      order by b.is_default desc, b.used_at desc limit 1)
    returning a.id),
  new_address as (
    insert into addresses (user_id, address, address_parts, lat, lng, pin_source, instructions, receiver_name,
                           receiver_phone, used_at, is_default)
    select o.user_id, o.address, o.address_parts, o.lat, o.lng, o.pin_source, o.instructions, o.receiver_name,
      o.receiver_phone, o.created_at, not exists (select from addresses b where b.user_id = o.user_id and b.is_default)
    from ${order} o
    where ${isOwn} and not exists (select from used_address)
      and (select count(*) from addresses b where b.user_id = o.user_id) < ${mostAddresses})
  update users u set name = o.customer_name, delivery_area_id = null, updated_at = now()
  from ${order} o
  where u.id = o.user_id and ${isOwn}
    and (u.name is distinct from o.customer_name or u.delivery_area_id is not null)`
