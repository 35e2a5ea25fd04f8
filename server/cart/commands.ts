import {
  type addToCart as add,
  type Cart,
  type switchCart as change,
  emptyCart,
  type swapCart as swap,
} from '@qatra/contract/cart/cart'
import { quantityLimit } from '@qatra/contract/cart/rules'
import type { Parsed } from '@qatra/contract/endpoint'
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import { isForeignKeyViolation } from '../database/db.ts'
import { type CookieNames, newSessionCookie } from '../http/session-cookie.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/secrets.ts'
import {
  type CartRow,
  columnsOf,
  lockCarts,
  lockOwner,
  ownerOf,
  ownerOfUser,
  removeItems,
  StaleCart,
  saveItems,
  type Wanted,
} from './cart.sql.ts'
import { describeCart, listOffers, readCart } from './queries.ts'
import { hasExactly, planAdoption, requireAddable, requireItem, requireSwap } from './rules.ts'
import { carts } from './tables.ts'

// Every command runs in its caller's transaction: it locks the owner and reads the carts, decides by rules.ts, and
// writes. Each write names the version that was read.

const GUEST_CART_SECONDS = 30 * 24 * 3600

export async function addToCart(
  ctx: Ctx,
  catalogue: Catalogue,
  cookies: CookieNames,
  wanted: Parsed<typeof add>['body'],
): Promise<Cart> {
  const { owner, setCookie } = ownerOrNew(ctx, cookies)
  const cart = await lockCarts(ctx.db, owner, wanted.productId)
  const { vendorId, quantity } = requireAddable(cart, wanted)
  const changed = await saveCart(ctx, owner, { ...cart, vendorId }, [{ productId: wanted.productId, quantity }])
  setCookie()
  return describeCart(ctx, catalogue, changed)
}

/** Without `empties` those of the item stay, at most the new quantity. */
export async function setQuantity(
  ctx: Ctx,
  catalogue: Catalogue,
  itemId: number,
  { quantity, empties }: { quantity: number; empties?: number | undefined },
): Promise<Cart> {
  const owner = ownerOf(ctx.actor)
  if (owner === null) throw new AppError('CART_ITEM_NOT_FOUND')
  if (quantity > quantityLimit) throw new AppError('QUANTITY_LIMIT')
  const cart = await lockCarts(ctx.db, owner)
  const item = requireItem(cart.items, itemId)
  const changed = await (quantity > 0
    ? saveCart(ctx, owner, cart, [{ productId: item.productId, quantity, empties: empties ?? null }])
    : committing(ctx, removeItems(ctx.db, cart, [item])))
  return describeCart(ctx, catalogue, changed)
}

export async function clearCart(ctx: Ctx, catalogue: Catalogue): Promise<Cart> {
  const owner = ownerOf(ctx.actor)
  if (owner === null) return emptyCart
  const cart = await lockCarts(ctx.db, owner)
  if (cart.items.length === 0) return describeCart(ctx, catalogue, cart)
  return describeCart(ctx, catalogue, await committing(ctx, removeItems(ctx.db, cart, cart.items)))
}

/** A visitor without a session gets a new one; `setCookie` sends its cookie once the cart is stored. */
function ownerOrNew(ctx: Ctx, cookies: CookieNames): { owner: string; setCookie: () => void } {
  const known = ownerOf(ctx.actor)
  if (known !== null) return { owner: known, setCookie: () => {} }
  const cookie = newSessionCookie('guest')
  const setCookie = () => ctx.setCookie({ name: cookies.session, value: cookie, maxAgeSeconds: GUEST_CART_SECONDS })
  return { owner: sha256(cookie), setCookie }
}

const saveCart = (ctx: Ctx, owner: string, cart: CartRow, lines: readonly Wanted[]) =>
  committing(ctx, saveItems(ctx.db, cart, columnsOf(owner), lines)).catch(refuseGone)

/** A stale cart was not written, so committing it changes nothing. */
const committing = <T>({ commitWith }: Ctx, last: Promise<T>): Promise<T> => (commitWith ? commitWith(last) : last)

/** A product may be deleted between the check and the insert. */
function refuseGone(error: unknown): never {
  throw isForeignKeyViolation(error) ? new AppError('PRODUCT_NOT_FOUND') : error
}

/** Parks the active cart and starts one with this product. */
export async function switchCart(
  ctx: Ctx,
  catalogue: Catalogue,
  cookies: CookieNames,
  { productId, quantity }: Parsed<typeof change>['body'],
): Promise<Cart> {
  const { owner, setCookie } = ownerOrNew(ctx, cookies)
  const cart = await lockCarts(ctx.db, owner, productId)
  if (cart.offeredBy === null) throw new AppError('PRODUCT_NOT_FOUND')
  const changed = await start(ctx, owner, {
    cart,
    vendorId: cart.offeredBy,
    quantities: new Map([[productId, quantity]]),
  })
  setCookie()
  return describeCart(ctx, catalogue, changed)
}

/** Parks the active cart and starts one with these products, all of one vendor. */
export async function swapCart(
  ctx: Ctx,
  catalogue: Catalogue,
  cookies: CookieNames,
  { items }: Parsed<typeof swap>['body'],
): Promise<Cart> {
  const { owner, setCookie } = ownerOrNew(ctx, cookies)
  const cart = await lockCarts(ctx.db, owner)
  const offers = await listOffers(
    ctx,
    items.map(({ productId }) => productId),
  )
  const changed = await start(ctx, owner, { cart, ...requireSwap(items, offers) })
  setCookie()
  return describeCart(ctx, catalogue, changed)
}

/** Puts these products (quantities by id) into the active cart and parks its previous contents. */
export async function startCart(
  ctx: Ctx,
  owner: string,
  vendorId: number,
  quantities: ReadonlyMap<number, number>,
): Promise<void> {
  await start(ctx, owner, { cart: await lockCarts(ctx.db, owner), vendorId, quantities })
}

interface Start {
  cart: CartRow
  vendorId: number
  quantities: ReadonlyMap<number, number>
}

/** Changes nothing if the cart has exactly these items, so that a second tap does not replace the parked cart. */
async function start(ctx: Ctx, owner: string, { cart, vendorId, quantities }: Start): Promise<CartRow> {
  if (hasExactly(cart.items, quantities)) return cart
  const lines = [...quantities].map(([productId, quantity]) => ({ productId, quantity }))
  if (cart.items.length === 0) return saveCart(ctx, owner, { ...cart, vendorId }, lines)
  await park(ctx, owner, cart)
  const parked = { parkedVendorId: cart.vendorId, parkedItems: cart.items.length }
  // Continues the version of the parked cart, so that versions only increase.
  return saveCart(ctx, owner, { ...cart, ...parked, id: null, vendorId, items: [] }, lines)
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

/** Locks the user's carts until the transaction ends. */
export const lockCartsOf = ({ db }: Pick<Ctx, 'db'>, userId: number) => lockOwner(db, ownerOfUser(userId))

interface Changes {
  version?: number
  parkedAt?: SQL | null
  userId?: number | null
  sessionId?: string | null
}

async function touch({ db }: Ctx, cart: { id: number | null; version: number | null }, changes: Changes) {
  if (cart.id === null || cart.version === null) return
  const [touched] = await db
    .update(carts)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(and(eq(carts.id, cart.id), eq(carts.version, cart.version)))
    .returning({ id: carts.id })
  if (!touched) throw new StaleCart()
}

const parkedOf = (owner: string) => and(eq(carts.owner, owner), isNotNull(carts.parkedAt))

async function park(ctx: Ctx, owner: string, cart: CartRow) {
  await ctx.db.delete(carts).where(parkedOf(owner))
  await touch(ctx, cart, { parkedAt: sql`now()` })
}

const parkedCart = ({ parkedId: id, parkedVersion: version }: CartRow) => ({ id, version })

/** Restores the parked cart and parks the active one. */
export async function restoreCart(ctx: Ctx, catalogue: Catalogue): Promise<Cart> {
  const owner = ownerOf(ctx.actor)
  const cart = owner === null ? null : await lockCarts(ctx.db, owner)
  if (!cart || owner === null || cart.parkedVersion === null) throw new AppError('NO_PARKED_CART')
  const restored = { parkedAt: null, version: Math.max(cart.version, cart.parkedVersion) + 1 }
  if (cart.vendorId === null) {
    await ctx.db.delete(carts).where(and(eq(carts.owner, owner), isNull(carts.parkedAt)))
    await touch(ctx, parkedCart(cart), restored)
  } else {
    // An owner has one cart of each kind at any time, so the active one gets a temporary owner during the swap.
    await touch(ctx, cart, { userId: null, sessionId: `aside ${cart.id}` })
    await touch(ctx, parkedCart(cart), restored)
    await touch(ctx, cart, { ...columnsOf(owner), parkedAt: sql`now()` })
  }
  return readCart(ctx, catalogue)
}

/** Gives the visitor's carts to the user who signed in, by `planAdoption`. Not while impersonating. */
export async function adoptGuestCart(
  ctx: Ctx,
  { userId, guestSession }: { userId: number; guestSession: string | null },
): Promise<void> {
  if (guestSession === null || ctx.actor.impersonator) return
  const guest = await lockCarts(ctx.db, guestSession)
  if (guest.items.length > 0 || guest.parkedId !== null) {
    const owner = ownerOfUser(userId)
    const own = await lockCarts(ctx.db, owner)
    const plan = planAdoption(guest, own)
    const version = Math.max(guest.version, own.version) + 1
    if (plan.active === 'merge') {
      const merged = { ...own, vendorId: guest.vendorId }
      const lines = [...guest.items].sort((a, b) => a.id - b.id)
      await saveItems(ctx.db, merged, columnsOf(owner), lines, version)
    }
    if (plan.active === 'replace') {
      await park(ctx, owner, own)
      await touch(ctx, guest, { ...columnsOf(owner), version })
    }
    if (plan.takesParked) {
      await ctx.db.delete(carts).where(parkedOf(owner))
      await touch(ctx, parkedCart(guest), columnsOf(owner))
    }
  }
  await ctx.db.delete(carts).where(eq(carts.owner, guestSession))
}

export async function eraseCartsOf(ctx: Ctx, userId: number): Promise<void> {
  await lockCartsOf(ctx, userId)
  await ctx.db.delete(carts).where(eq(carts.userId, userId))
}
