import { endReasons, type LiveEvent, streamEvents, streamSigns } from '@qatra/contract/notifications'
import { streams } from '@qatra/contract/notification-kinds'

export type LineState = 'connected' | 'connecting' | 'offline'

export interface LineNews {
  onEvent(event: LiveEvent): void
  /** Everything up to here is told. */
  onAt(id: number): void
  /** Too much was missed: what is on screen is to be loaded anew. */
  onReset(): void
  onState(state: LineState): void
  /** The server ended it, or does not open it: the person may have fewer rights by now, or none. */
  onRefused(): void
}

const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
/** Whoever slept for so long looks whether the connection is still one. */
const SLEPT_MS = 60_000

/**
 * One connection to the stream, opened anew for as long as it is wanted. What was heard last goes along, so that
 * nothing is missed in between.
 */
export function openLine(news: LineNews, after: number | null): () => void {
  let last = after
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let failures = 0
  let hiddenAt: number | null = null
  let isReplaced = false

  const address = () => (last === null ? streamEvents.path : `${streamEvents.path}?after=${last}`)
  const isReason = (text: string | undefined) => endReasons.find((reason) => reason === text)

  function close() {
    source?.close()
    source = null
    if (timer !== null) clearTimeout(timer)
    timer = null
  }

  function later() {
    close()
    news.onState(navigator.onLine ? 'connecting' : 'offline')
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures)
    failures += 1
    timer = setTimeout(open, wait * (0.75 + Math.random() / 2))
  }

  function hear({ data, lastEventId }: MessageEvent<string>) {
    last = Number(lastEventId)
    return JSON.parse(data) as LiveEvent & { reason?: string } // the contract names the shape
  }

  function open() {
    close()
    isReplaced = false
    const opened = new EventSource(address())
    source = opened
    for (const name of streams)
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        const said = hear(event)
        news.onEvent(said)
        news.onAt(said.id)
      })
    const [ready, reset, end] = streamSigns
    opened.addEventListener(ready, (event: MessageEvent<string>) => {
      hear(event)
      failures = 0
      news.onState('connected')
      if (last !== null) news.onAt(last)
    })
    opened.addEventListener(reset, (event: MessageEvent<string>) => {
      hear(event)
      news.onReset()
    })
    opened.addEventListener(end, ({ data }: MessageEvent<string>) => {
      const reason = isReason((JSON.parse(data) as { reason?: string }).reason)
      // After the others the browser comes back by itself, when the server told it to.
      if (reason === 'replaced') {
        close()
        isReplaced = true
      } else if (reason === 'rights') {
        later()
        news.onRefused()
      }
    })
    opened.onerror = () => {
      if (source !== opened) return
      if (opened.readyState === EventSource.CONNECTING) {
        news.onState(navigator.onLine ? 'connecting' : 'offline')
        return
      }
      later()
      // Whoever is not let in is told why by any other call.
      news.onRefused()
    }
  }

  const onOnline = () => {
    failures = 0
    open()
  }
  const onOffline = () => news.onState('offline')
  function onVisibility() {
    if (document.visibilityState === 'hidden') {
      hiddenAt = Date.now()
      return
    }
    const slept = hiddenAt === null ? 0 : Date.now() - hiddenAt
    hiddenAt = null
    if (isReplaced || slept > SLEPT_MS) onOnline()
  }
  window.addEventListener('online', onOnline)
  window.addEventListener('offline', onOffline)
  document.addEventListener('visibilitychange', onVisibility)
  open()
  return () => {
    close()
    window.removeEventListener('online', onOnline)
    window.removeEventListener('offline', onOffline)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}
