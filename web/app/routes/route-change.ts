import { createEvent } from '../../lib/event.ts'

const changed = createEvent<string>()
let latest: string | null = null

/** Calls the listener for every page shown, the current one first. Returns the unsubscribe function. */
export function onRouteChange(listener: (href: string) => void): () => void {
  if (latest !== null) listener(latest)
  return changed.on(listener)
}

export function announceRoute(href: string) {
  latest = href
  changed.emit(href)
}
