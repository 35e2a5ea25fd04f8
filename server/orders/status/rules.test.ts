import { type Fils, fils } from '@qatra/contract/lib/money'
import { cashDue, paymentAfter } from '@qatra/contract/orders/cash'
import { type OrderStatus, orderStatuses, type StepFacts } from '@qatra/contract/orders/order-status'
import type { Actor } from '@qatra/contract/users/actor'
import { type Permission, rolePermissions } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { doubleOf, type HeldEntry, reversalOf } from '../payment/rules.ts'
import {
  CANCELLATION_MS,
  canDriverReport,
  canTakeBack,
  ERASED,
  isCancellable,
  nextStatuses,
  type StatusFacts,
  settle,
  transitionError,
} from './rules.ts'

const createdAt = new Date('2026-03-01T12:00:00Z')
const DRIVER = 7
const CUSTOMER = 8
const orderIn = (status: OrderStatus, about: Partial<StatusFacts & StepFacts> = {}): StatusFacts & StepFacts => ({
  userId: CUSTOMER,
  vendorId: 1,
  assignedDriverId: DRIVER,
  status,
  processing: true,
  phone: '+97336000000',
  createdAt,
  ...about,
})
const actor = (
  role: Role,
  { id = 1, vendorId = 1 as number | null, granted = [] as readonly Permission[] } = {},
): Actor => ({
  user: {
    id,
    role,
    vendorId,
    permissions: [...rolePermissions[role], ...granted],
    phone: '+97336000000',
    name: null,
    language: 'ar',
    isVerified: true,
  },
  guestSession: null,
  impersonator: null,
  lang: 'ar',
})
const visitor = { user: null } as Actor
const actors = {
  super: actor('super_admin', { vendorId: null }),
  admin: actor('vendor_admin'),
  staff: actor('vendor_staff'),
  'staff who may refund': actor('vendor_staff', { granted: ['orders.refund'] }),
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
  if (!['admin', 'staff', 'staff who may refund', 'driver'].includes(name)) return 'FORBIDDEN'
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

describe('a delivery', () => {
  const takers: readonly Name[] = ['super', 'admin', 'staff who may refund']
  it.each(names)('is taken back with a reason by who may refund at its vendor, asked as %s', (name) => {
    const isTaker = takers.includes(name)
    const order = orderIn('delivered')
    expect(canTakeBack(actors[name], order)).toBe(isTaker)
    for (const to of ['in-progress', 'shipped'] as const)
      expect(transitionError(actors[name], order, to, 'The wrong door')).toBe(
        isTaker ? null : expected(name, 'delivered', to),
      )
    // To no other status, and no other status like this.
    for (const to of ['new', 'cancelled'] as const)
      expect(transitionError(actors[name], order, to, 'Because')).toBe(expected(name, 'delivered', to))
    expect(transitionError(actors[name], orderIn('cancelled'), 'shipped', 'Because')).toBe(
      expected(name, 'cancelled', 'shipped'),
    )
    expect(canTakeBack(actors[name], orderIn('shipped'))).toBe(false)
    expect(canTakeBack(actors[name], orderIn('delivered', { phone: ERASED }))).toBe(false)
  })
})

it.each(names)('an order of a vendor without processing is never in-progress, asked as %s', (name) => {
  for (const [from, to] of transitions) {
    const order = orderIn(from, { processing: false })
    const isGone = to === 'in-progress' && name !== 'super'
    const error = expected(name, from, to) ?? (isGone ? 'ILLEGAL_TRANSITION' : null)
    expect([from, to, transitionError(actors[name], order, to)]).toEqual([from, to, error])
    expect(nextStatuses(actors[name], order)).not.toContain('in-progress')
  }
})

it('an order of an erased customer can be closed and never opened, also by a super admin', () => {
  for (const [from, to] of transitions) {
    const isClosing = to === 'delivered' || to === 'cancelled'
    const error = transitionError(actors.super, orderIn(from, { phone: ERASED }), to)
    expect([from, to, error]).toEqual([from, to, isClosing ? null : 'ORDER_CLOSED'])
  }
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
const both = (...amounts: number[]) => amounts.map((amount) => ({ holder: 'driver' as const, amount }))
const office = (amount: number) => ({ holder: 'office' as const, amount })
/** Delivered before for a part of the total, and taken back. */
const rest: Bill = { ...due, received: 2000, paymentStatus: 'unpaid' }
const covered: Bill = { ...rest, received: 3000 }
const paid: Bill = { ...due, paymentStatus: 'paid' }
const card: Bill = { ...due, paymentMethod: 'card' }

describe('a delivery', () => {
  const cases: [string, Bill, Report, boolean, number, string, office?: number][] = [
    ['by the driver collects the amount due', due, {}, true, 2150, 'paid'],
    ['by the driver of a paid order collects nothing', paid, {}, true, 0, 'paid'],
    ['by the driver without cash due collects nothing', card, {}, true, 0, 'pending'],
    ['by the driver who took less leaves it unpaid', due, { taken: fils(2149) }, true, 2149, 'unpaid'],
    ['by the driver who took the amount is paid', due, { taken: total }, true, 2150, 'paid'],
    ['by the driver who took more is paid', due, { taken: fils(2151) }, true, 2151, 'paid'],
    ['by the driver who took nothing leaves it unpaid', due, { taken: fils(0) }, true, 0, 'unpaid'],
    ['by the driver who reports paid collects the amount', due, { paymentStatus: 'paid' }, true, 2150, 'paid'],
    ['by the driver who reports unpaid collects nothing', due, { paymentStatus: 'unpaid' }, true, 0, 'unpaid'],
    ['with cash held by nobody is not paid', due, { cashHeldBy: 'nobody' }, true, 0, 'unpaid'],
    ['by the driver collects only what was not paid before', rest, {}, true, 150, 'paid'],
    ['by the driver who took the rest is paid', rest, { taken: fils(150) }, true, 150, 'paid'],
    ['by the driver who took less than the rest leaves it unpaid', rest, { taken: fils(149) }, true, 149, 'unpaid'],
    ['by the driver of an order that was paid before collects nothing', covered, {}, true, 0, 'paid'],
    ['by the office of an order that was paid before is paid', covered, {}, false, 0, 'paid'],
    ['by the office with the rest at the driver collects the rest', rest, { cashHeldBy: 'driver' }, false, 150, 'paid'],
    ['by the office collects nothing', due, {}, false, 0, 'pending'],
    ['by the office with cash at the driver collects it', due, { cashHeldBy: 'driver' }, false, 2150, 'paid'],
    ['by the office with cash at the office is paid there', due, { cashHeldBy: 'office' }, false, 0, 'paid', 2150],
    ['by the office that reports paid is paid there', due, { paymentStatus: 'paid' }, false, 0, 'paid', 2150],
    ['by the office with the rest at the office is paid there', rest, { cashHeldBy: 'office' }, false, 0, 'paid', 150],
    [
      'of a card order that the office reports paid is paid there',
      card,
      { paymentStatus: 'paid' },
      false,
      0,
      'paid',
      2150,
    ],
    ['by the driver with payments that cover it is paid', due, { paid: both(2000, 150) }, true, 2150, 'paid'],
    ['by the driver with payments that do not is unpaid', due, { paid: both(2000, 149) }, true, 2149, 'unpaid'],
    ['with payments to both is paid', due, { paid: [...both(2000), office(150)] }, false, 2000, 'paid', 150],
    [
      'with payments that do not cover it, called failed',
      card,
      { paid: both(1), paymentStatus: 'failed' },
      false,
      1,
      'failed',
    ],
  ]
  it.each(cases)('%s', (_, bill, report, isOwn, collected, paymentStatus, office = 0) => {
    expect(settle(bill, report, isOwn)).toEqual({ collected, office, paymentStatus })
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
        const { collected, office, paymentStatus } = settle(of, said, isOwn)
        const isDue = of.paymentMethod === 'cash' && of.paymentStatus !== 'paid'
        const open: number[] =
          said.taken !== undefined ? [said.taken] : isDue ? [0, Math.max(0, of.total - of.received)] : [0]
        expect(open).toContain(collected)
        const isUnreported = said.paymentStatus === undefined && said.taken === undefined
        if (collected > 0 && isUnreported) expect(paymentStatus).toBe('paid')
        // Paid exactly if covered; what was called paid before stays so.
        const isCovered = of.received + collected + office >= of.total
        const isCalledPaid = said.paymentStatus === undefined || said.paymentStatus === 'paid'
        expect(paymentStatus === 'paid').toBe(isCovered || (of.paymentStatus === 'paid' && isCalledPaid))
        if (office > 0) expect(of.received + collected + office).toBe(of.total)
      }),
    )
  })

  it('of a cancelled order asks for no cash', () => {
    expect([cashDue(due), cashDue({ ...due, status: 'cancelled' })]).toEqual([2150, 0])
  })

  it.each([
    [due, { cashHeldBy: 'office' }, false],
    [due, { cashHeldBy: 'driver' }, true],
    [due, { paid: [office(1)] }, false],
    [due, { paid: both(1) }, true],
    [due, { paymentStatus: 'paid' }, true],
    [paid, { paymentStatus: 'unpaid' }, false],
    [paid, { paymentStatus: 'paid' }, true],
    [card, { paymentStatus: 'paid' }, false],
    [card, {}, true],
  ] as const)('of %j may be reported by the driver with %j: %s', (bill, report, isAllowed) => {
    expect(canDriverReport(bill, report)).toBe(isAllowed)
  })
})

describe('the payment status', () => {
  it.each([
    ['pending', 2150, undefined, 'paid'],
    ['pending', 2149, undefined, 'pending'],
    ['paid', 2149, undefined, 'unpaid'],
    ['paid', 3000, 'unpaid', 'paid'],
    ['unpaid', 2150, undefined, 'paid'],
    ['failed', 0, undefined, 'failed'],
    ['paid', 0, 'failed', 'failed'],
    ['pending', 0, 'paid', 'pending'],
    [null, 0, undefined, 'unpaid'],
  ] as const)('%s with %i of 2150 received, called %s, becomes %s', (before, received, reported, after) => {
    expect(paymentAfter(before, { total, received }, reported)).toBe(after)
  })

  const entry = (id: number, amount: number, more: Partial<HeldEntry> = {}): HeldEntry => ({
    id,
    kind: 'payment',
    delivery: 1,
    holder: 'office',
    holderId: 5,
    means: 'cash',
    amount,
    day: '2026-03-01',
    isReversed: false,
    ...more,
  })
  const ofDriver = { holder: 'driver', holderId: 7 } as const
  it.each<[string, HeldEntry[], [number, number | null, string][], boolean]>([
    ['the last mistake of the office alone', [entry(2, 1650), entry(1, 500)], [[-1650, 5, 'cash']], false],
    [
      'a mistake by its means and person',
      [entry(2, 2150, { means: 'card', holderId: null })],
      [[-2150, null, 'card']],
      true,
    ],
    ['money that another person took', [entry(1, 2150, { holderId: 3 })], [[-2150, 3, 'cash']], true],
    [
      'money that another person took, though the person took and gave as much before',
      [entry(3, -500), entry(2, 500), entry(1, 2150, { holderId: 3 })],
      [[-2150, 3, 'cash']],
      true,
    ],
    [
      'what a driver took, by its means',
      [entry(1, 2150, { ...ofDriver, means: 'benefitpay' })],
      [[-2150, 5, 'benefitpay']],
      true,
    ],
    ['money of another day', [entry(1, 2150, { day: '2026-02-28' })], [[-2150, 5, 'cash']], true],
    [
      'nothing of a mistake that was paid back',
      [entry(3, -500, { means: 'card' }), entry(2, 500, { means: 'card' }), entry(1, 2150, ofDriver)],
      [[-2150, 5, 'cash']],
      true,
    ],
    [
      'of two payments to a driver the one that was not paid back',
      [entry(3, 2150, ofDriver), entry(2, -2150, { holderId: 3 }), entry(1, 2150, ofDriver)],
      [[-2150, 5, 'cash']],
      true,
    ],
    [
      'no more than was received',
      [entry(2, -500, { means: 'card' }), entry(1, 3000, ofDriver)],
      [[-2500, 5, 'cash']],
      true,
    ],
    ['the mistake beside cash of a driver', [entry(2, 150), entry(1, 2000, ofDriver)], [[-150, 5, 'cash']], false],
    [
      'nothing twice',
      [entry(3, 2150, ofDriver), entry(2, -2150), entry(1, 2150, { isReversed: true })],
      [[-2150, 5, 'cash']],
      true,
    ],
    [
      'cash of a driver without what was corrected',
      [entry(3, -850, ofDriver), entry(2, 3000, ofDriver)],
      [[-2150, 5, 'cash']],
      true,
    ],
  ])('left by an office takes back %s', (_, entries, taken, isRefund) => {
    const received = entries.reduce((sum, { amount }) => sum + amount, 0)
    const reversal = reversalOf(entries, { total, received, personId: 5, today: '2026-03-01' })
    expect(reversal.isRefund).toBe(isRefund)
    expect(reversal.entries.map(({ amount, holderId, means }) => [amount, holderId, means])).toEqual(taken)
  })

  const report = (id: number, amount: number, more: Partial<HeldEntry> = {}) =>
    entry(id, amount, { ...ofDriver, kind: 'collected', ...more })
  it.each<[string, HeldEntry[], { office: number[]; driver: number[] } | null]>([
    ['the same amount', [report(2, 2150), entry(1, 2150)], { office: [1], driver: [2] }],
    [
      'another amount by other means',
      [entry(2, 2150, { means: 'card' }), report(1, 2200)],
      { office: [2], driver: [1] },
    ],
    ['less, with the driver', [report(2, 2000), entry(1, 2150, ofDriver)], { office: [1], driver: [2] }],
    [
      'both parts of the report of the last delivery',
      [
        entry(4, 2150),
        report(3, 150, { delivery: 2, means: 'benefitpay' }),
        report(2, 1500, { delivery: 2 }),
        report(1, 500),
      ],
      { office: [4], driver: [3, 2] },
    ],
    ['parts of it, with a surplus', [report(2, 1650), entry(1, 1000)], null],
    [
      'one sum, beside a record that was taken back',
      [entry(4, -2150), entry(3, 2150, { isReversed: true }), report(2, 2150), entry(1, 2150)],
      { office: [1], driver: [2] },
    ],
    ['what was taken back', [report(3, 2150), entry(2, -2150), entry(1, 2150, { isReversed: true })], null],
    ['nothing beside a surplus of the driver', [report(1, 3000)], null],
    ['a rest', [report(2, 1150), entry(1, 1000)], null],
    ['a sum that was paid back in part, beside a small surplus', [entry(3, 100), entry(2, -50), report(1, 2150)], null],
  ])('of an order of which the office and the driver recorded %s', (_, entries, found) => {
    const received = entries.reduce((sum, { amount }) => sum + amount, 0)
    const double = doubleOf(entries, { total, received })
    const idsOf = (some: readonly HeldEntry[]) => some.map(({ id }) => id)
    expect(double && { office: idsOf(double.office), driver: idsOf(double.driver) }).toEqual(found)
  })
})
