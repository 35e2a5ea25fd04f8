import { type Cart, type CartItem, emptyCart } from '@qatra/contract/cart/cart'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { shownPicture } from '@qatra/contract/media'
import { type Charges, noTotals, orderTotals, storedCharges, totalsInBhd } from '@qatra/contract/orders/totals'
import { eq, inArray } from 'drizzle-orm'
import { offeredBottle } from '../bottles/queries.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import type { CatalogueProduct } from '../products/snapshot.ts'
import { products } from '../products/tables.ts'
import { vendors } from '../vendors/tables.ts'
import { type CartRow, ownerOf, readCarts } from './cart.sql.ts'

/** The columns that a cart is shown by. */
export type ShownCart = Pick<CartRow, 'id' | 'vendorId' | 'version' | 'items' | 'parkedVendorId' | 'parkedItems'>

/** The product fields that a cart needs. */
export type Offer = Omit<CatalogueProduct, 'description' | 'descriptionAr' | 'isActive'> & { isAvailable: boolean }
export type Offers = ReadonlyMap<number, Offer>

export async function readCart(ctx: Ctx, catalogue: Catalogue): Promise<Cart> {
  const owner = ownerOf(ctx.actor)
  if (owner === null) return emptyCart
  return describeCart(ctx, catalogue, await readCarts(ctx.db, owner))
}

/** The cart with names and prices of the database in this transaction. */
export async function readCartUncached(ctx: Ctx, terms: Charges): Promise<Cart> {
  const row = await readCarts(ctx.db, ownerOf(ctx.actor))
  const offers = await listOffers(
    ctx,
    row.items.map((item) => item.productId),
  )
  return cartFrom(row, new Map(offers.map((offer) => [offer.id, offer])), terms)
}

/** The cart with names and prices of the catalogue snapshot; reads deleted products from the database. */
export async function describeCart(ctx: Ctx, catalogue: Catalogue, row: ShownCart): Promise<Cart> {
  const offers = new Map<number, Offer>()
  const missing: number[] = []
  for (const { productId } of row.items) {
    const product = catalogue.products.get(productId)
    const vendor = product && catalogue.vendors.get(product.vendorId)
    if (product && vendor) offers.set(productId, { ...product, isAvailable: product.isActive && vendor.isActive })
    else missing.push(productId)
  }
  if (missing.length > 0) for (const offer of await listOffers(ctx, missing)) offers.set(offer.id, offer)
  const vendor = row.vendorId === null ? undefined : catalogue.vendors.get(row.vendorId)
  return cartFrom(row, offers, vendor ?? storedCharges(noTotals))
}

/** Computes money for cart and order alike: unavailable items are listed but not in any sum. */
export function cartFrom(row: ShownCart, offers: Offers, terms: Charges): Cart {
  const inOrder = [...row.items].sort((a, b) => a.id - b.id)
  const lines = inOrder.flatMap(({ id, productId, quantity }) => {
    const offer = offers.get(productId)
    return offer ? [{ id, offer, quantity }] : []
  })
  const totals = orderTotals(
    lines.flatMap(({ offer, quantity }) => (offer.isAvailable ? [{ ...offer, quantity }] : [])),
    terms,
  )
  return {
    id: row.id,
    vendorId: row.vendorId,
    items: lines.map(({ id, offer, quantity }) => itemOf(row.id ?? 0, id, offer, quantity)),
    ...totalsInBhd(totals),
    version: row.version,
    parked: row.parkedVendorId === null ? null : { vendorId: row.parkedVendorId, itemCount: row.parkedItems },
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
  if (productIds.length === 0) return []
  const rows = await ctx.db
    .select({ product: products, bottle: offeredBottle, isVendorActive: vendors.isActive })
    .from(products)
    .innerJoin(vendors, eq(vendors.id, products.vendorId))
    .where(inArray(products.id, [...productIds]))
  return rows.map(({ product, bottle, isVendorActive }) => ({
    ...product,
    bottle,
    isVendorActive,
    price: product.price as Fils, // stored in fils
    isAvailable: product.isActive && product.deletedAt === null && isVendorActive,
  }))
}
