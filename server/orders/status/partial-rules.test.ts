import { fils, vatOfLine } from '@qatra/contract/lib/money'
import { noWater } from '@qatra/contract/products/water'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredOffer } from '../../cart/queries.ts'
import { AppError } from '../../lib/errors.ts'
import { lineOf } from '../placing/rules.ts'
import type { OrderItemRow } from '../queries.ts'
import {
  type DeliveryReport,
  requireReported,
  requireSameDelivery,
  requireSome,
  restoredQuantities,
} from './partial-rules.ts'

const ctx = { actor: { lang: 'en' } } as Parameters<typeof requireReported>[0] // only the language is read
const about = (id: number) => ({
  id,
  name: `Water ${id}`,
  nameAr: null,
  size: '500ml',
  imageUrl: null,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
  bottleTypeId: null,
  bottleTerms: null,
})
const row = (id: number, quantity: number, price: number, vatPercentage: number): OrderItemRow => ({
  ...about(id),
  orderId: 'A',
  productId: id,
  price,
  vatPercentage,
  quantity,
  orderedQuantity: null,
  listPrice: null,
  priceReason: null,
  bottleTypeId: null,
  bottleTerms: null,
  bottleDeposit: null,
  empties: null,
  orderedEmpties: null,
})
/** A product that was not ordered: items have the ids up to 6. */
const offer = (id: number, more: Partial<StoredOffer> = {}): StoredOffer => ({
  ...noWater,
  ...about(id),
  vendorId: 1,
  price: fils(700 + id),
  vatPercentage: 10,
  isActive: true,
  isAvailable: true,
  isVendorActive: true,
  version: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  deletedAt: null,
  ...more,
})
const offers = [offer(11), offer(12)]

/** An order with what was handed over of each item, fewer or more, and of two other products. */
const deliveries = fc
  .record({
    lines: fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 100 }),
        handedOver: fc.integer({ min: 0, max: 100 }),
        isAll: fc.boolean(),
        price: fc.integer({ min: 0, max: 100_000 }),
        vat: fc.constantFrom(0, 10, 12.5),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    more: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 2 }),
  })
  .map(({ lines, more }) => ({
    rows: lines.map(({ quantity, price, vat }, i) => row(i + 1, quantity, price, vat)),
    delivered: lines.map(({ quantity, handedOver, isAll }, i) => {
      return { itemId: i + 1, quantity: isAll ? quantity : handedOver }
    }),
    added: more.map((quantity, i) => ({ productId: 11 + i, quantity })),
  }))
  .filter(({ delivered, added }) => added.length > 0 || delivered.some(({ quantity }) => quantity > 0))
const order = { deliveryFee: 750, vendorId: 1 }

const change = (rows: readonly OrderItemRow[], report: DeliveryReport, known = offers) =>
  requireSome(ctx, order, {
    rows,
    reported: requireReported(ctx, rows, report),
    offers: known,
    counts: report.bottles ?? [],
  })
/** The rows after a change, as the command stores them. */
function applied(rows: readonly OrderItemRow[], made: ReturnType<typeof change>): OrderItemRow[] {
  const kept = rows.filter(({ id }) => !made?.removed.includes(id))
  const added = (made?.added ?? []).map((line, i): OrderItemRow => {
    return {
      ...row(100 + i, line.quantity, line.price, line.vatPercentage),
      productId: line.productId,
      orderedQuantity: 0,
    }
  })
  return [...kept.map((one) => ({ ...one, ...made?.changed.find(({ id }) => id === one.id) })), ...added]
}
const codeOf = (act: () => unknown): string | null => {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

describe('a delivery of more or fewer', () => {
  it('has the totals of what was handed over, and marks only the items that differ', () => {
    fc.assert(
      fc.property(deliveries, ({ rows, delivered, added }) => {
        const made = change(rows, { delivered, added })
        const differing = rows.filter(({ quantity }, i) => delivered[i]?.quantity !== quantity)
        expect(made === null).toBe(differing.length + added.length === 0)
        if (!made) return
        expect(made.changed).toEqual(
          differing.map(({ id, quantity }) => {
            const empties = { empties: null, orderedEmpties: null }
            return { id, quantity: delivered[id - 1]?.quantity, orderedQuantity: quantity, ...empties }
          }),
        )
        const lines = [
          ...rows.map((one, i) => ({ ...one, quantity: delivered[i]?.quantity ?? 0 })),
          ...added.map(({ productId, quantity }) => lineOf(offer(productId), quantity)),
        ]
        const subtotal = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
        const vat = lines.reduce((sum, one) => sum + vatOfLine(fils(one.price), one.quantity, one.vatPercentage), 0)
        expect(made.totals).toEqual({
          subtotal,
          deliveryFee: order.deliveryFee,
          productVAT: vat,
          deposit: 0,
          total: subtotal + order.deliveryFee + vat,
        })
        expect(made.before).toHaveLength(rows.length)
        expect(made.after).toHaveLength(lines.filter(({ quantity }) => quantity > 0).length)
      }),
    )
  })

  it('counts what the report does not name as ordered, and a product of an item as more of it', () => {
    const rows = [row(1, 4, 500, 0), row(2, 3, 900, 0)]
    expect(change(rows, { delivered: [{ itemId: 1, quantity: 1 }] })?.totals.subtotal).toBe(500 + 3 * 900)
    const more = change(rows, { delivered: [{ itemId: 1, quantity: 6 }], added: [{ productId: 2, quantity: 1 }] })
    expect([more?.totals.subtotal, more?.added]).toEqual([6 * 500 + 4 * 900, []])
  })

  it('that is taken back has the ordered items and totals again, three times with other counts', () => {
    fc.assert(
      fc.property(
        deliveries,
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 2 }),
        (first, counts) => {
          const { rows } = first
          const others = counts.map((quantity) => ({ delivered: rows.map(({ id }) => ({ itemId: id, quantity })) }))
          let now = rows
          for (const report of [first, ...others]) {
            now = applied(now, change(now, report))
            const restored = restoredQuantities(order, now)
            now = applied(now, restored)
            expect(now).toEqual(rows)
            const subtotal = rows.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
            if (restored) expect(restored.totals.subtotal).toBe(subtotal)
          }
          expect(restoredQuantities(order, rows)).toBeNull()
        },
      ),
    )
  })

  it('accepts a later report only if it says the same', () => {
    fc.assert(
      fc.property(deliveries, fc.nat(), fc.integer({ min: 1, max: 100 }), ({ rows, delivered, added }, at, more) => {
        const after = applied(rows, change(rows, { delivered, added }))
        const again = (report: DeliveryReport) =>
          requireSameDelivery(after, requireReported(ctx, after, report), new Map())
        expect(codeOf(() => again({ delivered, added }))).toBeNull()
        const differing = delivered.filter(({ quantity }, i) => quantity !== rows[i]?.quantity)
        expect(codeOf(() => again({ delivered: differing, added }))).toBeNull()
        const other = delivered.map((one, i) => {
          return i === at % rows.length ? { ...one, quantity: (one.quantity + more) % 101 } : one
        })
        expect(codeOf(() => again({ delivered: other, added }))).toBe('DELIVERED_OTHERWISE')
        const third = { productId: 13, quantity: 1 }
        expect(codeOf(() => again({ delivered, added: [...added, third] }))).toBe('DELIVERED_OTHERWISE')
        if (added.length > 0) expect(codeOf(() => again({ delivered }))).toBe('DELIVERED_OTHERWISE')
      }),
    )
  })
})

describe('a report is refused', () => {
  const rows = [row(1, 5, 1505, 10), row(2, 1, 900, 0)]
  const fieldsOf = (report: DeliveryReport, known = offers) => {
    try {
      change(rows, report, known)
    } catch (error) {
      if (error instanceof AppError) return [error.code, ...Object.keys((error.details.fields ?? {}) as object)]
    }
    return null
  }

  it('for items that are unknown, for what is named twice, and for more than 100 of a product', () => {
    const [once, unknown] = [
      { itemId: 1, quantity: 1 },
      { itemId: 3, quantity: 1 },
    ]
    expect(fieldsOf({ delivered: [unknown] })).toEqual(['INVALID_BODY', 'delivered.0.itemId'])
    expect(fieldsOf({ delivered: [once, once] })).toEqual(['INVALID_BODY', 'delivered.1.itemId'])
    const added = { productId: 11, quantity: 1 }
    expect(fieldsOf({ added: [added, added] })).toEqual(['INVALID_BODY', 'added.1.productId'])
    expect(fieldsOf({ added: [added, { productId: 1, quantity: 96 }] })).toEqual(['INVALID_BODY', 'added.1.quantity'])
    expect(fieldsOf({ added: [added, { productId: 1, quantity: 95 }] })).toBeNull()
  })

  it('for products that are unknown, of another vendor or not sold now', () => {
    const added = [
      { productId: 12, quantity: 1 },
      { productId: 11, quantity: 1 },
    ]
    expect(fieldsOf({ added: [{ productId: 13, quantity: 1 }] })).toEqual(['INVALID_BODY', 'added.0.productId'])
    expect(fieldsOf({ added }, [offer(11, { vendorId: 2 }), offer(12)])).toEqual([
      'VENDOR_MISMATCH',
      'added.1.productId',
    ])
    expect(fieldsOf({ added }, [offer(11, { isAvailable: false }), offer(12)])).toEqual(['PRODUCT_UNAVAILABLE'])
  })

  it('if nothing was handed over', () => {
    const nothing = { delivered: rows.map(({ id }) => ({ itemId: id, quantity: 0 })) }
    expect(codeOf(() => change(rows, nothing))).toBe('NOTHING_DELIVERED')
    expect(change(rows, { ...nothing, added: [{ productId: 11, quantity: 1 }] })?.totals.subtotal).toBe(711)
  })
})
