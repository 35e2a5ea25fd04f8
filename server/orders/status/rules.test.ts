import { type Fils, fils } from '@qatra/contract/lib/money'
import { cashDue } from '@qatra/contract/orders/cash'
import { type OrderStatus, orderStatuses } from '@qatra/contract/orders/order-status'
import type { Actor } from '@qatra/contract/users/actor'
import type { Role } from '@qatra/contract/users/roles'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CANCELLATION_MS,
  canDriverReport,
  ERASED,
  isCancellable,
  nextStatuses,
  paymentTakenBack,
  type StatusFacts,
  settle,
  transitionError,
} from './rules.ts'

const createdAt = new Date('2026-03-01T12:00:00Z')
const DRIVER = 7
const CUSTOMER = 8
const orderIn = (status: OrderStatus, about: Partial<StatusFacts> = {}): StatusFacts => ({
  userId: CUSTOMER,
  vendorId: 1,
  assignedDriverId: DRIVER,
  status,
  phone: '+97336000000',
  createdAt,
  ...about,
})
const actor = (role: Role, { id = 1, vendorId = 1 as number | null } = {}): Actor =>
  ({ user: { id, role, vendorId } }) as Actor // the rules read nothing else
const visitor = { user: null } as Actor
const actors = {
  super: actor('super_admin', { vendorId: null }),
  admin: actor('vendor_admin'),
  staff: actor('vendor_staff'),
  driver: actor('driver', { id: DRIVER }),
  'another driver': actor('driver', { id: 9 }),
  'the driver, at another vendor now': actor('driver', { id: DRIVER, vendorId: 2 }),
  'the admin of another vendor': actor('vendor_admin', { vendorId: 2 }),
  'the staff of another vendor': actor('vendor_staff', { vendorId: 2 }),
  sales: actor('vendor_sales'),
  customer: actor('customer', { id: CUSTOMER, vendorId: null }),
  visitor,
}
type Name = keyof typeof actors
const names = Object.keys(actors) as Name[] // the keys of the record above

/** The specified moves, by hand: from → to. */
const moves: Readonly<Record<OrderStatus, string>> = {
  new: 'in-progress shipped delivered cancelled',
  'in-progress': 'shipped delivered cancelled',
  shipped: 'delivered cancelled',
  delivered: '',
  cancelled: '',
}
const isMove = (from: OrderStatus, to: OrderStatus) => moves[from].split(' ').includes(to)

function expected(name: Name, from: OrderStatus, to: OrderStatus) {
  if (name === 'super') return null
  if (name === 'driver' && to !== 'shipped' && to !== 'delivered') return 'FORBIDDEN'
  if (name !== 'admin' && name !== 'staff' && name !== 'driver') return 'FORBIDDEN'
  return isMove(from, to) ? null : 'ILLEGAL_TRANSITION'
}
const transitions = orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const))

describe.each(names)('a change of status by %s', (name) => {
  it.each(transitions)('from %s to %s follows the specified table', (from, to) => {
    expect(transitionError(actors[name], orderIn(from), to)).toBe(expected(name, from, to))
  })

  it('offers the other statuses that it accepts', () => {
    for (const from of orderStatuses) {
      const accepted = orderStatuses.filter((to) => to !== from && expected(name, from, to) === null)
      expect([from, nextStatuses(actors[name], orderIn(from))]).toEqual([from, accepted])
    }
  })
})

describe('an order of an erased customer', () => {
  it('can be closed and never opened, also by a super admin', () => {
    for (const from of orderStatuses)
      for (const to of orderStatuses) {
        const isClosing = to === 'delivered' || to === 'cancelled'
        const error = transitionError(actors.super, orderIn(from, { phone: ERASED }), to)
        expect([from, to, error]).toEqual([from, to, isClosing ? null : 'ORDER_CLOSED'])
      }
  })
})

describe('a cancellation by the customer', () => {
  const after = (ms: number) => new Date(createdAt.getTime() + ms)
  it.each([
    ['new', 0, true],
    ['in-progress', 0, true],
    ['shipped', 0, false],
    ['delivered', 0, false],
    ['cancelled', 0, false],
    ['new', CANCELLATION_MS, true],
    ['new', CANCELLATION_MS + 1, false],
  ] as const)('of an order in %s, %s ms old: %s', (status, ms, isAllowed) => {
    expect(isCancellable(actors.customer, orderIn(status), after(ms))).toBe(isAllowed)
  })

  it('is limited to an hour and to the person who ordered', () => {
    expect(CANCELLATION_MS).toBe(60 * 60 * 1000)
    for (const name of names)
      expect([name, isCancellable(actors[name], orderIn('new'), createdAt)]).toEqual([name, name === 'customer'])
    expect(isCancellable(visitor, orderIn('new', { userId: null }), createdAt)).toBe(false)
  })
})

type Bill = Parameters<typeof settle>[0]
type Report = Parameters<typeof settle>[1]
const total = fils(2150)
const due: Bill = { status: 'shipped', total, received: 0, paymentMethod: 'cash', paymentStatus: 'pending' }
/** Cash of the delivery, and what was booked as its correction. */
const cash = (taken: number, correction = 0) => ({ beforeCorrection: taken, received: taken + correction })
/** Delivered before for a part of the total, and taken back. */
const rest: Bill = { ...due, received: 2000, paymentStatus: 'unpaid' }
const covered: Bill = { ...rest, received: 3000 }
const paid: Bill = { ...due, paymentStatus: 'paid' }
const card: Bill = { ...due, paymentMethod: 'card' }

describe('a delivery', () => {
  const cases: [string, Bill, Report, boolean, number, string][] = [
    ['by the driver collects the amount due', due, {}, true, 2150, 'paid'],
    ['by the driver of a paid order collects nothing', paid, {}, true, 0, 'paid'],
    ['by the driver without cash due collects nothing', card, {}, true, 0, 'pending'],
    ['by the driver who took less leaves it unpaid', due, { taken: fils(2149) }, true, 2149, 'unpaid'],
    ['by the driver who took the amount is paid', due, { taken: total }, true, 2150, 'paid'],
    ['by the driver who took more is paid', due, { taken: fils(2151) }, true, 2151, 'paid'],
    ['by the driver who took nothing leaves it unpaid', due, { taken: fils(0) }, true, 0, 'unpaid'],
    ['by the driver who reports paid collects the amount', due, { paymentStatus: 'paid' }, true, 2150, 'paid'],
    ['by the driver who reports unpaid collects nothing', due, { paymentStatus: 'unpaid' }, true, 0, 'unpaid'],
    ['by the driver with cash held by nobody keeps the payment', due, { cashHeldBy: 'nobody' }, true, 0, 'pending'],
    ['by the driver collects only what was not paid before', rest, {}, true, 150, 'paid'],
    ['by the driver who took the rest is paid', rest, { taken: fils(150) }, true, 150, 'paid'],
    ['by the driver who took less than the rest leaves it unpaid', rest, { taken: fils(149) }, true, 149, 'unpaid'],
    ['by the driver of an order that was paid before collects nothing', covered, {}, true, 0, 'paid'],
    ['by the office of an order that was paid before is paid', covered, {}, false, 0, 'paid'],
    ['by the office with the rest at the driver collects the rest', rest, { cashHeldBy: 'driver' }, false, 150, 'paid'],
    ['by the office collects nothing', due, {}, false, 0, 'pending'],
    ['by the office with cash at the driver collects it', due, { cashHeldBy: 'driver' }, false, 2150, 'paid'],
    ['by the office with cash at the office is paid', due, { cashHeldBy: 'office' }, false, 0, 'paid'],
    ['by the office that reports paid is paid, without cash', due, { paymentStatus: 'paid' }, false, 0, 'paid'],
  ]
  it.each(cases)('%s', (_, bill, report, isOwn, collected, paymentStatus) => {
    expect(settle(bill, report, isOwn)).toEqual({ collected, paymentStatus })
  })

  it('collects the reported amount, the amount due or nothing, and nothing unreported if no cash is due', () => {
    const bill = fc.record({
      status: fc.constant('shipped'),
      total: fc.integer({ min: 1, max: 10_000_000 }),
      received: fc.integer({ min: 0, max: 10_000_000 }),
      paymentMethod: fc.constantFrom('cash', 'card', 'online', 'bank_transfer'),
      paymentStatus: fc.constantFrom('pending', 'paid', 'failed', 'unpaid', null),
    }) as fc.Arbitrary<Bill>
    const report = fc.record({
      taken: fc.option(
        fc.integer({ min: 0, max: 10_000_000 }).map((n) => n as Fils),
        { nil: undefined },
      ),
      cashHeldBy: fc.constantFrom('driver', 'office', 'nobody', undefined),
      paymentStatus: fc.constantFrom('paid', 'unpaid', 'failed', undefined),
    }) as fc.Arbitrary<Report>
    fc.assert(
      fc.property(bill, report, fc.boolean(), (of, said, isOwn) => {
        const { collected, paymentStatus } = settle(of, said, isOwn)
        const isDue = of.paymentMethod === 'cash' && of.paymentStatus !== 'paid'
        const open: number[] =
          said.taken !== undefined ? [said.taken] : isDue ? [0, Math.max(0, of.total - of.received)] : [0]
        expect(open).toContain(collected)
        const isUnreported = said.paymentStatus === undefined && said.taken === undefined
        if (collected > 0 && isUnreported) expect(paymentStatus).toBe('paid')
      }),
    )
  })

  it.each([
    ['a part that was paid to the driver', { ...cash(500), total: 500 }, { paymentStatus: 'unpaid', paidToOffice: 0 }],
    ['a part that was paid to the office', { total: 500 }, { paymentStatus: 'unpaid', paidToOffice: 500 }],
    ['a part that was paid to both', { ...cash(200), total: 500 }, { paymentStatus: 'unpaid', paidToOffice: 300 }],
    ['a part for which more was paid than for all', { ...cash(2200), total: 500 }, null],
    ['the whole order', cash(2150), null],
    ['the whole order, for the office', {}, null],
    [
      'a part whose cash was a mistake',
      { ...cash(500, -500), total: 500 },
      { paymentStatus: 'unpaid', paidToOffice: 0 },
    ],
    ['the whole order whose cash was a mistake', cash(2150, -2150), { paymentStatus: 'unpaid', paidToOffice: 0 }],
    ['the whole order of which a part was a mistake', cash(2150, -150), { paymentStatus: 'unpaid', paidToOffice: 0 }],
    ['the whole order whose cash was corrected to more', { ...cash(2000, 150), total: 2150 }, null],
    ['the rest, at the office', { ...cash(500, -500), total: 2150 }, { paymentStatus: 'unpaid', paidToOffice: 1650 }],
  ])('that is taken back, of %s, is paid if what was paid covers the order', (_, more, after) => {
    expect(
      paymentTakenBack({ ...paid, status: 'delivered', paidToOffice: 0, beforeCorrection: 0, ...more }, total),
    ).toEqual(after)
  })

  it('of a cancelled order asks for no cash', () => {
    expect([cashDue(due), cashDue({ ...due, status: 'cancelled' })]).toEqual([2150, 0])
  })

  it('that is taken back unpaid stays unpaid', () => {
    expect(
      paymentTakenBack({ ...rest, status: 'delivered', paidToOffice: 0, beforeCorrection: 2000 }, total),
    ).toBeNull()
  })

  it.each([
    [due, { cashHeldBy: 'office' }, false],
    [due, { cashHeldBy: 'driver' }, true],
    [due, { paymentStatus: 'paid' }, true],
    [paid, { paymentStatus: 'unpaid' }, false],
    [paid, { paymentStatus: 'paid' }, true],
    [card, { paymentStatus: 'paid' }, false],
    [card, {}, true],
  ] as const)('of %j may be reported by the driver with %j: %s', (bill, report, isAllowed) => {
    expect(canDriverReport(bill, report)).toBe(isAllowed)
  })
})
