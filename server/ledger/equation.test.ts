import { paymentMeans } from '@qatra/contract/orders/payments'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equationOf, type OrderMoney } from './equation.ts'

describe('the equation of a day', () => {
  const order = ({ total = 2150, ...more }: Partial<OrderMoney> = {}): OrderMoney => ({
    id: 'a',
    total,
    totalAtStart: total,
    totalAtEnd: total,
    soldBefore: 0,
    sold: more.isDelivered === false ? 0 : total,
    deliveries: more.isDelivered === false ? 0 : 1,
    isDelivered: true,
    needsPayment: false,
    driverId: null,
    before: 0,
    today: 0,
    after: 0,
    ...more,
  })
  it.each<[string, Partial<OrderMoney>, [notCollected: number, otherDays: number, unexplained: number]]>([
    ['nothing was paid', {}, [2150, 0, 0]],
    ['all was paid', { today: 2150, needsPayment: true }, [0, 0, 0]],
    ['a part was paid', { today: 150 }, [2000, 0, 0]],
    ['it was paid the day before', { before: 2150, needsPayment: true }, [2150, 2150, 0]],
    ['it needs a payment and has none', { needsPayment: true }, [0, 0, 2150]],
    ['it needs a payment, and was paid the day after', { after: 2150, needsPayment: true }, [2150, 0, 0]],
    ['more was paid', { today: 3000, needsPayment: true }, [0, 0, -850]],
    ['more was paid, and paid back the day after', { today: 3000, after: -850, needsPayment: true }, [-850, -850, 0]],
    ['the rest of the day before is paid back', { isDelivered: false, before: 3000, today: -850 }, [850, 850, 0]],
    ['it was delivered on another day', { isDelivered: false, today: 2150 }, [-2150, -2150, 0]],
    ['it was paid before and costs less since', { before: 2150, totalAtStart: 2150, total: 2000 }, [2150, 2150, -150]],
    [
      'it was paid before and costs less the day after',
      { before: 2150, totalAtEnd: 2150, total: 2000 },
      [2000, 2000, 0],
    ],
    ['it was paid and is cancelled', { isDelivered: false, today: 2150, total: 0 }, [0, 0, -2150]],
    [
      'it is taken back, and was paid',
      { isDelivered: false, soldBefore: 2150, sold: -2150, before: 2150 },
      [-2150, -2150, 0],
    ],
    ['it is taken back, and was not paid', { isDelivered: false, soldBefore: 2150, sold: -2150 }, [-2150, 0, 0]],
    [
      'it is taken back, paid back and delivered again without a payment',
      { soldBefore: 2150, sold: 0, before: 2150, today: -2150, needsPayment: true },
      [0, 0, 2150],
    ],
    [
      'fewer count since, and it was not paid',
      { isDelivered: false, soldBefore: 2150, sold: -150, total: 2000 },
      [-150, 0, 0],
    ],
    ['it is paid twice on another day', { isDelivered: false, before: 2150, today: 2150 }, [0, 0, -2150]],
  ])('of an order: %s', (_, more, [notCollected, otherDays, unexplained]) => {
    const one = order(more)
    const cash = { holder: 'office' as const, holderId: 1, name: null, isHandover: false, means: 'cash' as const }
    expect(equationOf([one], [{ ...cash, amount: one.today }])).toMatchObject({ notCollected, otherDays, unexplained })
  })

  it('is explained but for what was paid beyond the totals, or is missing of orders that need a payment', () => {
    const fils = fc.integer({ min: -3000, max: 5000 })
    const orders = fc.array(
      fc.record({
        total: fc.nat(4000),
        totalAtStart: fc.nat(4000),
        totalAtEnd: fc.nat(4000),
        soldBefore: fc.nat(4000),
        sold: fils,
        deliveries: fc.constant(1),
        isDelivered: fc.boolean(),
        needsPayment: fc.boolean(),
        driverId: fc.constantFrom(null, 0, 2),
        before: fils,
        today: fils,
        after: fils,
      }),
    )
    fc.assert(
      fc.property(orders, fc.nat(9000), (some, handedOver) => {
        const all = some.map((one, i) => ({ ...one, id: String(i) }))
        const held = all.map(({ today: amount }, i) => ({
          holder: i % 2 === 0 ? ('driver' as const) : ('office' as const),
          holderId: i,
          name: null,
          isHandover: false,
          means: paymentMeans[i % 3] ?? 'cash',
          amount,
        }))
        const handover = { holder: 'driver', holderId: 0, name: null, isHandover: true, means: 'cash' } as const
        const found = equationOf(all, [...held, { ...handover, amount: handedOver }])
        const other = [...found.otherMeans.values()].reduce((sum, amount) => sum + amount, 0)
        const terms =
          found.withDrivers + found.handedOver + found.inOffice + other + found.onAccount + found.notCollected
        expect(found.delivered - terms).toBe(found.unexplained)
        const byHolder = (of: (sums: (typeof found.byHolder)[number]) => number) =>
          found.byHolder.reduce((sum, holder) => sum + of(holder), 0)
        expect([
          byHolder(({ means }) => [...means.values()].reduce((sum, amount) => sum + amount, 0)),
          byHolder(({ notCollected }) => notCollected),
        ]).toEqual([terms - found.notCollected, found.notCollected - found.otherDays])
        const sumOf = (is: (amount: number) => boolean) =>
          found.unexplainedOrders.reduce((sum, { amount }) => sum + (is(amount) ? amount : 0), 0)
        expect([found.withoutEntry, found.paidBeyond]).toEqual([sumOf((one) => one > 0), 0 - sumOf((one) => one < 0)])
        expect(found.withoutEntry - found.paidBeyond).toBe(found.unexplained)
        for (const { id, amount } of found.unexplainedOrders) {
          const one = all[Number(id)]
          if (!one) throw new Error('An unknown order')
          const paid = one.before + one.today + one.after
          if (amount < 0) expect(paid).toBeGreaterThan(one.total)
          else expect([one.needsPayment && one.isDelivered, paid < one.total]).toEqual([true, true])
        }
      }),
    )
  })
})
