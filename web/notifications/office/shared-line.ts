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
export function shareLine(name: string, news: SharedNews): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  const heard: Heard = { last: null }
  let leave = joinLine(name, news, heard)
  // A reload in WebKitGTK was seen to hang on a lock that is held, and no browser keeps such a page for the way back.
  const onHide = () => leave()
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) leave = joinLine(name, news, heard)
  }
  window.addEventListener('pagehide', onHide)
  window.addEventListener('pageshow', onShow)
  return () => {
    window.removeEventListener('pagehide', onHide)
    window.removeEventListener('pageshow', onShow)
    leave()
  }
}

interface Heard {
  /** The id up to which everything is told. */
  last: number | null
}

function openOwnLine(news: SharedNews, heard: Heard): () => void {
  const onAt = (id: number) => {
    heard.last = id
  }
  return openLine({ ...news, onAt, onEvent: (event) => news.onEvent(event, true) }, heard.last)
}

function joinLine(name: string, news: SharedNews, heard: Heard): () => void {
  const locks = lockManager()
  const channel = openChannel(name)
  if (!locks || !channel) {
    channel?.close()
    return openOwnLine(news, heard)
  }
  const leaving = new AbortController()
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
      if (isHolding()) say({ kind: 'state', state, last: heard.last })
      return
    }
    heardAt = Date.now()
    if (isHolding()) return
    if (said.kind === 'event') {
      heard.last = said.event.id
      news.onEvent(said.event, false)
    } else if (said.kind === 'state') {
      heard.last = said.last ?? heard.last
      setState(said.state)
    } else if (said.kind === 'reset') news.onReset()
    else news.onRefused()
  }

  function hold(): Promise<void> {
    const close = openLine(
      {
        onAt(id) {
          heard.last = id
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
          say({ kind: 'state', state, last: heard.last })
        },
        onRefused() {
          say({ kind: 'refused' })
          news.onRefused()
        },
      },
      heard.last,
    )
    const beat = setInterval(() => say({ kind: 'state', state, last: heard.last }), BEAT_MS)
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
      // Refused, since site data is blocked: then nothing is shared.
      leave()
      leave = openOwnLine(news, heard)
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
