import type { RunStop } from '@qatra/contract/drivers'
import { describe, expect, it } from 'vitest'
import { applyActions, groupsOf, type RunAction, rearranged } from './run-actions.ts'
import { testRun, testStop } from './test-run.ts'

const deliver = (key: string, more: Partial<RunAction> = {}): RunAction =>
  ({
    kind: 'deliver',
    key,
    orderId: `O-${key}`,
    at: '2026-11-21T08:00:00.000Z',
    sendAfter: 0,
    amount: 2.15,
    ...more,
  }) as RunAction

const stop = testStop
const run = (stops: RunStop[]) => testRun(stops, { expected: 1, collected: 1, inHand: 1 })

describe('the run with unsent actions', () => {
  it('includes the delivery and its cash, exact in fils', () => {
    const known = run([stop('O-a'), stop('O-b', { cashToCollect: 0.1 })])
    const seen = applyActions(known, [deliver('a'), deliver('b', { amount: 0.1 } as Partial<RunAction>)])
    expect(seen.stops.map(({ status, cashCollected }) => [status, cashCollected])).toEqual([
      ['delivered', 2.15],
      ['delivered', 0.1],
    ])
    expect(seen.cash).toMatchObject({ expected: 3.25, collected: 3.25, inHand: 3.25 })
    expect(known.stops[0]?.status).toBe('shipped')
  })

  it('counts cash apart from other means, and what is beyond the amount due as a surplus', () => {
    const payments = [
      { means: 'benefitpay', amount: 2, key: 'a:1' },
      { means: 'cash', amount: 0.4, key: 'a:2' },
    ] as const
    const seen = applyActions(run([stop('O-a')]), [deliver('a', { amount: 2.4, payments } as Partial<RunAction>)])
    expect(seen.otherMeans).toEqual({ benefitpay: 2 })
    expect(seen.cash).toMatchObject({ expected: 1.15, collected: 1.4, inHand: 1.4 })
    const collectedMeans = { benefitpay: 2, cash: 0.4 }
    expect(seen.stops[0]).toMatchObject({ cashCollected: 2.4, cashToCollect: 0, collectedMeans })
  })

  it('expects what was due by the count of the bottles, also if less was taken', () => {
    const counted = { amount: 3, due: 4.15, bottles: [{ typeId: 7, returned: 1 }] } as Partial<RunAction>
    const seen = applyActions(run([stop('O-a')]), [deliver('a', counted)])
    expect(seen.cash).toMatchObject({ expected: 4, collected: 4 })
  })

  it('counts an action once after the server has accepted it, and never a refused one', () => {
    const known = run([stop('O-a', { status: 'delivered', can: { deliver: false, attempt: false } }), stop('O-b')])
    const refused = deliver('b', { problem: { status: 409, code: 'ILLEGAL_TRANSITION', from: 'cancelled' } })
    expect(applyActions(known, [deliver('a'), refused])).toEqual(known)
  })

  it('puts attempted stops last', () => {
    const tried = {
      kind: 'attempt',
      reason: 'absent',
      notes: '',
      at: '2026-11-22T08:00:00.000Z',
    } as Partial<RunAction>
    const seen = applyActions(run([stop('O-a'), stop('O-b'), stop('O-c')]), [deliver('a', tried)])
    const { next, later, tried: behind } = groupsOf(seen)
    expect([next?.id, later.map(({ id }) => id), behind.map(({ id }) => id)]).toEqual(['O-b', ['O-c'], ['O-a']])
  })

  it('leaves a stop that was tried on an earlier day in its place', () => {
    const earlier = { reason: 'absent', notes: null, at: '2026-11-20T08:00:00.000Z' }
    const { next, tried } = groupsOf(run([stop('O-a', { attempts: [earlier] }), stop('O-b')]))
    expect([next?.id, tried]).toEqual(['O-a', []])
  })

  it('moves one stop and leaves the others in their order', () => {
    const stops = ['a', 'b', 'c', 'd'].map((id) => stop(id))
    expect(rearranged(stops, 'd', 'b')).toEqual(['a', 'd', 'b', 'c'])
    expect(rearranged(stops, 'a', 'c')).toEqual(['b', 'c', 'a', 'd'])
    expect(rearranged(stops, 'x', 'c')).toEqual(['a', 'b', 'c', 'd'])
  })
})
