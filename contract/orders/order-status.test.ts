import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allowsAction,
  canBecome,
  canPaymentBecome,
  customerStatus,
  type OrderAction,
  type OrderStatus,
  offeredPaymentMethods,
  orderActions,
  orderStatuses,
  type Party,
  paymentMethods,
  paymentStatuses,
  paymentStatusOf,
  paymentWord,
  soldStatuses,
  successors,
} from './order-status.ts'

describe('the status of an order', () => {
  it('allows exactly these transitions', () => {
    const allowed = orderStatuses.flatMap((from) =>
      orderStatuses.filter((to) => canBecome(from, to)).map((to) => `${from} → ${to}`),
    )
    expect(allowed).toEqual([
      'new → in-progress',
      'new → shipped',
      'new → delivered',
      'new → cancelled',
      'in-progress → shipped',
      'in-progress → delivered',
      'in-progress → cancelled',
      'shipped → delivered',
      'shipped → cancelled',
    ])
  })

  it('always ends in a final status and never returns to an earlier one', () => {
    const isFinal = (status: OrderStatus) => successors[status].length === 0
    expect(orderStatuses.filter(isFinal)).toEqual(['delivered', 'cancelled'])
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (choices) => {
        const seen: OrderStatus[] = ['new']
        for (const choice of choices) {
          const next = successors[seen.at(-1) ?? 'new']
          const to = next[choice % next.length]
          if (to === undefined) break
          expect(seen).not.toContain(to)
          seen.push(to)
        }
        expect(seen.length).toBeLessThanOrEqual(orderStatuses.length)
      }),
    )
  })

  it('counts as sold unless the order was cancelled', () => {
    expect(soldStatuses).toEqual(['new', 'in-progress', 'shipped', 'delivered'])
  })

  it('has four values for customers', () => {
    expect(orderStatuses.map(customerStatus)).toEqual(['new', 'in-progress', 'in-progress', 'delivered', 'cancelled'])
  })
})

describe('the acts that a status allows', () => {
  const statusesOf = (party: Party, act: OrderAction) =>
    orderStatuses.filter((status) => allowsAction(status, party, act))
  const open: OrderStatus[] = ['new', 'in-progress', 'shipped']

  it.each<[OrderAction, Party, OrderStatus[]]>([
    ['cancel', 'customer', ['new', 'in-progress']],
    ['reschedule', 'customer', ['new', 'in-progress']],
    ['rescheduleAfterAttempt', 'customer', open],
    ['items', 'customer', ['new', 'in-progress']],
    ['address', 'customer', ['new', 'in-progress']],
    ['reorder', 'customer', ['delivered']],
    ['deliver', 'customer', []],
    ['attempt', 'customer', []],
    ['assign', 'customer', []],
    ['cancel', 'staff', open],
    ['reschedule', 'staff', open],
    ['address', 'staff', open],
    ['items', 'staff', ['new', 'in-progress']],
    ['assign', 'staff', open],
    ['confirm', 'staff', [...open, 'delivered']],
    ['deliver', 'driver', open],
    ['attempt', 'driver', open],
    ['cancel', 'driver', []],
    ['reschedule', 'driver', []],
  ])('%s by the %s is possible while %j', (act, party, statuses) => {
    expect(statusesOf(party, act)).toEqual(statuses)
  })

  it('are the same for a customer in the shop and through the bot, which does not edit or rate orders', () => {
    const { items: _items, address: _address, rate: _rate, ...others } = orderActions.customer
    expect(orderActions.bot).toEqual(others)
  })
})

describe('the payment status', () => {
  it('starts as pending and never returns to it', () => {
    for (const to of ['paid', 'failed', 'unpaid'] as const) expect(canPaymentBecome('pending', to)).toBe(true)
    for (const from of paymentStatuses) {
      expect(canPaymentBecome(from, 'pending')).toBe(false)
      expect(canPaymentBecome(from, from)).toBe(false)
    }
    expect(canPaymentBecome('unpaid', 'paid') && canPaymentBecome('failed', 'paid')).toBe(true)
  })

  it('counts as unpaid if missing', () => {
    expect([paymentStatusOf(null), paymentStatusOf(undefined), paymentStatusOf('paid')]).toEqual([
      'unpaid',
      'unpaid',
      'paid',
    ])
  })

  it('offers only cash at checkout', () => {
    expect(offeredPaymentMethods).toEqual(['cash'])
    expect(paymentMethods).toEqual(['cash', 'card', 'online', 'bank_transfer'])
  })
})

describe('the payment label', () => {
  it.each([
    ['new', 'pending', 'onDelivery'],
    ['shipped', 'pending', 'onDelivery'],
    ['shipped', 'unpaid', 'unpaid'],
    ['delivered', 'pending', 'unpaid'],
    ['delivered', 'unpaid', 'unpaid'],
    ['delivered', 'failed', 'failed'],
    ['delivered', 'paid', 'paid'],
  ] as const)('of a cash order that is %s and %s is %s', (status, paymentStatus, word) => {
    expect(paymentWord({ status, paymentMethod: 'cash', paymentStatus })).toBe(word)
  })

  it('of an order that is not paid in cash is the status of the payment', () => {
    for (const paymentMethod of ['card', 'online', 'bank_transfer'] as const)
      for (const paymentStatus of paymentStatuses)
        expect(paymentWord({ status: 'delivered', paymentMethod, paymentStatus })).toBe(paymentStatus)
  })
})
