import { randomInt } from 'node:crypto'
import type { Output } from '@qatra/contract/endpoint'
import { cartTotals, fromBhd, minimumLeft, toBhd } from '@qatra/contract/money'
import type { OrderField } from '@qatra/contract/order-history'
import { newOrderId } from '@qatra/contract/order-id'
import { type placeSalesOrder as place, usualSalesFee } from '@qatra/contract/sales'
import { and, eq } from 'drizzle-orm'
import type { CatalogueArea } from '../../areas/snapshot.ts'
import { lockCartsOf } from '../../cart/commands.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { sha256 } from '../../http/session-cookie.ts'
import { type Change, emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { customerOfCaller } from '../../users/customers.commands.ts'
import { promisedDateFor } from '../../vendors/promised-dates.ts'
import type { CatalogueVendor } from '../../vendors/snapshot.ts'
import { keyOf } from '../checkout/place-order.sql.ts'
import { soldBy } from '../policy.ts'
import { requireOrder } from '../queries.ts'
import { orderItems, orderKeys, orders } from '../tables.ts'
import { requireCoverage, requireLines, requireSensible, type SalesInput, type SalesLine } from './rules.ts'

type Placed = Output<typeof place>

/**
 * Places a phone order for a customer found or created by phone. An idempotency key returns its first order and is
 * bound only by a placed one: a refusal rolls the key's row back.
 */
export async function placeSalesOrder(ctx: Ctx, catalogue: Catalogue, input: SalesInput): Promise<Placed> {
  requireSensible(ctx, input)
  const id = newOrderId(randomInt)
  const known = await bindKey(ctx, id, fingerprintOf(input))
  if (known !== null) return readPlaced(ctx, catalogue, known)
  const { vendorId, lines } = await requireLines(ctx, input)
  const vendor = catalogue.vendors.get(vendorId)
  if (!vendor) throw new AppError('UNAVAILABLE')
  const { area, isOverridden } = requireCoverage(catalogue, vendor, input)
  const { phone, customerName, address, addressParts, mapCoordinates } = input
  const caller = { phone, name: customerName, address, addressParts: addressParts ?? null, point: mapCoordinates }
  const customer = await customerOfCaller(ctx, caller, lockCartsOf)
  const promisedDate = promisedDateFor(catalogue, vendor, ctx.now)
  await write(ctx, { id, customerId: customer.id, input, vendor, lines, area, promisedDate })
  await emitPlaced(ctx, { id, customerId: customer.id, input, vendor, lines, isOverridden })
  return readPlaced(ctx, catalogue, id)
}

/** The order that this key already placed; null if the key is free or absent. */
async function bindKey(ctx: Ctx, orderId: string, fingerprint: string): Promise<string | null> {
  const key = keyOf(ctx.client)
  if (key === null) return null
  const { id: userId } = userOf(ctx)
  // Waits for a concurrent transaction with the same key.
  const bound = await ctx.db
    .insert(orderKeys)
    .values({ userId, key, orderId, fingerprint })
    .onConflictDoNothing()
    .returning({ orderId: orderKeys.orderId })
  if (bound.length > 0) return null
  const [known] = await ctx.db
    .select()
    .from(orderKeys)
    .where(and(eq(orderKeys.userId, userId), eq(orderKeys.key, key)))
  if (!known) throw new AppError('UNAVAILABLE')
  if (known.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return known.orderId
}

/** Of the parsed input, so that two spellings of a phone are equal. */
const fingerprintOf = (input: SalesInput) => sha256(JSON.stringify(['sales', input]))

interface Sale {
  id: string
  customerId: number
  input: SalesInput
  vendor: CatalogueVendor
  lines: readonly SalesLine[]
}

async function write(
  ctx: Ctx,
  {
    id,
    customerId,
    input,
    vendor,
    lines,
    area,
    promisedDate,
  }: Sale & { area: CatalogueArea | null; promisedDate: string },
) {
  const totals = cartTotals(lines, fromBhd(input.deliveryFee))
  await ctx.db.insert(orders).values({
    id,
    userId: customerId,
    vendorId: vendor.id,
    vendorName: vendor.name,
    vendorNameAr: vendor.nameAr,
    vendorLogo: vendor.logoUrl,
    customerName: input.customerName,
    phone: input.phone,
    address: input.address,
    addressParts: input.addressParts ?? null,
    lat: input.mapCoordinates.lat,
    lng: input.mapCoordinates.lng,
    areaId: area?.id ?? null,
    areaName: area?.name ?? null,
    areaNameAr: area?.nameAr ?? null,
    instructions: input.instructions || null,
    subtotal: totals.subtotal,
    deliveryFee: totals.deliveryFee,
    productVat: totals.productVAT,
    total: totals.total,
    placedBy: userOf(ctx).id,
    promisedDate,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  await ctx.db.insert(orderItems).values(
    lines.map(({ offer, quantity, price, listPrice, reason }) => ({
      orderId: id,
      productId: offer.id,
      name: offer.name,
      nameAr: offer.nameAr,
      size: offer.size,
      imageUrl: offer.imageUrl,
      price,
      vatPercentage: offer.vatPercentage,
      quantity,
      unitsPerInventoryUnit: offer.unitsPerInventoryUnit,
      listPrice,
      priceReason: reason,
    })),
  )
}

/** Writes the history: agent, customer, and every deviation from the shop's terms with both values. */
async function emitPlaced(
  ctx: Ctx,
  { id, customerId, input, vendor, lines, isOverridden }: Sale & { isOverridden: boolean },
) {
  const about = { resource: 'order', id, vendorId: vendor.id, onBehalfOf: customerId } as const
  await emit(ctx, {
    ...about,
    name: 'order.placed',
    action: 'created',
    changes: [{ field: 'status', from: null, to: 'new' }],
    payload: { to: 'new', version: 1 },
  })
  const agreed = (change: Change<OrderField>, notes: string | null) =>
    emit(ctx, { ...about, name: 'order.terms-agreed', action: 'updated', changes: [change], notes })
  for (const { offer, price, listPrice, reason } of lines) {
    if (listPrice === null) continue
    await agreed({ field: `items.${offer.id}.price`, from: toBhd(listPrice), to: toBhd(price) }, reason)
  }
  const usualFee = toBhd(vendor.deliveryFee)
  if (input.deliveryFee !== usualFee && input.deliveryFee !== usualSalesFee)
    await agreed({ field: 'deliveryFee', from: usualFee, to: input.deliveryFee }, null)
  if (isOverridden) await agreed({ field: 'coverage', from: 'checked', to: 'ignored' }, input.reason ?? null)
}

async function readPlaced(ctx: Ctx, catalogue: Catalogue, id: string): Promise<Placed> {
  const order = await requireOrder(ctx, id, soldBy(ctx.actor))
  const minimum = catalogue.vendors.get(order.vendorId)?.minDeliveryAmount ?? null
  return { ...order, minimumLeft: toBhd(minimumLeft(fromBhd(order.subtotal), minimum)) }
}
