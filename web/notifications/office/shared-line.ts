import type { LiveEvent } from '@qatra/contract/notifications'
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
export function shareLine(name: string, news: SharedNews): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  const { locks } = navigator as { locks?: LockManager } // missing on a plain http address
  if (!locks || typeof BroadcastChannel === 'undefined')
    return openLine({ ...news, onAt() {}, onEvent: (event) => news.onEvent(event, true) }, null)

  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  let last: number | null = null
  let state: LineState = 'connecting'
  let heardAt = Date.now()
  let release: (() => void) | null = null
  const say = (said: Said) => channel.postMessage(said)
  const isHolding = () => release !== null

  function setState(next: LineState) {
    state = next
    news.onState(next)
  }

  channel.onmessage = ({ data: said }: MessageEvent<Said>) => {
    if (said.kind === 'hello') {
      if (isHolding()) say({ kind: 'state', state, last })
      return
    }
    heardAt = Date.now()
    if (isHolding()) return
    if (said.kind === 'event') {
      last = said.event.id
      news.onEvent(said.event, false)
    } else if (said.kind === 'state') {
      last = said.last ?? last
      setState(said.state)
    } else if (said.kind === 'reset') news.onReset()
    else news.onRefused()
  }

  function hold(): Promise<void> {
    const close = openLine(
      {
        onAt(id) {
          last = id
        },
        onEvent(event) {
          say({ kind: 'event', event })
          news.onEvent(event, true)
        },
        onReset() {
          say({ kind: 'reset' })
          news.onReset()
        },
        onState(next) {
          setState(next)
          say({ kind: 'state', state, last })
        },
        onRefused() {
          say({ kind: 'refused' })
          news.onRefused()
        },
      },
      last,
    )
    const beat = setInterval(() => say({ kind: 'state', state, last }), BEAT_MS)
    return new Promise((done) => {
      release = () => {
        release = null
        clearInterval(beat)
        close()
        done()
      }
    })
  }

  function ask(steal: boolean) {
    if (leaving.signal.aborted) return
    // Waiting ends with this tab; a lock that is taken at once cannot be waited for.
    const options: LockOptions = steal ? { steal } : { signal: leaving.signal }
    locks?.request(name, options, hold).catch(() => {
      // Taken over by another tab, or left: whoever had the line lets go of it.
      release?.()
      if (!leaving.signal.aborted) ask(false)
    })
  }

  const watch = setInterval(() => {
    const isAsleep = Date.now() - heardAt > SILENCE_MS
    if (!isHolding() && isAsleep && document.visibilityState === 'visible') {
      heardAt = Date.now()
      ask(true)
    }
  }, 5_000)
  say({ kind: 'hello' })
  ask(false)
  return () => {
    leaving.abort()
    clearInterval(watch)
    release?.()
    channel.close()
  }
}
