/** What unsent reports change in the van and in what customers have, as the server will. */

import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Run, RunStop } from '@qatra/contract/drivers'
import type { BottleCount, RefundChoice } from '@qatra/contract/orders/bottles'
import type { AddedItem, DeliveredItem } from '@qatra/contract/orders/cash'
import { isInLine, type VanGoods, type VanLine, vanLeft } from '@qatra/contract/van'
import { goodsOf } from '../../../orders/delivered-items.ts'

/** What was handed over otherwise than ordered. */
export interface CountedDelivery {
  delivered?: DeliveredItem[]
  added?: AddedItem[]
  bottles?: BottleCount[]
  refund?: RefundChoice | undefined
  /** BHD of deposits that are paid back with `now`. */
  paidBack?: number
  /** BHD that was due by the count of the bottles. */
  due?: number
  /** Of the order from which was counted: the office may have changed it meanwhile. */
  version?: number
}

type Goods = Pick<VanLine, 'typeId' | 'productId'>
/** Of one type of bottles, or of one product. */
export type VanCount = Goods & { full: number; empty: number }

export interface VanReport {
  kind: 'van'
  date: string
  did: 'loaded' | 'unloaded' | 'counted'
  counts: readonly VanCount[]
}

/** Each of the counts is sent with a key of its own. */
export const vanKey = (key: string, { typeId, productId }: Goods) =>
  `${key}:${typeId === null ? `product-${productId}` : `bottle-${typeId}`}`

const isSame = (a: Goods, b: Goods) => a.typeId === b.typeId && a.productId === b.productId

/** The line of the goods; a new one knows what was delivered of a product before. */
function lineOf({ van, stops, date }: Pick<Run, 'van' | 'stops' | 'date'>, goods: Goods): VanLine {
  const known = van.find((line) => isSame(line, goods))
  if (known) return known
  const items = stops.flatMap((stop) => (isDeliveredOn(stop, date) ? stop.items : []))
  const delivered = items.reduce((sum, item) => (isInLine(goods, item) ? sum + item.quantity : sum), 0)
  const { typeId, productId } = goods
  const none = {
    loaded: 0,
    unloaded: 0,
    returned: 0,
    empties: 0,
    left: null,
    counted: null,
    difference: null,
    keys: [],
  }
  return { typeId, productId, delivered: typeId === null ? delivered : 0, ...none }
}
const isDeliveredOn = ({ status, deliveredAt }: RunStop, date: string) =>
  status === 'delivered' && deliveredAt !== null && bahrainDate(new Date(deliveredAt)) === date

type Change = Partial<Pick<VanLine, 'loaded' | 'unloaded' | 'delivered' | 'returned' | 'counted'>>

function changed(line: VanLine, change: Change & { empty?: number; key?: string }): VanLine {
  const { empty = 0, key, ...moved } = change
  const next = { ...line, ...moved, keys: key === undefined ? line.keys : [...line.keys, key] }
  const isLoaded = line.left !== null || moved.loaded !== undefined
  return { ...next, ...vanLeft({ ...next, isLoaded, empty: line.empties - line.returned + empty }) }
}

function withLine<Of extends Pick<Run, 'van'>>(run: Of, line: VanLine): Of {
  const isKnown = run.van.some((one) => isSame(one, line))
  return { ...run, van: isKnown ? run.van.map((one) => (isSame(one, line) ? line : one)) : [...run.van, line] }
}

/** Once for each key, also after the server has told the van with it. */
export function withVanReport(run: Run, { key, date, did, counts }: VanReport & { key: string }): Run {
  if (date !== run.date) return run
  return counts.reduce((seen, { full, empty, ...goods }) => {
    const line = lineOf(seen, goods)
    const own = vanKey(key, goods)
    if (line.keys.includes(own)) return seen
    const change = {
      loaded: { loaded: line.loaded + full, empty },
      unloaded: { unloaded: line.unloaded + full, empty: -empty },
      counted: { counted: { full, empty } },
    }[did]
    return withLine(seen, changed(line, { ...change, key: own }))
  }, run)
}

interface Handed {
  goods: VanGoods[]
  bottles: readonly BottleCount[]
}

function handedOver(run: Run, stop: RunStop, { delivered = [], added = [], bottles = [] }: CountedDelivery): Handed {
  const items = stop.items.map((item) => {
    const quantity = delivered.find(({ itemId }) => itemId === item.id)?.quantity ?? item.quantity
    return { ...item, quantity }
  })
  const more = added.flatMap(({ productId, quantity }) =>
    run.products.filter(({ id }) => id === productId).map((product) => goodsOf(product, quantity)),
  )
  return { goods: [...items, ...more], bottles }
}

const sumIn = (line: Goods, goods: readonly VanGoods[]) =>
  goods.reduce((sum, one) => (isInLine(line, one) ? sum + one.quantity : sum), 0)

/** @param stop before the delivery */
export function withDelivery(run: Run, stop: RunStop, delivery: CountedDelivery & { at: string }): Run {
  const { goods, bottles } = handedOver(run, stop, delivery)
  const typeIds = [...goods, ...bottles.map(({ typeId }) => ({ bottleTypeId: typeId }))].map((one) => one.bottleTypeId)
  // In a bottle that comes back they are counted as bottles.
  const productIds = goods.flatMap(({ productId, bottleDeposit }) => (bottleDeposit === null ? productId : null))
  const lines: Goods[] = [
    ...[...new Set(typeIds)].map((typeId = null) => ({ typeId, productId: null })),
    ...[...new Set(productIds)].map((productId) => ({ typeId: null, productId })),
  ].filter(({ typeId, productId }) => typeId !== productId)
  const returned = (typeId: number | null) => bottles.find((count) => count.typeId === typeId)?.returned ?? 0
  const stops = run.stops.map((one) =>
    one.customerId === null || one.customerId !== stop.customerId
      ? one
      : {
          ...one,
          bottles: one.bottles.map((type) => {
            const moved = sumIn({ typeId: type.typeId, productId: null }, goods) - returned(type.typeId)
            return { ...type, held: type.held + moved }
          }),
        },
  )
  // The server counts a delivery in the van of its own day.
  if (bahrainDate(new Date(delivery.at)) !== run.date) return { ...run, stops }
  return lines.reduce<Run>(
    (seen, goodsOfLine) => {
      const line = lineOf(seen, goodsOfLine)
      const [gone, back] = [sumIn(line, goods), returned(line.typeId)]
      if (gone + back === 0) return seen
      return withLine(seen, changed(line, { delivered: line.delivered + gone, returned: line.returned + back }))
    },
    { ...run, stops },
  )
}
