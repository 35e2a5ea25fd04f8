const LONGEST = 120

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
  return `${[...stem].slice(0, LONGEST).join('').trim() || otherwise}.${ending}`
}
