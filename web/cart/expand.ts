const listeners = new Set<() => void>()

/** Listener for requests to open the mini cart. */
export function onExpandCart(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** SPEC §9: the mini cart opens 300 ms after a reorder. */
export const EXPAND_DELAY_MS = 300

export function expandCartSoon() {
  setTimeout(() => {
    for (const listener of listeners) listener()
  }, EXPAND_DELAY_MS)
}
