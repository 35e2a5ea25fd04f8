import { getOrder } from '@qatra/contract/orders/orders'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeEventSource } from '../lib/fake-event-source.ts'
import { subscribeToOrderEvents } from './live-orders.ts'

let visibility: DocumentVisibilityState = 'visible'
let fetches = 0
let stop = () => {}
let unobserve = () => {}
const source = () => FakeEventSource.all.at(-1)
const settle = () => vi.advanceTimersByTimeAsync(0)
function show(state: DocumentVisibilityState) {
  visibility = state
  document.dispatchEvent(new Event('visibilitychange'))
  return settle()
}

beforeEach(async () => {
  vi.useFakeTimers()
  FakeEventSource.all = []
  vi.stubGlobal('EventSource', FakeEventSource)
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  const queries = new QueryClient()
  const queryFn = async () => (fetches += 1)
  await queries.fetchQuery({ queryKey: [getOrder.path, {}], queryFn })
  const { QueryObserver } = await import('@tanstack/react-query')
  const options = { queryKey: [getOrder.path, {}], queryFn, staleTime: Number.POSITIVE_INFINITY }
  unobserve = new QueryObserver(queries, options).subscribe(() => {})
  fetches = 0
  stop = subscribeToOrderEvents(queries)
})
afterEach(() => {
  stop()
  unobserve()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function connect() {
  source()?.dispatch('ready', {}, 7)
  await settle()
  fetches = 0
}

describe('followed orders', () => {
  it('are fetched once when the stream connects, and at each event', async () => {
    expect(source()?.url).toBe('/api/auth/orders/events')
    source()?.dispatch('ready', {}, 7)
    await settle()
    expect(fetches).toBe(1)
    source()?.dispatch('orders', { id: 8, orderId: 'A' }, 8)
    await settle()
    expect(fetches).toBe(2)
  })

  it('are not polled while the stream is connected', async () => {
    await connect()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(fetches).toBe(0)
  })

  it('are fetched each minute while the stream is refused', async () => {
    await connect()
    source()?.fail(FakeEventSource.CLOSED)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(fetches).toBe(1)
  })

  it('are not fetched while the page is hidden, but when it is visible again', async () => {
    await connect()
    await show('hidden')
    source()?.dispatch('orders', { id: 8, orderId: 'A' }, 8)
    source()?.dispatch('orders', { id: 9, orderId: 'A' }, 9)
    await settle()
    expect(fetches).toBe(0)
    await show('visible')
    expect(fetches).toBe(1)
    await show('hidden')
    await show('visible')
    expect(fetches).toBe(1)
  })

  it('have no connection in the back/forward cache, and a new one after it', async () => {
    await connect()
    const before = source()
    window.dispatchEvent(new Event('pagehide'))
    expect(before?.readyState).toBe(FakeEventSource.CLOSED)
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    source()?.dispatch('ready', {}, 20)
    await settle()
    expect([FakeEventSource.all.length, fetches]).toEqual([2, 1])
  })
})
