import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOutbox, memoryEntries, type OutboxEntry, type Outcome, storedEntries } from './outbox.ts'

type Entry = OutboxEntry<{ code: string }>
const UNDO_MS = 5_000

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }))
afterEach(() => void vi.useRealTimers())

function storageOf(items = new Map<string, string>()) {
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}
const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && 'key' in value
const inStorage = (storage: ReturnType<typeof storageOf>) => storedEntries(storage, 'acts', isEntry)

type Answer = Outcome<{ code: string }> | Promise<Outcome<{ code: string }>>
const done: Outcome<never> = { kind: 'done' }

function setUp(answer: (entry: Entry) => Answer = () => done, entries = memoryEntries<Entry>()) {
  const sent: string[] = []
  const onSettled = vi.fn()
  const outbox = createOutbox<Entry>({
    entries,
    send: async (entry, { isLeaving }) => {
      sent.push(isLeaving ? `${entry.key} while leaving` : entry.key)
      return answer(entry)
    },
    onSettled,
  })
  const add = (key: string, undoMs = 0) => outbox.add({ key, sendAfter: Date.now() + undoMs })
  const keys = () => outbox.state.get().entries.map(({ key }) => key)
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { outbox, sent, add, keys, pass, onSettled }
}

describe('undo window', () => {
  it('delays the entry, which is then sent once and cannot be undone', async () => {
    const { outbox, sent, add, keys, pass } = setUp()
    add('a', UNDO_MS)
    expect(keys()).toEqual(['a'])
    await pass(UNDO_MS - 1)
    expect(sent).toEqual([])
    await pass(1)
    await pass(90_000)
    expect([sent, keys(), outbox.undo('a')]).toEqual([['a'], [], false])
  })

  it('never sends an undone entry', async () => {
    const { outbox, sent, add, keys, pass } = setUp()
    add('a', UNDO_MS)
    await pass(UNDO_MS - 1)
    expect(outbox.undo('a')).toBe(true)
    await pass(UNDO_MS)
    await outbox.flush({ isHurry: true })
    await outbox.flush({ isLeaving: true })
    expect([sent, keys()]).toEqual([[], []])
  })

  it('never sends an entry after clear', async () => {
    const { outbox, sent, add, keys, pass } = setUp()
    add('a', UNDO_MS)
    outbox.clear()
    await pass(UNDO_MS)
    expect([sent, keys()]).toEqual([[], []])
  })

  it('sends entries in order at the end of their windows', async () => {
    const { sent, add, pass, onSettled } = setUp()
    add('a', UNDO_MS)
    add('b', UNDO_MS + 1_000)
    await pass(UNDO_MS - 1)
    expect(sent).toEqual([])
    await pass(1_001)
    expect([sent, onSettled.mock.calls.length]).toEqual([['a', 'b'], 2])
  })

  it('is ended by a hurry for the entries added before it, and not for later ones', async () => {
    let finish = () => {}
    const { outbox, sent, add, keys, pass } = setUp(({ key }) =>
      key === 'a' ? new Promise((resolve) => (finish = () => resolve(done))) : done,
    )
    add('a', UNDO_MS)
    void outbox.flush({ isHurry: true })
    add('b', UNDO_MS)
    await pass(0)
    expect([sent, outbox.undo('a')]).toEqual([['a'], false])
    await pass(UNDO_MS)
    expect([sent, keys()]).toEqual([['a'], ['a', 'b']])
    finish()
    await pass(0)
    expect([sent, keys()]).toEqual([['a', 'b'], []])
  })

  it('is ended when the page is left, without waiting for the previous answer', async () => {
    const { outbox, sent, add, pass } = setUp(() => new Promise(() => {}))
    add('a')
    add('b', UNDO_MS)
    await pass(0)
    void outbox.flush({ isLeaving: true })
    await pass(0)
    expect(sent).toEqual(['a', 'b while leaving'])
  })

  it('waits for entries that were sent while leaving before it sends the next one', async () => {
    let finish = () => {}
    const { outbox, sent, add, pass } = setUp(({ key }) =>
      key === 'a' ? new Promise((resolve) => (finish = () => resolve(done))) : done,
    )
    add('a', UNDO_MS)
    void outbox.flush({ isLeaving: true })
    add('b')
    await pass(0)
    expect(sent).toEqual(['a while leaving'])
    finish()
    await pass(0)
    expect(sent).toEqual(['a while leaving', 'b'])
  })
})

describe('sending', () => {
  it('keeps entries while offline and over a reload, and sends them with the same keys', async () => {
    const storage = storageOf()
    const first = setUp(() => ({ kind: 'later' }), inStorage(storage))
    for (const key of ['a', 'b', 'c']) first.add(key)
    await first.pass(0)
    expect([first.sent, first.outbox.state.get()]).toMatchObject([['a'], { isStuck: true, entries: [{}, {}, {}] }])
    await first.outbox.stop()
    // After a reload only the storage is left.
    const second = setUp(() => done, inStorage(storage))
    expect(second.keys()).toEqual(['a', 'b', 'c'])
    await second.outbox.flush()
    expect([second.sent, storage.items.size]).toEqual([['a', 'b', 'c'], 0])
  })

  it('reports an error that `send` throws, and sends the entry and the later ones again', async () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    let tries = 0
    const { outbox, sent, add, keys, pass } = setUp(() => {
      tries += 1
      if (tries === 1) throw new TypeError('No stops')
      return done
    })
    add('a')
    add('b')
    await pass(0)
    expect([keys(), outbox.state.get()]).toMatchObject([['a', 'b'], { isStuck: true, isSending: false }])
    await pass(4_000)
    expect([sent, keys(), reported.mock.calls.length]).toEqual([['a', 'a', 'b'], [], 1])
    vi.unstubAllGlobals()
  })

  it('retries with increasing delays until it succeeds', async () => {
    let tries = 0
    const { outbox, sent, add, pass } = setUp(() => ((tries += 1) < 3 ? { kind: 'later' } : done))
    add('a')
    await pass(0)
    expect(outbox.state.get()).toMatchObject({ isStuck: true })
    await pass(4_000)
    await pass(7_999)
    expect(sent).toEqual(['a', 'a'])
    await pass(1)
    expect([sent.length, outbox.state.get()]).toMatchObject([3, { isStuck: false, entries: [] }])
  })

  it('keeps a refused entry for display, sends the rest, and resends it only on request', async () => {
    const problem = { code: 'ILLEGAL_TRANSITION' }
    let isAccepted = false
    const { outbox, sent, add, keys, pass } = setUp(({ key }) =>
      key === 'a' && !isAccepted ? { kind: 'refused', problem } : done,
    )
    add('a')
    add('b')
    await pass(90_000)
    expect([sent, outbox.state.get().entries]).toMatchObject([['a', 'b'], [{ key: 'a', problem }]])
    isAccepted = true
    outbox.retry('a')
    await pass(0)
    expect([sent, keys()]).toEqual([['a', 'b', 'a'], []])
  })

  it('removes a refused entry that was dismissed', async () => {
    const { outbox, add, keys, pass } = setUp(() => ({ kind: 'refused', problem: { code: 'GONE' } }))
    add('a')
    await pass(0)
    outbox.dismiss('a')
    expect(keys()).toEqual([])
  })

  it('ends with stop, which waits for the request in flight and keeps the other entries', async () => {
    let finish = () => {}
    const { outbox, sent, add, keys, pass } = setUp(() => new Promise((resolve) => (finish = () => resolve(done))))
    add('a')
    add('b')
    await pass(0)
    let isStopped = false
    const stopped = outbox.stop().then(() => (isStopped = true))
    await pass(0)
    expect(isStopped).toBe(false)
    finish()
    await stopped
    add('c')
    await pass(90_000)
    await outbox.flush({ isLeaving: true })
    expect([sent, keys()]).toEqual([['a'], ['b', 'c']])
  })

  it('reports an expired session and keeps the entries', async () => {
    const { outbox, add, pass } = setUp(() => ({ kind: 'later', isSignedOut: true }))
    add('a')
    await pass(0)
    expect(outbox.state.get()).toMatchObject({ isSignedOut: true, entries: [{ key: 'a' }] })
  })

  it('does not undo an entry whose answer was lost, since the server may have performed it', async () => {
    const storage = storageOf()
    const { outbox, add, keys } = setUp(() => ({ kind: 'later' }), inStorage(storage))
    add('a', UNDO_MS)
    await outbox.flush({ isLeaving: true })
    expect(outbox.undo('a')).toBe(false)
    const reloaded = setUp(() => ({ kind: 'later' }), inStorage(storage))
    expect(reloaded.outbox.undo('a')).toBe(false)
    expect(keys()).toEqual(['a'])
  })
})

describe('stored entries', () => {
  it('of another tab are kept', () => {
    const storage = storageOf()
    const [one, two] = [setUp(() => done, inStorage(storage)), setUp(() => done, inStorage(storage))]
    one.add('a', 90_000)
    two.add('b', 90_000)
    one.outbox.reread()
    expect(one.keys()).toEqual(['a', 'b'])
  })

  it('that are invalid are ignored', () => {
    for (const text of ['{broken', '{}', '[null, 5]'])
      expect(setUp(() => done, inStorage(storageOf(new Map([['acts', text]])))).keys()).toEqual([])
  })
})
