/** `URL.parse`, which is newer than the oldest browsers. */
export function parseUrl(text: string, origin?: string): URL | null {
  try {
    return new URL(text, origin)
  } catch {
    return null
  }
}
