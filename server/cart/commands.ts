import { type addToCart as add, type Cart, type switchCart as change, emptyCart } from '@qatra/contract/cart'
import { quantityLimit } from '@qatra/contract/cart-rules'
import type { Parsed } from '@qatra/contract/endpoint'
import type { ErrorCode } from '@qatra/contract/errors'
import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import { isForeignKeyViolation, run, statement } from '../database/db.ts'
import { newSessionCookie, sha256 } from '../http/session-cookie.ts'
import { AppError } from '../lib/errors.ts'
import { ownerOf, ownerOfUser } from './policy.ts'
import { type CartRow, describeCart, listOffers, readCart } from './queries.ts'
import { cartItems, carts } from './tables.ts'

interface ChangedCart extends CartRow {
  /** The refusal; the cart is unchanged then. */
  code: ErrorCode | null
}

/** Receives a visitor's new cookie when the first product creates a cart. */
export interface CookieJar {
  session: string
}

const GUEST_CART_SECONDS = 30 * 24 * 3600

const addSql = statement('cart-add', 'select * from cart_add($1, $2, $3, $4)')
const changeSql = statement('cart-change', 'select * from cart_change($1, $2, $3)')
const clearSql = statement('cart-clear', 'select * from cart_clear($1)')
const lockSql = statement('cart-lock', 'select * from cart_lock($1)')
const holdSql = statement('cart-hold', 'select cart_hold($1)')

/** One statement: checks product, vendor and quantity under the cart's lock. */
export async function addToCart(
  ctx: Ctx,
  catalogue: Catalogue,
  jar: CookieJar,
  { productId, vendorId, quantity }: Parsed<typeof add>['body'],
): Promise<Cart> {
  const { owner, keep } = ownerOrNew(ctx, jar)
  const [row] = await run<ChangedCart>(ctx.db, addSql, [owner, productId, vendorId ?? null, quantity]).catch(refuseGone)
  const cart = await answer(ctx, catalogue, row)
  keep()
  return cart
}

/** The vendor may deactivate a product between the check and the insert. */
function refuseGone(error: unknown): never {
  throw isForeignKeyViolation(error) ? new AppError('PRODUCT_NOT_FOUND') : error
}

export async function setQuantity(ctx: Ctx, catalogue: Catalogue, itemId: number, quantity: number): Promise<Cart> {
  const owner = ownerOf(ctx.actor)
  if (owner === null) throw new AppError('CART_ITEM_NOT_FOUND')
  if (quantity > quantityLimit) throw new AppError('QUANTITY_LIMIT')
  const [row] = await run<ChangedCart>(ctx.db, changeSql, [owner, itemId, quantity])
  return answer(ctx, catalogue, row)
}

export async function clearCart(ctx: Ctx, catalogue: Catalogue): Promise<Cart> {
  const owner = ownerOf(ctx.actor)
  if (owner === null) return emptyCart
  const [row] = await run<CartRow>(ctx.db, clearSql, [owner])
  return row ? describeCart(ctx, catalogue, row) : emptyCart
}

async function answer(ctx: Ctx, catalogue: Catalogue, row: ChangedCart | undefined): Promise<Cart> {
  if (!row) throw new Error('A cart statement always answers one row')
  if (row.code) throw new AppError(row.code, row.vendor_id === null ? {} : { vendorId: row.vendor_id })
  return describeCart(ctx, catalogue, row)
}

function ownerOrNew(ctx: Ctx, jar: CookieJar): { owner: string; keep: () => void } {
  const known = ownerOf(ctx.actor)
  if (known !== null) return { owner: known, keep: () => {} }
  const cookie = newSessionCookie('guest')
  const keep = () => ctx.setCookie({ name: jar.session, value: cookie, maxAgeSeconds: GUEST_CART_SECONDS })
  return { owner: sha256(cookie), keep }
}

/** Parks the active cart and starts one with this product. */
export async function switchCart(
  ctx: Ctx,
  catalogue: Catalogue,
  jar: CookieJar,
  { productId, quantity }: Parsed<typeof change>['body'],
): Promise<Cart> {
  const [offer] = await listOffers(ctx, [productId])
  if (!offer?.isAvailable) throw new AppError('PRODUCT_NOT_FOUND')
  const { owner, keep } = ownerOrNew(ctx, jar)
  await startCart(ctx, owner, offer.vendorId, new Map([[productId, quantity]]))
  const guest = ctx.actor.user ? ctx.actor.guestSession : owner
  keep()
  return readCart({ ...ctx, actor: { ...ctx.actor, guestSession: guest } }, catalogue)
}

/**
 * Puts these products (quantities by id) into the active cart and parks its previous contents. Does nothing if the cart
 * has exactly these items, so that a second tap does not replace the parked cart.
 */
export async function startCart(
  ctx: Ctx,
  owner: string,
  vendorId: number,
  quantities: ReadonlyMap<number, number>,
): Promise<void> {
  const active = await lockCart(ctx, owner)
  const present = await ctx.db.select().from(cartItems).where(eq(cartItems.cartId, active.id))
  const isSame = present.length === quantities.size && present.every((i) => quantities.get(i.productId) === i.quantity)
  if (isSame) return
  const cartId = present.length > 0 ? await parkAndRenew(ctx, active, vendorId) : active.id
  if (cartId === active.id) await touch(ctx, cartId, { vendorId, version: active.version + 1 })
  await ctx.db
    .insert(cartItems)
    .values([...quantities].map(([productId, quantity]) => ({ cartId, vendorId, productId, quantity })))
    .catch(refuseGone)
}

/**
 * Parts of the statement that places an order: empty the locked cart with the id `cart`. They depend on the part named
 * `after` and do nothing if it wrote nothing.
 */
export const emptyingCart = (cart: string, after: string) => `
  cart_emptied as (
    delete from cart_items where cart_id = ${cart} and exists (select from ${after})),
  cart_closed as (
    update carts set vendor_id = null, version = version + 1, updated_at = now()
    where id = ${cart} and exists (select from ${after}))`

interface LockedCart {
  id: number
  vendor_id: number | null
  session_id: string | null
  user_id: number | null
  version: number
}

/** Locks an owner's carts before any row. Lock order: visitor before user. */
const lockOwner = ({ db }: Pick<Ctx, 'db'>, owner: string) => run(db, holdSql, [owner])

/** Locks the user's carts until the transaction ends. */
export const lockCartsOf = (ctx: Pick<Ctx, 'db'>, userId: number) => lockOwner(ctx, ownerOfUser(userId))

async function lockCart(ctx: Ctx, owner: string): Promise<LockedCart> {
  const [cart] = await run<LockedCart>(ctx.db, lockSql, [owner])
  if (!cart) throw new Error('The database makes a cart where there is none')
  return cart
}

const touch = (
  { db }: Ctx,
  cartId: number,
  values: {
    vendorId?: number | null
    version?: number
    parkedAt?: SQL | null
    userId?: number | null
    sessionId?: string | null
  },
) =>
  db
    .update(carts)
    .set({ ...values, updatedAt: sql`now()` })
    .where(eq(carts.id, cartId))

const parkedOf = (owner: string) => and(eq(carts.owner, owner), isNotNull(carts.parkedAt))

async function park(ctx: Ctx, owner: string, cartId: number) {
  await ctx.db.delete(carts).where(parkedOf(owner))
  await touch(ctx, cartId, { parkedAt: sql`now()` })
}

/** Continues the version of the parked cart, so that versions only increase. */
async function parkAndRenew(ctx: Ctx, active: LockedCart, vendorId: number): Promise<number> {
  const { id, user_id: userId, session_id: sessionId, version } = active
  await park(ctx, userId === null ? (sessionId ?? '') : ownerOfUser(userId), id)
  const [fresh] = await ctx.db
    .insert(carts)
    .values({ userId, sessionId, vendorId, version: version + 1 })
    .returning({ id: carts.id })
  if (!fresh) throw new Error('The insert answers its row')
  return fresh.id
}

const isKept = sql`${carts.parkedAt} > now() - interval '30 days'`

async function lockKept({ db }: Ctx, owner: string) {
  const [kept] = await db
    .select()
    .from(carts)
    .where(and(eq(carts.owner, owner), isKept))
    .for('update')
  return kept ?? null
}

/** Restores the parked cart and parks the active one. */
export async function restoreCart(ctx: Ctx, catalogue: Catalogue): Promise<Cart> {
  const owner = ownerOf(ctx.actor)
  if (owner === null) throw new AppError('NO_PARKED_CART')
  const active = await lockCart(ctx, owner)
  const kept = await lockKept(ctx, owner)
  if (!kept) throw new AppError('NO_PARKED_CART')
  const { id, user_id: userId, session_id: sessionId } = active
  const version = Math.max(active.version, kept.version) + 1
  if (active.vendor_id === null) {
    await ctx.db.delete(carts).where(eq(carts.id, id))
    await touch(ctx, kept.id, { parkedAt: null, version })
  } else {
    // An owner has one cart of each kind at any time, so the active one gets a temporary owner during the swap.
    await touch(ctx, id, { userId: null, sessionId: `aside ${id}` })
    await touch(ctx, kept.id, { parkedAt: null, version })
    await touch(ctx, id, { userId, sessionId, parkedAt: sql`now()` })
  }
  return readCart(ctx, catalogue)
}

/**
 * Gives the visitor's cart to the user who signed in: as a whole into an empty cart; merged with one of the same
 * vendor, where the visitor's quantity wins; in front of one of another vendor, which is parked. Not while
 * impersonating.
 */
export async function adoptGuestCart(
  ctx: Ctx,
  { userId, guestSession }: { userId: number; guestSession: string | null },
): Promise<void> {
  if (guestSession === null || ctx.actor.impersonator) return
  await lockOwner(ctx, guestSession)
  const ofGuest = eq(carts.owner, guestSession)
  const [guest] = await ctx.db
    .select()
    .from(carts)
    .where(and(ofGuest, isNull(carts.parkedAt)))
    .for('update')
  const guestKept = await lockKept(ctx, guestSession)
  const owner = ownerOfUser(userId)
  if (guest?.vendorId || guestKept) {
    const mine = await lockCart(ctx, owner)
    const isParked = guest?.vendorId
      ? await takeOver(ctx, { id: guest.id, vendorId: guest.vendorId, version: guest.version }, mine)
      : false
    if (guestKept && !isParked) await keepNewer(ctx, guestKept, userId)
  }
  await ctx.db.delete(carts).where(ofGuest)
}

/** @returns whether the user's own cart was parked */
async function takeOver(
  ctx: Ctx,
  guest: { id: number; vendorId: number; version: number },
  mine: LockedCart,
): Promise<boolean> {
  const version = Math.max(guest.version, mine.version) + 1
  if (mine.vendor_id !== null && mine.vendor_id !== guest.vendorId && mine.user_id !== null) {
    await park(ctx, ownerOfUser(mine.user_id), mine.id)
    await touch(ctx, guest.id, { userId: mine.user_id, sessionId: null, version })
    return true
  }
  await touch(ctx, mine.id, { vendorId: guest.vendorId, version })
  await ctx.db.execute(sql`
    insert into cart_items (cart_id, vendor_id, product_id, quantity)
    select ${mine.id}, vendor_id, product_id, quantity from cart_items where cart_id = ${guest.id} order by id
    on conflict (cart_id, product_id) do update set quantity = excluded.quantity`)
  return false
}

async function keepNewer(ctx: Ctx, guestKept: { id: number; parkedAt: Date | null }, userId: number) {
  const own = await lockKept(ctx, ownerOfUser(userId))
  if (own?.parkedAt && guestKept.parkedAt && own.parkedAt > guestKept.parkedAt) return
  await ctx.db.delete(carts).where(parkedOf(ownerOfUser(userId)))
  await touch(ctx, guestKept.id, { userId, sessionId: null })
}

/** Deletes parked and visitors' carts unchanged for 30 days; skips locked ones, which are in use. */
export async function purgeCarts({ db }: Pick<Ctx, 'db'>): Promise<void> {
  const isOld = (column: typeof carts.parkedAt | typeof carts.updatedAt) => lt(column, sql`now() - interval '30 days'`)
  const old = db
    .select({ id: carts.id })
    .from(carts)
    .where(or(isOld(carts.parkedAt), and(isNull(carts.userId), isOld(carts.updatedAt))))
    .for('update', { skipLocked: true })
  await db.delete(carts).where(inArray(carts.id, old))
}

export async function eraseCartsOf(ctx: Ctx, userId: number): Promise<void> {
  await lockOwner(ctx, ownerOfUser(userId))
  await ctx.db.delete(carts).where(eq(carts.userId, userId))
}
