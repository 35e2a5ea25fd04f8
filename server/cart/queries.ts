import { withEmpties } from '@qatra/contract/bottles'
import { type Cart, emptyCart } from '@qatra/contract/cart/cart'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { shownPicture } from '@qatra/contract/media'
import {
  type Charges,
  depositOfLine,
  noTotals,
  orderTotals,
  storedCharges,
  totalsInBhd,
} from '@qatra/contract/orders/totals'
import { eq, inArray } from 'drizzle-orm'
import { depositOf, offeredBottle } from '../bottles/queries.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import type { CatalogueProduct } from '../products/snapshot.ts'
import { products } from '../products/tables.ts'
import { vendors } from '../vendors/tables.ts'
import { type CartRow, ownerOf, readCarts } from './cart.sql.ts'

/** The columns that a cart is shown by. */
export type ShownCart = Pick<
  CartRow,
  'id' | 'vendorId' | 'version' | 'items' | 'free' | 'parkedVendorId' | 'parkedItems'
>

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
  const known = inOrder.flatMap(({ productId, ...item }) => {
    const offer = offers.get(productId)
    return offer ? [{ ...offer, ...item, productId, bottleDeposit: depositOf(offer.bottle) }] : []
  })
  const lines = withEmpties(known, row.free)
  const totals = orderTotals(
    lines.filter(({ isAvailable }) => isAvailable),
    terms,
  )
  return {
    id: row.id,
    vendorId: row.vendorId,
    items: lines.map(({ id, quantity, held, isAnswered, productId, ...line }) => ({
      id,
      cartId: row.id ?? 0,
      productId,
      quantity,
      name: line.name,
      nameAr: line.nameAr,
      size: line.size,
      price: toBhd(line.price),
      imageUrl: shownPicture(line.imageUrl),
      vendorId: line.vendorId,
      vatPercentage: line.vatPercentage,
      inventoryUnit: line.inventoryUnit,
      inventoryUnitAr: line.inventoryUnitAr,
      unitsPerInventoryUnit: line.unitsPerInventoryUnit,
      bottle: line.bottle && { ...line.bottle, deposit: toBhd(line.bottle.deposit) },
      empties: line.empties ?? 0,
      held,
      isAnswered,
      deposit: toBhd(depositOfLine({ ...line, quantity })),
      isAvailable: line.isAvailable,
    })),
    ...totalsInBhd(totals),
    free: row.free,
    version: row.version,
    parked: row.parkedVendorId === null ? null : { vendorId: row.parkedVendorId, itemCount: row.parkedItems },
  }
}

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
