type Listener = (href: string) => void
const listeners = new Set<Listener>()
let latest: string | null = null

/** Told of every page shown, the present one first. Returns the way to stop listening. */
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
