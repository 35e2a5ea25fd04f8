type Listener = (href: string) => void
const listeners = new Set<Listener>()
let latest: string | null = null

/** Calls the listener for every page shown, the current one first. Returns the unsubscribe function. */
export function onRouteChange(listener: Listener): () => void {
  listeners.add(listener)
  if (latest !== null) listener(latest)
  return () => {
    listeners.delete(listener)
  }
}

export function announceRoute(href: string) {
  latest = href
  for (const listener of listeners) listener(href)
}
