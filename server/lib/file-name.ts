/** Bytes; file systems take 255, and browsers add a number to what they have already. */
const LONGEST = 240

/** By hand: a pattern that looks for an end runs on from every dot before it. */
function withoutDotsAround(name: string): string {
  const isEdge = (at: number) => name[at] === '.' || name[at] === ' '
  let [start, end] = [0, name.length]
  while (start < end && isEdge(start)) start += 1
  while (end > start && isEdge(end - 1)) end -= 1
  return name.slice(start, end)
}

/** Without what turns the letters around, breaks the line or leads into another folder. */
export const cleanFileName = (name: string): string =>
  withoutDotsAround(
    name
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
      .replace(/[/\\:*?"<>|]+/g, '_')
      .replace(/\s+/g, ' '),
  )

/** The sender's name for a file, ending as its contents have it: `bill.exe` that is a PDF is saved as `bill.exe.pdf`. */
export function safeFileName(name: string | null, otherwise: string, ending: string): string {
  const clean = cleanFileName(name ?? '') || otherwise
  const isEndingSo = clean.toLowerCase().endsWith(`.${ending}`)
  const stem = isEndingSo ? clean.slice(0, -ending.length - 1) : clean
  return `${firstBytes(stem, LONGEST - ending.length - 1).trim() || otherwise}.${ending}`
}

/** As many whole letters as fit. */
function firstBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most))
  return text.slice(0, read)
}
