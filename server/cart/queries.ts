import { type Cart, type CartItem, emptyCart } from '@qatra/contract/cart'
import { shownPicture } from '@qatra/contract/media'
import { cartTotals, type Fils, toBhd, zeroFils } from '@qatra/contract/money'
import { eq, inArray } from 'drizzle-orm'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { CatalogueProduct } from '../products/snapshot.ts'
import { products } from '../products/tables.ts'
import { vendors } from '../vendors/tables.ts'
import { ownerOf } from './policy.ts'

/** The row that the database function `cart_view` returns. */
export interface CartRow {
  id: number | null
  vendor_id: number | null
  version: number | null
  items: readonly (readonly [id: number, productId: number, quantity: number])[] | null
  parked_vendor_id: number | null
  parked_items: number | null
}

/** The product fields that a cart needs. */
export type Offer = Omit<CatalogueProduct, 'description' | 'descriptionAr' | 'isActive'> & { isAvailable: boolean }
export type Offers = ReadonlyMap<number, Offer>

const viewSql = statement('cart-view', 'select * from cart_view($1)')

export async function readCart(ctx: Ctx, catalogue: Catalogue): Promise<Cart> {
  const owner = ownerOf(ctx.actor)
  if (owner === null) return emptyCart
  const [row] = await run<CartRow>(ctx.db, viewSql, [owner])
  return row ? describeCart(ctx, catalogue, row) : emptyCart
}

/** The cart with names and prices of the database in this transaction. */
export async function readCartUncached(ctx: Ctx, deliveryFee: Fils): Promise<Cart> {
  const [row] = await run<CartRow>(ctx.db, viewSql, [ownerOf(ctx.actor)])
  if (!row) return emptyCart
  const offers = await listOffers(
    ctx,
    (row.items ?? []).map(([, productId]) => productId),
  )
  return cartFrom(row, new Map(offers.map((offer) => [offer.id, offer])), deliveryFee)
}

/** The cart with names and prices of the catalogue snapshot; reads deleted products from the database. */
export async function describeCart(ctx: Ctx, catalogue: Catalogue, row: CartRow): Promise<Cart> {
  const offers = new Map<number, Offer>()
  const missing: number[] = []
  for (const [, productId] of row.items ?? []) {
    const product = catalogue.products.get(productId)
    const vendor = product && catalogue.vendors.get(product.vendorId)
    if (product && vendor) offers.set(productId, { ...product, isAvailable: product.isActive && vendor.isActive })
    else missing.push(productId)
  }
  if (missing.length > 0) for (const offer of await listOffers(ctx, missing)) offers.set(offer.id, offer)
  const vendor = row.vendor_id === null ? undefined : catalogue.vendors.get(row.vendor_id)
  return cartFrom(row, offers, vendor?.deliveryFee ?? zeroFils)
}

/** Computes money for cart and order alike: unavailable items are listed but not in any sum. */
export function cartFrom(row: CartRow, offers: Offers, deliveryFee: Fils): Cart {
  const inOrder = [...(row.items ?? [])].sort(([a], [b]) => a - b)
  const lines = inOrder.flatMap(([id, productId, quantity]) => {
    const offer = offers.get(productId)
    return offer ? [{ id, offer, quantity }] : []
  })
  const totals = cartTotals(
    lines.flatMap(({ offer, quantity }) => (offer.isAvailable ? [{ ...offer, quantity }] : [])),
    deliveryFee,
  )
  return {
    id: row.id,
    vendorId: row.vendor_id,
    items: lines.map(({ id, offer, quantity }) => itemOf(row.id ?? 0, id, offer, quantity)),
    subtotal: toBhd(totals.subtotal),
    deliveryFee: toBhd(totals.deliveryFee),
    productVAT: toBhd(totals.productVAT),
    total: toBhd(totals.total),
    version: row.version ?? 0,
    parked: row.parked_vendor_id === null ? null : { vendorId: row.parked_vendor_id, itemCount: row.parked_items ?? 0 },
  }
}

const itemOf = (cartId: number, id: number, offer: Offer, quantity: number): CartItem => ({
  id,
  cartId,
  productId: offer.id,
  quantity,
  name: offer.name,
  nameAr: offer.nameAr,
  size: offer.size,
  price: toBhd(offer.price),
  imageUrl: shownPicture(offer.imageUrl),
  vendorId: offer.vendorId,
  vatPercentage: offer.vatPercentage,
  inventoryUnit: offer.inventoryUnit,
  inventoryUnitAr: offer.inventoryUnitAr,
  unitsPerInventoryUnit: offer.unitsPerInventoryUnit,
  isAvailable: offer.isAvailable,
})

export interface StoredOffer extends Offer {
  isActive: boolean
  isVendorActive: boolean
  deletedAt: Date | null
}

/** Products from the database, including deleted ones. */
export async function listOffers(ctx: Pick<Ctx, 'db'>, productIds: readonly number[]): Promise<StoredOffer[]> {
  const rows = await ctx.db
    .select({ product: products, isVendorActive: vendors.isActive })
    .from(products)
    .innerJoin(vendors, eq(vendors.id, products.vendorId))
    .where(inArray(products.id, [...productIds]))
  return rows.map(({ product, isVendorActive }) => ({
    ...product,
    isVendorActive,
    price: product.price as Fils, // stored in fils
    isAvailable: product.isActive && product.deletedAt === null && isVendorActive,
  }))
}
