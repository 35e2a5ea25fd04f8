import { fit } from '@qatra/contract/lib/fit'
import { fold, wellFormed } from '@qatra/contract/lib/text'

const yes: ReadonlySet<string> = new Set(
  ['true', 'yes', 'y', '1', 'active', 'on', 'نعم', 'مفعل', 'فعال', 'نشط'].map(fold),
)
const no: ReadonlySet<string> = new Set(
  ['false', 'no', 'n', '0', 'inactive', 'off', 'لا', 'غير مفعل', 'معطل'].map(fold),
)

/** Null for any other word. */
export function yesOrNo(text: string): boolean | null {
  const folded = fold(text)
  return yes.has(folded) ? true : no.has(folded) ? false : null
}

/**
 * Removes the apostrophe that the export adds so that spreadsheets do not evaluate the cell as a formula, and the one
 * with which Excel marks a number as text.
 */
export const withoutEscape = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r\p{Nd}])/u, '')

/** Letters of a value that a list of problems shows. */
const SHOWN = 60

/** A text of a file in one short line, without marks that turn the text around it. */
export function shownText(written: string): string {
  const text = wellFormed(written.slice(0, SHOWN * 2))
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return fit(text, SHOWN)
}

/** What a cell has, for a list of problems. */
export function shownValue(written: unknown): { value?: string } {
  if (typeof written !== 'string' && typeof written !== 'number') return {}
  const value = shownText(String(written))
  return value === '' ? {} : { value }
}

/** What a column reads, for a preview. */
export function shownRead(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return shownText(value.join('، '))
  if (typeof value === 'string') return shownText(value)
  // Phones of one cell.
  return typeof value === 'object' && value !== null && 'phone' in value ? String(value.phone) : null
}
