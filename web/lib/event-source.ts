import { endReasons, streamSigns } from '@qatra/contract/notifications/notifications'

export type ConnectionState = 'connected' | 'connecting' | 'offline'

export interface EventSourceHandlers<Event, Signal = never> {
  onEvent(event: Event): void
  /** An event without id, which is not repeated after an interruption. */
  onSignal?(signal: Signal): unknown
  /** Events were missed, as before the first connection: refetch active queries. */
  onReset(): void
  onState(state: ConnectionState): void
  /** The server refused or ended the stream: the session or the rights may have changed. */
  onRefused(): void
}

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
/** After being hidden this long, reconnect: the connection may be dead. */
const SLEPT_MS = 60_000
/** The server keeps the newest three streams of a session: a visible tab whose stream it ended waits so long. */
const REPLACED_MS = 15_000

export interface EventStream {
  path: string
  /** Names of its events. */
  names: readonly string[]
  /** Names of its events without id. */
  signals?: readonly string[]
}

/**
 * Keeps one connection to the stream open until closed. Reconnects from the last event id, so no event is lost. Each tab
 * has its own; of more than three tabs those that are hidden go without.
 */
export function openEventSource<Event extends { id: number }, Signal = never>(
  { path, names, signals = [] }: EventStream,
  handlers: EventSourceHandlers<Event, Signal>,
): () => void {
  if (typeof EventSource === 'undefined') return () => {}
  let last: number | null = null
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let failures = 0
  let hiddenAt: number | null = null
  let isReplaced = false

  const address = () => (last === null ? path : `${path}?after=${last}`)
  const isReason = (text: string | undefined) => endReasons.find((reason) => reason === text)

  function close() {
    source?.close()
    source = null
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  function reconnectLater() {
    close()
    handlers.onState(navigator.onLine ? 'connecting' : 'offline')
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
    failures += 1
    timer = setTimeout(open, wait * (0.75 + Math.random() / 2))
  }

  function parse({ data, lastEventId }: MessageEvent<string>) {
    last = Number(lastEventId)
    return JSON.parse(data) as Event // the contract names the shape
  }

  function open() {
    close()
    isReplaced = false
    const opened = new EventSource(address())
    source = opened
    for (const name of names)
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        handlers.onEvent(parse(event))
      })
    for (const name of signals)
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
        handlers.onSignal?.(JSON.parse(data) as Signal) // the contract names the shape
      })
    const [ready, reset, end] = streamSigns
    opened.addEventListener(ready, (event: MessageEvent<string>) => {
      const isFirst = last === null
      parse(event)
      failures = 0
      handlers.onState('connected')
      if (isFirst) handlers.onReset()
    })
    opened.addEventListener(reset, (event: MessageEvent<string>) => {
      parse(event)
      handlers.onReset()
    })
    opened.addEventListener(end, ({ data }: MessageEvent<string>) => {
      const reason = isReason((JSON.parse(data) as { reason?: string }).reason)
      // For other reasons the browser reconnects by itself.
      if (reason === 'replaced') {
        close()
        isReplaced = true
        timer = setTimeout(() => document.visibilityState === 'visible' && open(), REPLACED_MS)
      } else if (reason === 'rights') {
        reconnectLater()
        handlers.onRefused()
      }
    })
    opened.onerror = () => {
      if (source !== opened) return
      if (opened.readyState === EventSource.CONNECTING) {
        handlers.onState(navigator.onLine ? 'connecting' : 'offline')
        return
      }
      reconnectLater()
      // EventSource hides the status; another call gets the reason.
      handlers.onRefused()
    }
  }

  const onOnline = () => {
    failures = 0
    open()
  }
  const onOffline = () => handlers.onState('offline')
  function onVisibility() {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now()
      return
    }
    const slept = hiddenAt === null ? 0 : Date.now() - hiddenAt
    hiddenAt = null
    if (isReplaced || slept > SLEPT_MS) onOnline()
  }
  // An open connection would keep the page out of the back/forward cache.
  function onShow({ persisted }: PageTransitionEvent) {
    if (!persisted) return
    last = null
    open()
  }
  window.addEventListener('pagehide', close)
  window.addEventListener('pageshow', onShow)
  window.addEventListener('online', onOnline)
  window.addEventListener('offline', onOffline)
  document.addEventListener('visibilitychange', onVisibility)
  open()
  return () => {
    close()
    window.removeEventListener('pagehide', close)
    window.removeEventListener('pageshow', onShow)
    window.removeEventListener('online', onOnline)
    window.removeEventListener('offline', onOffline)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}
