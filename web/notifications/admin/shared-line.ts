import type { LiveEvent } from '@qatra/contract/notifications'
import { lockManager, openChannel } from '../../app/site-data.ts'
import { type LineNews, type LineState, openLine } from './line.ts'

/** Whoever holds the line says so this often; who hears nothing for longer takes it over. */
const BEAT_MS = 10_000
const SILENCE_MS = 25_000

type Said =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'state'; state: LineState; last: number | null }
  | { kind: 'reset' }
  | { kind: 'refused' }
  | { kind: 'hello' }

export interface SharedNews extends Omit<LineNews, 'onAt' | 'onEvent'> {
  /** `isFirst` in the one tab that holds the line: what is to be done once for all tabs is done there. */
  onEvent(event: LiveEvent, isFirst: boolean): void
}

/**
 * One connection for all tabs of the browser: the tab that has the lock holds it and tells the others. When that tab is
 * closed, or has been put to sleep, another takes over from where it was.
 */
export function shareLine(name: string, handlers: SharedNews): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  const cursor: Cursor = { last: null }
  let leave = joinLine(name, handlers, cursor)
  // A held lock blocks the back/forward cache, and in WebKitGTK it was seen to hang a reload.
  const onHide = () => leave()
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) leave = joinLine(name, handlers, cursor)
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
  /** Id of the last event that was delivered. */
  last: number | null
}

function openOwnLine(handlers: SharedNews, cursor: Cursor): () => void {
  const onAt = (id: number) => {
    cursor.last = id
  }
  return openLine({ ...handlers, onAt, onEvent: (event) => handlers.onEvent(event, true) }, cursor.last)
}

function joinLine(name: string, handlers: SharedNews, cursor: Cursor): () => void {
  const locks = lockManager()
  const channel = openChannel(name)
  if (!locks || !channel) {
    channel?.close()
    return openOwnLine(handlers, cursor)
  }
  const leaving = new AbortController()
  let state: LineState = 'connecting'
  let heardAt = Date.now()
  let release: (() => void) | null = null
  const say = (said: Said) => channel.postMessage(said)
  const isHolding = () => release !== null

  function setState(next: LineState) {
    state = next
    handlers.onState(next)
  }

  channel.onmessage = ({ data: said }: MessageEvent<Said>) => {
    if (said.kind === 'hello') {
      if (isHolding()) say({ kind: 'state', state, last: cursor.last })
      return
    }
    heardAt = Date.now()
    if (isHolding()) return
    if (said.kind === 'event') {
      cursor.last = said.event.id
      handlers.onEvent(said.event, false)
    } else if (said.kind === 'state') {
      cursor.last = said.last ?? cursor.last
      setState(said.state)
    } else if (said.kind === 'reset') handlers.onReset()
    else handlers.onRefused()
  }

  function hold(): Promise<void> {
    const close = openLine(
      {
        onAt(id) {
          cursor.last = id
        },
        onEvent(event) {
          say({ kind: 'event', event })
          handlers.onEvent(event, true)
        },
        onReset() {
          say({ kind: 'reset' })
          handlers.onReset()
        },
        onState(next) {
          setState(next)
          say({ kind: 'state', state, last: cursor.last })
        },
        onRefused() {
          say({ kind: 'refused' })
          handlers.onRefused()
        },
      },
      cursor.last,
    )
    const beat = setInterval(() => say({ kind: 'state', state, last: cursor.last }), BEAT_MS)
    return new Promise((done) => {
      release = () => {
        release = null
        clearInterval(beat)
        close()
        done()
      }
    })
  }

  const ask = (steal: boolean) => {
    if (leaving.signal.aborted) return
    // Waiting ends with this tab; a lock that is taken at once cannot be waited for.
    const options: LockOptions = steal ? { steal } : { signal: leaving.signal }
    locks.request(name, options, hold).catch((error: unknown) => {
      // Taken over by another tab, or left: whoever had the line lets go of it.
      release?.()
      if (leaving.signal.aborted) return
      if (error instanceof DOMException && error.name === 'AbortError') return ask(false)
      // The lock is refused because site data is blocked: open a stream for this tab.
      leave()
      leave = openOwnLine(handlers, cursor)
    })
  }

  const watch = setInterval(() => {
    const isAsleep = Date.now() - heardAt > SILENCE_MS
    if (!isHolding() && isAsleep && document.visibilityState === 'visible') {
      heardAt = Date.now()
      ask(true)
    }
  }, 5_000)
  let leave = () => {
    leaving.abort()
    clearInterval(watch)
    release?.()
    channel.close()
  }
  say({ kind: 'hello' })
  ask(false)
  return () => leave()
}
