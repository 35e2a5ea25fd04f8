import { fils } from '@qatra/contract/lib/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import type { OrderItemRow } from '../queries.ts'
import { requirePartial, requireReported, requireSameDelivery, restoredQuantities } from './partial-rules.ts'

const ctx = { actor: { lang: 'en' } } as Parameters<typeof requireReported>[0] // only the language is read
const row = (id: number, quantity: number, price: number, vatPercentage: number): OrderItemRow => ({
  id,
  orderId: 'A',
  productId: id,
  name: `Water ${id}`,
  nameAr: null,
  size: '500ml',
  imageUrl: null,
  price,
  vatPercentage,
  quantity,
  orderedQuantity: null,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  listPrice: null,
  priceReason: null,
})

/** An order with what was handed over of each item. */
const deliveries = fc
  .array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 100 }),
      share: fc.constantFrom(0, 0.3, 0.7, 1),
      price: fc.integer({ min: 0, max: 100_000 }),
      vat: fc.constantFrom(0, 10, 12.5),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) => ({
    rows: lines.map(({ quantity, price, vat }, i) => row(i + 1, quantity, price, vat)),
    delivered: lines.map(({ quantity, share }, i) => ({ itemId: i + 1, quantity: Math.floor(quantity * share) })),
  }))
const order = { deliveryFee: 750, paymentStatus: 'pending' } as const

type Change = NonNullable<ReturnType<typeof requirePartial>>
/** The rows after a change, as the command stores them. */
const applied = (rows: readonly OrderItemRow[], change: Change | null): OrderItemRow[] =>
  rows.map((one) => ({ ...one, ...change?.items.find(({ id }) => id === one.id) }))
const codeOf = (act: () => unknown): string | null => {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

describe('a partial delivery', () => {
  it('has the totals of what was handed over, and marks only the items that differ', () => {
    fc.assert(
      fc.property(deliveries, ({ rows, delivered }) => {
        fc.pre(delivered.some(({ quantity }) => quantity > 0))
        const change = requirePartial(order, rows, requireReported(ctx, rows, delivered))
        const differing = rows.filter(({ quantity }, i) => delivered[i]?.quantity !== quantity)
        expect(change === null).toBe(differing.length === 0)
        if (!change) return
        expect(change.items).toEqual(
          differing.map(({ id, quantity }) => ({
            id,
            quantity: delivered[id - 1]?.quantity,
            orderedQuantity: quantity,
          })),
        )
        const subtotal = rows.reduce((sum, { price, id }) => sum + price * (delivered[id - 1]?.quantity ?? 0), 0)
        const { totals } = change
        expect([totals.subtotal, totals.deliveryFee]).toEqual([subtotal, order.deliveryFee])
        expect(totals.total).toBe(totals.subtotal + totals.deliveryFee + totals.productVAT)
        const whole = restoredQuantities(order, applied(rows, change))
        expect(totals.total).toBeLessThanOrEqual(whole?.totals.total ?? 0)
        expect(change.before).toHaveLength(rows.length)
        expect(change.after).toHaveLength(delivered.filter(({ quantity }) => quantity > 0).length)
      }),
    )
  })

  it('counts what the report does not name as handed over', () => {
    const rows = [row(1, 4, 500, 0), row(2, 3, 900, 0)]
    const totals = requirePartial(order, rows, requireReported(ctx, rows, [{ itemId: 1, quantity: 1 }]))?.totals
    expect(totals?.subtotal).toBe(500 + 3 * 900)
  })

  it('that is taken back has the ordered quantities and totals again', () => {
    fc.assert(
      fc.property(deliveries, ({ rows, delivered }) => {
        fc.pre(delivered.some(({ quantity }) => quantity > 0))
        const after = applied(rows, requirePartial(order, rows, requireReported(ctx, rows, delivered)))
        const restored = restoredQuantities(order, after)
        expect(applied(after, restored)).toEqual(rows)
        const subtotal = rows.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
        if (restored) expect(restored.totals.subtotal).toBe(fils(subtotal))
        expect(restoredQuantities(order, rows)).toBeNull()
      }),
    )
  })

  it('accepts a later report only if it says the same', () => {
    fc.assert(
      fc.property(deliveries, fc.nat(), fc.integer({ min: 1, max: 100 }), ({ rows, delivered }, at, less) => {
        fc.pre(delivered.some(({ quantity }) => quantity > 0))
        const after = applied(rows, requirePartial(order, rows, requireReported(ctx, rows, delivered)))
        const again = (report: typeof delivered) => requireSameDelivery(after, requireReported(ctx, after, report))
        expect(codeOf(() => again(delivered))).toBeNull()
        expect(codeOf(() => again(delivered.filter(({ quantity }, i) => quantity !== rows[i]?.quantity)))).toBeNull()
        const other = delivered.map((one, i) => {
          const ordered = rows[i]?.quantity ?? 0
          return i === at % rows.length ? { ...one, quantity: (one.quantity + less) % (ordered + 1) } : one
        })
        const isSame = other.every(({ quantity }, i) => quantity === delivered[i]?.quantity)
        expect(codeOf(() => again(other))).toBe(isSame ? null : 'DELIVERED_OTHERWISE')
      }),
    )
  })
})

describe('a report is refused', () => {
  const rows = [row(1, 5, 1505, 10), row(2, 1, 900, 0)]
  const report = (...delivered: { itemId: number; quantity: number }[]) => requireReported(ctx, rows, delivered)
  const fieldsOf = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      if (error instanceof AppError) return Object.keys((error.details.fields ?? {}) as object)
    }
    return null
  }

  it('for items that are unknown or named twice, and for more than was ordered', () => {
    expect(fieldsOf(() => report({ itemId: 3, quantity: 1 }))).toEqual(['delivered.0.itemId'])
    expect(fieldsOf(() => report({ itemId: 1, quantity: 1 }, { itemId: 1, quantity: 2 }))).toEqual([
      'delivered.1.itemId',
    ])
    expect(fieldsOf(() => report({ itemId: 1, quantity: 5 }, { itemId: 2, quantity: 2 }))).toEqual([
      'delivered.1.quantity',
    ])
    expect(fieldsOf(() => report({ itemId: 1, quantity: 5 }))).toBeNull()
  })

  it('if nothing was handed over, and of a paid order unless everything was', () => {
    const nothing = report({ itemId: 1, quantity: 0 }, { itemId: 2, quantity: 0 })
    expect(codeOf(() => requirePartial(order, rows, nothing))).toBe('NOTHING_DELIVERED')
    const paid = { ...order, paymentStatus: 'paid' } as const
    expect(codeOf(() => requirePartial(paid, rows, report({ itemId: 1, quantity: 4 })))).toBe('ORDER_PAID')
    expect(requirePartial(paid, rows, report({ itemId: 1, quantity: 5 }))).toBeNull()
  })
})
