const LONGEST = 120

/** Without what turns the letters around, breaks the line or leads into another folder. */
export const cleanFileName = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
    .replace(/[/\\:*?"<>|]+/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+|[.\s]+$/g, '')

/** The sender's name for a file, ending as its contents have it: `bill.exe` that is a PDF is saved as `bill.exe.pdf`. */
export function safeFileName(name: string | null, otherwise: string, ending: string): string {
  const clean = cleanFileName(name ?? '') || otherwise
  const isEndingSo = clean.toLowerCase().endsWith(`.${ending}`)
  const stem = isEndingSo ? clean.slice(0, -ending.length - 1) : clean
  return `${[...stem].slice(0, LONGEST).join('').trim() || otherwise}.${ending}`
}
