import type { Output } from '@qatra/contract/endpoint'
import { fromBhd, minimumLeft, toBhd } from '@qatra/contract/lib/money'
import type { OrderField } from '@qatra/contract/orders/history'
import { chargesInBhd, orderTotals } from '@qatra/contract/orders/totals'
import { type placeSalesOrder as place, usualSalesFee } from '@qatra/contract/sales'
import { readFreeBottles } from '../../bottles/queries.ts'
import { slotsFor } from '../../calendar/delivery-days.ts'
import { lockCalendar, readDeliveryTerms } from '../../calendar/queries.ts'
import { listOffers } from '../../cart/queries.ts'
import type { Catalogue } from '../../catalogue/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { allInOrder } from '../../database/transaction.ts'
import { type Change, emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { customerOfCaller, lockCaller } from '../../users/customers.commands.ts'
import { listPriceFloors } from '../../vendors/queries.ts'
import { type OrderDraft, placeOrder } from '../placing/commands.ts'
import { requireSlot } from '../placing/rules.ts'
import { soldBy } from '../policy.ts'
import { requireOrder } from '../queries.ts'
import { requireCoverage, requireLines, requireSensible, type SalesInput, type SalesInputs } from './rules.ts'

type Placed = Output<typeof place>

/** Places a phone order for a customer found or created by phone. */
export async function placeSalesOrder(ctx: Ctx, catalogue: Catalogue, input: SalesInput): Promise<Placed> {
  requireSensible(ctx, input)
  const { expectedDate: _, ...request } = input
  const { id, draft } = await placeOrder(ctx, {
    channel: 'sales',
    request,
    read: () => readInputs(ctx, input),
    prepareDraft: (inputs) => prepareDraft(ctx, catalogue, { inputs, input }),
  })
  if (draft) await recordAgreedTerms(ctx, catalogue, { id, input, draft })
  const order = await requireOrder(ctx, id, soldBy(ctx.actor))
  const minimum = catalogue.vendors.get(order.vendorId)?.minDeliveryAmount ?? null
  return { ...order, minimumLeft: toBhd(minimumLeft(fromBhd(order.subtotal), minimum)) }
}

/** Locks the customer and the calendar, then reads, in one round trip. */
async function readInputs(ctx: Ctx, { phone, items }: SalesInput): Promise<SalesInputs> {
  const productIds = items.map((item) => item.productId)
  const hasAgreedPrice = items.some((item) => typeof item.customPrice === 'number')
  const [, , offers, floors, free] = await allInOrder([
    lockCaller(ctx, phone),
    lockCalendar(ctx),
    listOffers(ctx, productIds),
    hasAgreedPrice ? listPriceFloors(ctx, null) : Promise.resolve([]),
    readFreeBottles(ctx, phone),
  ])
  return { offers, floors, free }
}

async function prepareDraft(
  ctx: Ctx,
  catalogue: Catalogue,
  { inputs, input }: { inputs: SalesInputs; input: SalesInput },
): Promise<OrderDraft> {
  const { vendorId, lines } = requireLines(ctx, inputs, input)
  const vendor = catalogue.vendors.get(vendorId)
  if (!vendor) throw new AppError('UNAVAILABLE')
  const area = requireCoverage(catalogue, vendor, input)
  const slot = requireSlot(slotsFor(await readDeliveryTerms(ctx, vendorId), ctx.now), input)
  const { phone, customerName: name, address, addressParts = null, mapCoordinates: point } = input
  const { instructions, pinSource = null, receiverName = null, receiverPhone = null } = input
  const customer = await customerOfCaller(ctx, {
    phone,
    name,
    address,
    addressParts,
    point,
    pinSource,
    receiverName,
    receiverPhone,
    instructions: instructions || null,
  })
  return {
    customer: { id: customer.id, phone },
    vendor,
    delivery: input,
    buyer: input,
    area,
    lines,
    totals: orderTotals(lines, chargesInBhd(input)),
    paymentMethod: 'cash',
    slot,
    cartId: null,
    placedBy: userOf(ctx).id,
  }
}

/** Writes every deviation from the shop's terms to the history, with both values. */
async function recordAgreedTerms(
  ctx: Ctx,
  catalogue: Catalogue,
  { id, input, draft }: { id: string; input: SalesInput; draft: OrderDraft },
) {
  const { vendor, customer, lines, area } = draft
  const shop = catalogue.vendors.get(vendor.id)
  const about = { resource: 'order', id, vendorId: vendor.id, onBehalfOf: customer.id } as const
  const agreed = (change: Change<OrderField>, notes: string | null) =>
    emit(ctx, { ...about, name: 'order.terms-agreed', action: 'updated', changes: [change], notes })
  for (const { productId, price, listPrice, priceReason = null } of lines) {
    if (!listPrice) continue
    await agreed({ field: `items.${productId}.price`, from: toBhd(listPrice), to: toBhd(price) }, priceReason)
  }
  const usualFee = shop && toBhd(shop.deliveryFee)
  if (input.deliveryFee !== usualFee && input.deliveryFee !== usualSalesFee)
    await agreed({ field: 'deliveryFee', from: usualFee, to: input.deliveryFee }, null)
  const isServed = area !== null && shop?.areaIds.has(area.id)
  if (!isServed) await agreed({ field: 'coverage', from: 'checked', to: 'ignored' }, input.reason ?? null)
}
