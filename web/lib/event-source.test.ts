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

function start() {
  close = openEventSource(
    { path: '/api/admin/events', names: ['orders'] },
    {
      onEvent: ({ id }) => void received.push(id),
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
  vi.restoreAllMocks()
})

describe('openEventSource', () => {
  it('resets at the first connection and when the server says so, and delivers events', () => {
    start()
    expect(newest().url).toBe('/api/admin/events')
    newest().dispatch('ready', {}, 41)
    newest().dispatch('orders', { id: 42, kind: 'order-placed' }, 42)
    expect([received, states, resets]).toEqual([[42], ['connected'], 1])
    newest().dispatch('ready', {}, 42)
    expect(resets).toBe(1)
    newest().dispatch('reset', {}, 50)
    expect(resets).toBe(2)
  })

  it('is closed while the page is in the back/forward cache, and resets when it is shown again', () => {
    start()
    newest().dispatch('ready', {}, 41)
    window.dispatchEvent(new Event('pagehide'))
    expect(newest().readyState).toBe(FakeEventSource.CLOSED)
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    expect(FakeEventSource.all.length).toBe(1)
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    newest().dispatch('ready', {}, 50)
    expect([FakeEventSource.all.length, newest().url, resets]).toEqual([2, '/api/admin/events', 2])
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
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    start()
    newest().dispatch('end', { reason: 'replaced' })
    expect(newest().readyState).toBe(FakeEventSource.CLOSED)
    vi.advanceTimersByTime(120_000)
    expect(FakeEventSource.all.length).toBe(1)
    visibility.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(FakeEventSource.all.length).toBe(2)
    newest().dispatch('ready', {}, 9)
    newest().dispatch('end', { reason: 'replaced' })
    expect([newest().readyState, FakeEventSource.all.length]).toEqual([FakeEventSource.CLOSED, 2])
    vi.advanceTimersByTime(15_000)
    expect(newest().url).toBe('/api/admin/events?after=9')
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
