import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeEventSource } from '../../lib/fake-event-source.ts'
import { shareEventSource } from './shared-event-source.ts'

class FakeChannel {
  onmessage = null
  postMessage() {}
  close() {}
}

const handlers = { onEvent() {}, onReset() {}, onState() {}, onRefused() {} }
const request = vi.fn()
let close = () => {}

beforeEach(() => {
  FakeEventSource.all = []
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('BroadcastChannel', FakeChannel)
  vi.stubGlobal('navigator', { onLine: true, locks: { request } })
})
afterEach(() => {
  close()
  request.mockReset()
  vi.unstubAllGlobals()
})

const pageEvent = (name: string, persisted = false) =>
  window.dispatchEvent(Object.assign(new Event(name), { persisted }))
const opened = () => FakeEventSource.all.map(({ url, readyState }) => [url, readyState])

it('shareEventSource releases the lock on pagehide, and resumes from its last event on pageshow', async () => {
  const held: Promise<void>[] = []
  request.mockImplementation((_name: string, _options: object, hold: () => Promise<void>) => {
    const until = hold()
    held.push(until)
    return until
  })
  close = shareEventSource('admin', handlers)
  const [source] = FakeEventSource.all
  source?.dispatchEvent(new MessageEvent('ready', { data: '{}', lastEventId: '41' }))
  pageEvent('pagehide')
  await held[0]
  expect(opened()).toEqual([['/api/admin/events', FakeEventSource.CLOSED]])

  pageEvent('pageshow')
  expect(FakeEventSource.all.length).toBe(1)
  pageEvent('pageshow', true)
  expect(opened()[1]).toEqual(['/api/admin/events?after=41', 1])
})

it('shareEventSource opens its own stream if the browser refuses the lock', async () => {
  request.mockRejectedValue(new DOMException('Blocked', 'SecurityError'))
  close = shareEventSource('admin', handlers)
  await vi.waitFor(() => expect(opened()).toEqual([['/api/admin/events', 1]]))
  await new Promise((done) => setTimeout(done, 20))
  expect([request.mock.calls.length, FakeEventSource.all.length]).toEqual([1, 1])
})
