import type { Run, RunStop } from '@qatra/contract/drivers'
import { describe, expect, it } from 'vitest'
import { createOutbox, type Outcome } from './outbox.ts'
import { applyActions, groupsOf, type RunAction, rearranged } from './run-actions.ts'

function storageOf(kept = new Map<string, string>()) {
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

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

function setUp(answers: (act: RunAction) => Outcome, storage = storageOf()) {
  let clock = 1_000
  const sent: string[] = []
  const waits: { callback: () => void; at: number }[] = []
  let news = 0
  const outbox = createOutbox({
    storage,
    userId: 5,
    now: () => clock,
    send: async (act) => {
      sent.push(act.key)
      return answers(act)
    },
    wait: (callback, ms) => {
      const entry = { callback, at: clock + ms }
      waits.push(entry)
      return () => void waits.splice(waits.indexOf(entry), 1)
    },
    onNews: () => (news += 1),
  })
  /** Advances the clock and runs due timers. */
  async function pass(ms: number) {
    clock += ms
    for (const due of waits.filter(({ at }) => at <= clock)) {
      waits.splice(waits.indexOf(due), 1)
      due.callback()
    }
    await outbox.flush()
  }
  return { outbox, sent, pass, storage, newsOf: () => news }
}

describe('createOutbox', () => {
  it('sends actions in order after the undo window', async () => {
    const { outbox, sent, pass, storage, newsOf } = setUp(() => ({ kind: 'done' }))
    outbox.add(deliver('a', { sendAfter: 6_000 }))
    outbox.add(deliver('b', { sendAfter: 7_000 }))
    await pass(4_000)
    expect(sent).toEqual([])
    await pass(2_500)
    expect([sent, outbox.getState().acts.length, newsOf()]).toEqual([['a', 'b'], 0, 2])
    expect(storage.kept.size).toBe(0)
  })

  it('undoes an unsent action, and no sent one', async () => {
    const { outbox, sent, pass } = setUp(() => ({ kind: 'done' }))
    outbox.add(deliver('a', { sendAfter: 6_000 }))
    expect(outbox.undo('a')).toBe(true)
    await pass(10_000)
    expect([sent, outbox.undo('a')]).toEqual([[], false])
  })

  it('keeps actions while offline and over a reload, and sends them with the same keys', async () => {
    let isOn = false
    const first = setUp(() => (isOn ? { kind: 'done' } : { kind: 'later' }))
    for (const key of ['a', 'b', 'c']) first.outbox.add(deliver(key))
    await first.pass(1_000)
    expect([first.sent, first.outbox.getState()]).toMatchObject([['a'], { isStuck: true, acts: [{}, {}, {}] }])
    // After a reload only the storage is left.
    isOn = true
    const second = setUp(() => ({ kind: 'done' }), first.storage)
    expect(second.outbox.getState().acts.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
    await second.outbox.flush()
    expect([second.sent, second.storage.kept.size]).toEqual([['a', 'b', 'c'], 0])
  })

  it('retries with increasing delays', async () => {
    let tries = 0
    const { outbox, pass } = setUp(() => ((tries += 1) < 3 ? { kind: 'later' } : { kind: 'done' }))
    outbox.add(deliver('a'))
    await pass(0)
    expect(outbox.getState()).toMatchObject({ isStuck: true })
    await pass(70_000)
    await pass(70_000)
    expect(outbox.getState()).toMatchObject({ isStuck: false, acts: [] })
  })

  it('keeps a refused action for display, sends the rest, and never resends it', async () => {
    const problem = { status: 409, code: 'ILLEGAL_TRANSITION', from: 'cancelled' }
    const { outbox, sent, pass } = setUp(({ key }) => (key === 'a' ? { kind: 'refused', problem } : { kind: 'done' }))
    outbox.add(deliver('a'))
    outbox.add(deliver('b'))
    await pass(0)
    await pass(90_000)
    expect([sent, outbox.getState().acts]).toMatchObject([['a', 'b'], [{ key: 'a', problem }]])
    outbox.dismiss('a')
    expect(outbox.getState().acts).toEqual([])
  })

  it('reports an expired session, and keeps the actions for the same person only', async () => {
    const { outbox, pass, storage } = setUp(() => ({ kind: 'later', isSignedOut: true }))
    outbox.add(deliver('a'))
    await pass(0)
    expect(outbox.getState()).toMatchObject({ isSignedOut: true, acts: [{ key: 'a' }] })
    expect([...storage.kept.keys()]).toEqual(['run-acts.5'])
  })

  it('sends at once when the page is left', async () => {
    const { outbox, sent } = setUp(() => ({ kind: 'done' }))
    outbox.add(deliver('a', { sendAfter: 60_000 }))
    await outbox.flush({ isHurry: true })
    expect(sent).toEqual(['a'])
  })

  it('keeps the actions of another tab', () => {
    const storage = storageOf()
    const [one, two] = [setUp(() => ({ kind: 'done' }), storage), setUp(() => ({ kind: 'done' }), storage)]
    one.outbox.add(deliver('a', { sendAfter: 9e9 }))
    two.outbox.add(deliver('b', { sendAfter: 9e9 }))
    one.outbox.reread()
    expect(one.outbox.getState().acts.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('ignores invalid stored data', () => {
    const storage = storageOf(new Map([['run-acts.5', '{broken']]))
    expect(setUp(() => ({ kind: 'done' }), storage).outbox.getState().acts).toEqual([])
  })
})

// Only the fields that actions change.
const stop = (id: string, more: Partial<RunStop> = {}) =>
  ({
    id,
    status: 'shipped',
    cashToCollect: 2.15,
    cashCollected: null,
    attempts: [],
    can: { deliver: true, attempt: true },
    ...more,
  }) as unknown as RunStop
const run = (stops: RunStop[]) =>
  ({
    stops,
    cash: { expected: 1, collected: 1, counted: null, handedOver: 0, inHand: 1, difference: null },
  }) as unknown as Run

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

  it('counts no action twice once the server has it, and no refused action', () => {
    const known = run([stop('O-a', { status: 'delivered', can: { deliver: false, attempt: false } }), stop('O-b')])
    const refused = deliver('b', { problem: { status: 409, code: 'ILLEGAL_TRANSITION', from: 'cancelled' } })
    expect(applyActions(known, [deliver('a'), refused])).toEqual(known)
  })

  it('puts attempted stops last', () => {
    const tried = { kind: 'attempt', reason: 'absent', notes: '' } as Partial<RunAction>
    const seen = applyActions(run([stop('O-a'), stop('O-b'), stop('O-c')]), [deliver('a', tried)])
    const { next, later, tried: behind } = groupsOf(seen)
    expect([next?.id, later.map(({ id }) => id), behind.map(({ id }) => id)]).toEqual(['O-b', ['O-c'], ['O-a']])
  })

  it('moves one stop and leaves the others in their order', () => {
    const stops = ['a', 'b', 'c', 'd'].map((id) => stop(id))
    expect(rearranged(stops, 'd', 'b')).toEqual(['a', 'd', 'b', 'c'])
    expect(rearranged(stops, 'a', 'c')).toEqual(['b', 'c', 'a', 'd'])
    expect(rearranged(stops, 'x', 'c')).toEqual(['a', 'b', 'c', 'd'])
  })
})
