import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { shareLine } from './shared-line.ts'

class FakeSource extends EventTarget {
  static CONNECTING = 0
  static CLOSED = 2
  static all: FakeSource[] = []
  readyState = 1
  onerror: (() => void) | null = null
  url: string
  constructor(url: string) {
    super()
    this.url = url
    FakeSource.all.push(this)
  }
  close() {
    this.readyState = FakeSource.CLOSED
  }
}
class FakeChannel {
  onmessage = null
  postMessage() {}
  close() {}
}

const news = { onEvent() {}, onReset() {}, onState() {}, onRefused() {} }
const request = vi.fn()
let close = () => {}

beforeEach(() => {
  FakeSource.all = []
  vi.stubGlobal('EventSource', FakeSource)
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
const opened = () => FakeSource.all.map(({ url, readyState }) => [url, readyState])

it('releases the lock when its page is left, and comes back from where it was', async () => {
  const held: Promise<void>[] = []
  request.mockImplementation((_name: string, _options: object, hold: () => Promise<void>) => {
    const until = hold()
    held.push(until)
    return until
  })
  close = shareLine('office', news)
  const [source] = FakeSource.all
  source?.dispatchEvent(new MessageEvent('ready', { data: '{}', lastEventId: '41' }))
  pageEvent('pagehide')
  await held[0]
  expect(opened()).toEqual([['/api/admin/events', FakeSource.CLOSED]])

  pageEvent('pageshow')
  expect(FakeSource.all.length).toBe(1)
  pageEvent('pageshow', true)
  expect(opened()[1]).toEqual(['/api/admin/events?after=41', 1])
})

it('opens one stream of its own where the browser refuses the lock', async () => {
  request.mockRejectedValue(new DOMException('Blocked', 'SecurityError'))
  close = shareLine('office', news)
  await vi.waitFor(() => expect(opened()).toEqual([['/api/admin/events', 1]]))
  await new Promise((done) => setTimeout(done, 20))
  expect([request.mock.calls.length, FakeSource.all.length]).toEqual([1, 1])
})
