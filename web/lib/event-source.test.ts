import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ConnectionState, openEventSource } from './event-source.ts'
import { FakeEventSource } from './fake-event-source.ts'

const newest = () => {
  const source = FakeEventSource.all.at(-1)
  if (!source) throw new Error('Nothing was opened')
  return source
}
const received: number[] = []
const states: ConnectionState[] = []
let refused = 0
let resets = 0
let close = () => {}

function start(after: number | null = null) {
  close = openEventSource(
    { path: '/api/admin/events', names: ['orders'], after },
    {
      onEvent: ({ id }) => void received.push(id),
      onAt() {},
      onReset: () => {
        resets += 1
      },
      onState: (state) => void states.push(state),
      onRefused: () => {
        refused += 1
      },
    },
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeEventSource)
  FakeEventSource.all = []
  received.length = 0
  states.length = 0
  refused = 0
  resets = 0
})
afterEach(() => {
  close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('openEventSource', () => {
  it('resumes after the given id and delivers events', () => {
    start(41)
    expect(newest().url).toBe('/api/admin/events?after=41')
    newest().dispatch('ready', {}, 41)
    newest().dispatch('orders', { id: 42, kind: 'order-placed' }, 42)
    newest().dispatch('reset', {}, 50)
    expect([received, states, resets]).toEqual([[42], ['connected'], 1])
  })

  it('leaves reconnection after a short break to the browser', () => {
    start()
    newest().dispatch('ready', {}, 7)
    newest().fail(FakeEventSource.CONNECTING)
    expect([states, FakeEventSource.all.length, refused]).toEqual([['connected', 'connecting'], 1, 0])
  })

  it('reconnects with backoff from the last id after the browser gives up, and reports the refusal', () => {
    start()
    newest().dispatch('orders', { id: 9 }, 9)
    newest().fail(FakeEventSource.CLOSED)
    expect([states.at(-1), refused]).toEqual(['connecting', 1])
    vi.advanceTimersByTime(2_500)
    expect([FakeEventSource.all.length, newest().url]).toEqual([2, '/api/admin/events?after=9'])
    newest().fail(FakeEventSource.CLOSED)
    vi.advanceTimersByTime(2_900)
    expect(FakeEventSource.all.length).toBe(2)
    vi.advanceTimersByTime(2_200)
    expect(FakeEventSource.all.length).toBe(3)
    newest().dispatch('ready', {}, 9)
    newest().fail(FakeEventSource.CLOSED)
    vi.advanceTimersByTime(2_500)
    expect(FakeEventSource.all.length).toBe(4)
  })

  it('stays closed after being replaced until its tab becomes visible', () => {
    start()
    newest().dispatch('end', { reason: 'replaced' })
    expect(newest().readyState).toBe(FakeEventSource.CLOSED)
    vi.advanceTimersByTime(120_000)
    expect(FakeEventSource.all.length).toBe(1)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(FakeEventSource.all.length).toBe(2)
  })

  it('reports a refusal if the rights changed, and reconnects after other ends', () => {
    start()
    newest().dispatch('end', { reason: 'age' })
    expect([newest().readyState, refused]).toEqual([1, 0])
    newest().dispatch('end', { reason: 'rights' })
    expect(refused).toBe(1)
    vi.advanceTimersByTime(2_500)
    expect(FakeEventSource.all.length).toBe(2)
  })

  it('reports offline, and reconnects on the online event', () => {
    start()
    window.dispatchEvent(new Event('offline'))
    expect(states.at(-1)).toBe('offline')
    window.dispatchEvent(new Event('online'))
    expect(FakeEventSource.all.length).toBe(2)
    close()
    window.dispatchEvent(new Event('online'))
    expect([FakeEventSource.all.length, newest().readyState]).toEqual([2, FakeEventSource.CLOSED])
  })
})
