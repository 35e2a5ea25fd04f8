import { streams } from '@qatra/contract/notifications/kinds'
import { type LiveEvent, streamEvents } from '@qatra/contract/notifications/notifications'
import type { Presence } from '@qatra/contract/whatsapp/inbox/work'
import { type ConnectionState, type EventSourceHandlers, openEventSource } from '../../lib/event-source.ts'
import { lockManager, openChannel } from '../../lib/site-data.ts'

/** Heartbeat interval of the tab with the connection, and the silence after which another tab takes over. */
const BEAT_MS = 10_000
const SILENCE_MS = 25_000

type TabMessage =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'signal'; signal: Presence }
  | { kind: 'state'; state: ConnectionState; last: number | null }
  | { kind: 'reset' }
  | { kind: 'refused' }
  | { kind: 'hello' }

export interface SharedHandlers extends Omit<EventSourceHandlers<LiveEvent, Presence>, 'onAt' | 'onEvent'> {
  /** `isFirst` is true in the tab that holds the connection: do there what must happen once per browser. */
  onEvent(event: LiveEvent, isFirst: boolean): void
}

/**
 * One connection for all tabs: the tab with the lock holds it and forwards events. If that tab closes or sleeps,
 * another one takes over from the last event.
 */
export function shareEventSource(name: string, handlers: SharedHandlers): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  const cursor: Cursor = { last: null }
  let leave = join(name, handlers, cursor)
  // A held lock blocks the back/forward cache, and in WebKitGTK it was seen to hang a reload.
  const onHide = () => leave()
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) leave = join(name, handlers, cursor)
  }
  window.addEventListener('pagehide', onHide)
  window.addEventListener('pageshow', onShow)
  return () => {
    window.removeEventListener('pagehide', onHide)
    window.removeEventListener('pageshow', onShow)
    leave()
  }
}

interface Cursor {
  /** Id of the last event that was delivered; null until the first connection. */
  last: number | null
}

/** Notes a delivered id. Events between the page's reads and the first connection were missed: reset. */
function advance(cursor: Cursor, id: number, { onReset }: Pick<SharedHandlers, 'onReset'>) {
  const isFirst = cursor.last === null
  cursor.last = id
  if (isFirst) onReset()
}

const openAdminSource = (handlers: EventSourceHandlers<LiveEvent, Presence>, after: number | null) =>
  openEventSource({ path: streamEvents.path, names: streams, signals: ['presence'], after }, handlers)

function openOwnSource(handlers: SharedHandlers, cursor: Cursor): () => void {
  const onAt = (id: number) => advance(cursor, id, handlers)
  return openAdminSource({ ...handlers, onAt, onEvent: (event) => handlers.onEvent(event, true) }, cursor.last)
}

function join(name: string, handlers: SharedHandlers, cursor: Cursor): () => void {
  const locks = lockManager()
  const channel = openChannel(name)
  if (!locks || !channel) {
    channel?.close()
    return openOwnSource(handlers, cursor)
  }
  const leaving = new AbortController()
  let state: ConnectionState = 'connecting'
  let lastMessageAt = Date.now()
  let release: (() => void) | null = null
  const post = (message: TabMessage) => channel.postMessage(message)
  const isHolding = () => release !== null

  function setState(next: ConnectionState) {
    state = next
    handlers.onState(next)
  }

  /** An event that the other tab forwarded before this one listened was missed. */
  function catchUp(last: number | null) {
    if (last === null || (cursor.last !== null && cursor.last >= last)) return
    cursor.last = last
    handlers.onReset()
  }

  channel.onmessage = ({ data: message }: MessageEvent<TabMessage>) => {
    if (message.kind === 'hello') {
      if (isHolding()) post({ kind: 'state', state, last: cursor.last })
      return
    }
    lastMessageAt = Date.now()
    if (isHolding()) return
    if (message.kind === 'event') {
      advance(cursor, message.event.id, handlers)
      handlers.onEvent(message.event, false)
    } else if (message.kind === 'signal') handlers.onSignal?.(message.signal)
    else if (message.kind === 'state') {
      catchUp(message.last)
      setState(message.state)
    } else if (message.kind === 'reset') handlers.onReset()
    else handlers.onRefused()
  }

  function holdConnection(): Promise<void> {
    const close = openAdminSource(
      {
        onAt(id) {
          const isFirst = cursor.last === null
          advance(cursor, id, handlers)
          if (isFirst) post({ kind: 'state', state, last: id })
        },
        onEvent(event) {
          post({ kind: 'event', event })
          handlers.onEvent(event, true)
        },
        onSignal(signal) {
          post({ kind: 'signal', signal })
          handlers.onSignal?.(signal)
        },
        onReset() {
          post({ kind: 'reset' })
          handlers.onReset()
        },
        onState(next) {
          setState(next)
          post({ kind: 'state', state, last: cursor.last })
        },
        onRefused() {
          post({ kind: 'refused' })
          handlers.onRefused()
        },
      },
      cursor.last,
    )
    const beat = setInterval(() => post({ kind: 'state', state, last: cursor.last }), BEAT_MS)
    return new Promise((done) => {
      release = () => {
        release = null
        clearInterval(beat)
        close()
        done()
      }
    })
  }

  const requestLock = (steal: boolean) => {
    if (leaving.signal.aborted) return
    // A request with `steal` does not accept a signal.
    const options: LockOptions = steal ? { steal } : { signal: leaving.signal }
    locks.request(name, options, holdConnection).catch((error: unknown) => {
      // The lock was stolen by another tab, or this tab left.
      release?.()
      if (leaving.signal.aborted) return
      if (error instanceof DOMException && error.name === 'AbortError') return requestLock(false)
      // The lock is refused because site data is blocked: open a stream for this tab.
      leave()
      leave = openOwnSource(handlers, cursor)
    })
  }

  const watch = setInterval(() => {
    const isAsleep = Date.now() - lastMessageAt > SILENCE_MS
    if (!isHolding() && isAsleep && document.visibilityState === 'visible') {
      lastMessageAt = Date.now()
      requestLock(true)
    }
  }, 5_000)
  let leave = () => {
    leaving.abort()
    clearInterval(watch)
    release?.()
    channel.close()
  }
  post({ kind: 'hello' })
  requestLock(false)
  return () => leave()
}
