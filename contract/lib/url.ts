/** `URL.parse` is missing in the oldest supported browsers. */
export function parseUrl(text: string, origin?: string): URL | null {
  try {
    return new URL(text, origin)
  } catch {
    return null
  }
}
