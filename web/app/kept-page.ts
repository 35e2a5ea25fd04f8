/** Pages and data that a browser keeps for dead spots belong to the person who was there. */
export const keptRunKey = 'run-last'
export const keptPages = 'run'
/** As long as a session of staff lasts: whoever was signed out by the clock leaves nothing behind that can be read. */
export const KEPT_FOR_MS = 12 * 3_600_000

export function forgetKeptPages() {
  try {
    localStorage.removeItem(keptRunKey)
    void caches.delete(keptPages).catch(() => false)
  } catch {
    // Storage is switched off, or the address is no safe one: then nothing was kept.
  }
}
