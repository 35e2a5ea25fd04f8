/** Bytes; file systems allow 255, and browsers add a number to duplicates. */
const MAX_BYTES = 240

/** Without a regular expression: one anchored at the end would be quadratic in the dots. */
function withoutDotsAround(name: string): string {
  const isEdge = (at: number) => name[at] === '.' || name[at] === ' '
  let [start, end] = [0, name.length]
  while (start < end && isEdge(start)) start += 1
  while (end > start && isEdge(end - 1)) end -= 1
  return name.slice(start, end)
}

/** Removes bidirectional controls, line breaks and path separators. */
export const cleanFileName = (name: string): string =>
  withoutDotsAround(
    name
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
      .replace(/[/\\:*?"<>|]+/g, '_')
      .replace(/\s+/g, ' '),
  )

/** The sender's file name with the extension of the real type: `bill.exe` that is a PDF becomes `bill.exe.pdf`. */
export function safeFileName(name: string | null, otherwise: string, ending: string): string {
  const clean = cleanFileName(name ?? '') || otherwise
  const isEndingSo = clean.toLowerCase().endsWith(`.${ending}`)
  const stem = isEndingSo ? clean.slice(0, -ending.length - 1) : clean
  return `${firstBytes(stem, MAX_BYTES - ending.length - 1).trim() || otherwise}.${ending}`
}

/** Truncates to `most` bytes at a character boundary. */
function firstBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most))
  return text.slice(0, read)
}
