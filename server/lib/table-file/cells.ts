import { fold } from '@qatra/contract/lib/text'

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

/** Removes the apostrophe that the export adds so that spreadsheets do not evaluate the cell as a formula. */
export const withoutEscape = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r])/, '')
