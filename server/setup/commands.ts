import { orderTotals } from '@qatra/contract/orders/totals'
import { listOffers } from '../cart/queries.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { takeLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { translatorFor } from '../lib/translate.ts'
import { type OrderDraft, placeOrder } from '../orders/placing/commands.ts'
import { requireLines } from '../orders/sales/rules.ts'
import { promisedSlotFor } from '../vendors/promised-dates.ts'
import { requireVendor } from '../vendors/queries.ts'

const existingSql = statement('test-order-existing', 'select id from orders where is_test')
const deleteSql = statement('test-order-delete', 'select delete_test_orders() as deleted')

/**
 * Places one piece of the vendor's first product, to the vendor's first area, for the caller's own phone. The order is a real
 * one with `is_test`: it takes every way that a customer's order takes, except that it gets no receipt number and is not sent
 * to the older system.
 */
export async function placeTestOrder(ctx: Ctx, catalogue: Catalogue, vendorId: number): Promise<{ id: string }> {
  await takeLock(ctx.db, 'test-order')
  const [existing] = await run<{ id: string }>(ctx.db, existingSql)
  if (existing) return existing
  const { id } = await placeOrder(ctx, {
    channel: 'test',
    request: { vendorId },
    read: () => listOffers(ctx, firstProductOf(catalogue, vendorId)),
    prepareDraft: async (offers) => draftOf(ctx, catalogue, { vendorId, offers }),
  })
  return { id }
}

type Offers = Awaited<ReturnType<typeof listOffers>>

function firstProductOf({ products }: Catalogue, vendorId: number): number[] {
  const offered = [...products.values()].filter((product) => product.vendorId === vendorId && product.isActive)
  return offered.slice(0, 1).map(({ id }) => id)
}

/** @throws VENDOR_NOT_FOUND, ORDER_EMPTY without a product, VENDOR_DOES_NOT_DELIVER without an area */
function draftOf(
  ctx: Ctx,
  catalogue: Catalogue,
  { vendorId, offers }: { vendorId: number; offers: Offers },
): OrderDraft {
  const vendor = requireVendor(catalogue, ctx.actor, vendorId)
  if (offers.length === 0) throw new AppError('ORDER_EMPTY')
  const [area] = [...catalogue.areas.values()].filter(({ id }) => vendor.areaIds.has(id))
  if (!area) throw new AppError('VENDOR_DOES_NOT_DELIVER')
  const items = offers.map(({ id: productId }) => ({ productId, quantity: 1 }))
  const { lines } = requireLines(ctx, { offers, floors: [], free: {} }, { items, vendorId })
  const { id, phone } = userOf(ctx)
  const t = translatorFor(ctx.actor.lang)
  return {
    customer: { id, phone },
    vendor,
    delivery: { customerName: t('testOrder.name'), address: t('testOrder.address'), mapCoordinates: area.centre },
    buyer: {},
    area,
    lines,
    totals: orderTotals(lines, vendor),
    paymentMethod: 'cash',
    slot: promisedSlotFor(catalogue, vendor, ctx.now),
    cartId: null,
    placedBy: id,
    isTest: true,
  }
}

export async function deleteTestOrder(ctx: Ctx): Promise<{ deleted: number }> {
  await takeLock(ctx.db, 'test-order')
  const [existing] = await run<{ id: string }>(ctx.db, existingSql)
  if (!existing) return { deleted: 0 }
  const [gone] = await run<{ deleted: number }>(ctx.db, deleteSql)
  await emit(ctx, { name: 'test-order.deleted', action: 'deleted', resource: 'test-order', id: existing.id })
  return { deleted: gone?.deleted ?? 0 }
}
