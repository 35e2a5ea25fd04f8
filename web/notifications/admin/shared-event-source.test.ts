import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeEventSource } from '../../lib/fake-event-source.ts'
import { shareEventSource } from './shared-event-source.ts'

class FakeChannel {
  static all: FakeChannel[] = []
  onmessage: ((event: { data: object }) => void) | null = null
  posted: object[] = []
  constructor() {
    FakeChannel.all.push(this)
  }
  postMessage(message: object) {
    this.posted.push(message)
  }
  close() {}
}

const onReset = vi.fn()
const handlers = { onEvent() {}, onReset, onState() {}, onRefused() {} }
const request = vi.fn()
let close = () => {}

beforeEach(() => {
  FakeEventSource.all = []
  FakeChannel.all = []
  vi.stubGlobal('EventSource', FakeEventSource)
  vi.stubGlobal('BroadcastChannel', FakeChannel)
  vi.stubGlobal('navigator', { onLine: true, locks: { request } })
})
afterEach(() => {
  close()
  request.mockReset()
  onReset.mockReset()
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

const ready = (id: number) => new MessageEvent('ready', { data: '{}', lastEventId: String(id) })

it('the first connection resets, since events after the page’s reads were missed; a later one does not', () => {
  request.mockImplementation((_name: string, _options: object, hold: () => Promise<void>) => hold())
  close = shareEventSource('admin', handlers)
  const [source] = FakeEventSource.all
  source?.dispatchEvent(ready(41))
  expect(onReset).toHaveBeenCalledTimes(1)
  expect(FakeChannel.all[0]?.posted.at(-1)).toEqual({ kind: 'state', state: 'connected', last: 41 })
  source?.dispatchEvent(ready(41))
  expect(onReset).toHaveBeenCalledTimes(1)
})

it('a tab without the connection resets when it learns of an event that it did not get', () => {
  request.mockReturnValue(new Promise(() => {}))
  close = shareEventSource('admin', handlers)
  const receive = (data: object) => FakeChannel.all[0]?.onmessage?.({ data })
  const state = (last: number | null) => receive({ kind: 'state', state: 'connected', last })
  state(null)
  expect(onReset).toHaveBeenCalledTimes(0)
  state(41)
  expect(onReset).toHaveBeenCalledTimes(1)
  receive({ kind: 'event', event: { id: 42 } })
  state(42)
  state(41)
  expect(onReset).toHaveBeenCalledTimes(1)
  state(43)
  expect(onReset).toHaveBeenCalledTimes(2)
})
