import type { Run, RunStop } from '@qatra/contract/drivers'
import { addFils, fils, fromBhd, toBhd, zeroFils } from '@qatra/contract/lib/money'
import {
  type BottleCount,
  type BottleSum,
  bottleSums,
  changesOrder,
  countedAs,
  countsOfOrder,
  type RefundChoice,
  refundOf,
} from '@qatra/contract/orders/bottles'
import { cashDue, paymentAfter } from '@qatra/contract/orders/cash'
import type { Order } from '@qatra/contract/orders/orders'
import { isBeyondLimit, type RefundLimit } from '@qatra/contract/orders/payments'
import { type Charges, chargesInBhd, orderTotals } from '@qatra/contract/orders/totals'
import { isInLine, moreThanLeft, type VanGoods, type VanLine } from '@qatra/contract/van'

/** An order of which more or fewer can be handed over, also as a stop of a run. */
export type Deliverable = Pick<
  Order,
  'status' | 'items' | keyof Charges | 'paymentMethod' | 'paymentStatus' | 'amountPaid' | 'customerName'
> & {
  /** Types of bottles of which the empties are counted. */
  bottles?: RunStop['bottles']
}

/** What the driver's run says of a delivery; nothing at the office, which does not see the van. */
export interface DoorRules {
  difference?: Run['bottleDifference']
  van?: readonly VanLine[]
  /** What the driver chose for more empties than expected. */
  refund?: RefundChoice | undefined
  /** What the driver may pay back today. */
  refundLimit?: RefundLimit | null
}

/** A product of the vendor at today's price. */
export type VanProduct = Run['products'][number]

type Quantities = ReadonlyMap<number, number>
/** Pieces handed over: of items by their id, others as ordered; of products that are no item by theirs. */
export interface HandedOver {
  items: Quantities
  van: Quantities
  /** Bottles that came back, by type; good ones that nobody has counted as expected. */
  bottles?: ReadonlyMap<number, Partial<Omit<BottleCount, 'typeId'>>>
}

/** The products that are no item of the order. */
export const othersOf = ({ items }: Pick<Deliverable, 'items'>, products: readonly VanProduct[]) =>
  products.filter(({ id }) => items.every(({ productId }) => productId !== id))

/** Pieces of a product; BHD of deposit of a bottle that comes back. */
export function goodsOf({ id: productId, bottle }: Pick<VanProduct, 'id' | 'bottle'>, quantity: number) {
  const lent = bottle?.terms === 'exchange' ? bottle : null
  return { productId, quantity, bottleTypeId: lent && lent.typeId, bottleDeposit: lent && lent.deposit }
}

/** What differs from the order, and by the server's rules the total and the cash that is due for it, in BHD. */
export function deliveryOf(
  order: Deliverable,
  products: readonly VanProduct[],
  { items, van, bottles = new Map() }: HandedOver,
  { difference = 'owed', van: vanLines = [], refund: chosen, refundLimit = null }: DoorRules = {},
) {
  const lines = order.items.map(
    ({ id, productId, price, vatPercentage, quantity: ordered, bottleDeposit, bottleTypeId, empties }) => {
      const bottle = { bottleTypeId, bottleDeposit: bottleDeposit === null ? null : fromBhd(bottleDeposit), empties }
      return {
        itemId: id,
        productId,
        price: fromBhd(price),
        vatPercentage,
        ordered,
        quantity: items.get(id) ?? ordered,
        ...bottle,
      }
    },
  )
  const more = othersOf(order, products).map((product) => {
    const goods = goodsOf(product, van.get(product.id) ?? 0)
    const bottleDeposit = goods.bottleDeposit === null ? null : fromBhd(goods.bottleDeposit)
    return {
      ...goods,
      productId: product.id,
      bottleDeposit,
      price: fromBhd(product.price),
      vatPercentage: product.vatPercentage,
      empties: 0,
    }
  })
  const given = [...lines, ...more].filter(({ quantity }) => quantity > 0)
  const asExpected = countedAs(given, [])
  const expected = new Map(bottleSums(asExpected, []).map((sum) => [sum.typeId, sum]))
  const counts = (order.bottles ?? []).flatMap(({ typeId }) => {
    const counted = bottles.get(typeId)
    const of = expected.get(typeId)
    return of || counted ? [{ typeId, returned: of?.returned ?? 0, ...counted }] : []
  })
  const countedWith = (choice: RefundChoice | undefined) =>
    countedAs(given, changesOrder(difference, order) ? countsOfOrder(given, counts, choice) : [])
  const paidNow = refundsOf(order, bottleSums(countedWith('now'), counts))
  const isBeyond = isBeyondLimit(fromBhd(paidNow), refundLimit)
  const refund = isBeyond && chosen === 'now' ? 'credit' : chosen
  const handedOver = countedWith(refund)
  const sums = bottleSums(handedOver, counts)
  const delivered = lines
    .filter(({ quantity, ordered }) => quantity !== ordered)
    .map(({ itemId, quantity }) => ({ itemId, quantity }))
  const added = more.filter(({ quantity }) => quantity > 0).map(({ productId, quantity }) => ({ productId, quantity }))
  const { total, deposit } = orderTotals(handedOver, chargesInBhd(order))
  const received = fromBhd(order.amountPaid)
  const bill = { ...order, total, received, paymentStatus: paymentAfter(order.paymentStatus, { total, received }) }
  return {
    report: {
      ...(delivered.length > 0 && { delivered }),
      ...(added.length > 0 && { added }),
      ...(counts.length > 0 && { bottles: counts }),
    },
    total: toBhd(total),
    deposit: toBhd(deposit),
    /** What each type of bottles moves, and how many empties are expected. */
    bottles: sums.map((sum) => ({
      ...sum,
      expected: expected.get(sum.typeId)?.returned ?? 0,
    })),
    due: toBhd(cashDue(bill)),
    /** BHD of deposits that are paid back beside the total, and by which the customer has more for all empties beyond the expected. */
    refund: refundsOf(order, sums),
    gained: refundsOf(order, bottleSums(asExpected, counts)),
    /** As chosen, but for more than may be paid back today, which is credit. */
    refundChoice: refund,
    isBeyondLimit: isBeyond,
    /** What was paid above the total. */
    owed: toBhd(fils(Math.max(0, received - total))),
    /** A line of the van that has less than is handed over beyond the order. */
    short: moreThanLeft(vanLines, { ordered: order.items, handedOver: given }),
    /** Pieces of these goods that the van has for this order, and how many of them nothing else of it takes; null if not known. */
    leftFor(goods: VanGoods) {
      const line = vanLines.find((one) => isInLine(one, goods))
      if (!line || line.left === null) return null
      const taken = given.reduce((sum, one) => (isInLine(line, one) ? sum + one.quantity : sum), 0)
      return { inVan: Math.max(0, line.left), free: Math.max(0, line.left - taken) }
    },
    isAll: delivered.length + added.length === 0,
    isNothing: handedOver.length === 0,
  }
}

function refundsOf({ bottles = [] }: Pick<Deliverable, 'bottles'>, sums: readonly BottleSum[]): number {
  const refunds = bottles.flatMap(({ typeId, deposit, held, depositHeld }) => {
    const sum = sums.find((one) => one.typeId === typeId)
    return sum ? [refundOf(sum, { deposit: fromBhd(deposit), held, depositHeld: fromBhd(depositHeld) })] : []
  })
  return toBhd(addFils(zeroFils, ...refunds))
}
