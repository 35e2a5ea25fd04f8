/** Pages and data that a browser keeps for dead spots belong to the person who was there. */
export const keptRunKey = 'run-last'
export const keptPages = 'run'

export function forgetKeptPages() {
  try {
    localStorage.removeItem(keptRunKey)
    void caches.delete(keptPages).catch(() => false)
  } catch {
    // Storage is switched off, or the address is no safe one: then nothing was kept.
  }
}
