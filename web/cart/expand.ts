const listeners = new Set<() => void>()

/** Runs when something else wants the mini cart open. */
export function onExpandCart(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** SPEC §9: after an order was put into the cart again, the mini cart opens 300 ms later. */
export const EXPAND_DELAY_MS = 300

export function expandCartSoon() {
  setTimeout(() => {
    for (const listener of listeners) listener()
  }, EXPAND_DELAY_MS)
}
