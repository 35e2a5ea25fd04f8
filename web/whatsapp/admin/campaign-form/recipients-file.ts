import { delimiterOf, readCsv } from '@qatra/contract/lib/csv'
import { MOST_RECIPIENTS } from '@qatra/contract/whatsapp/campaigns/campaigns'

export interface Listed {
  phone: string
  variables?: Record<string, string>
}

/**
 * Parses a typed or uploaded list: one number per line, followed by values of the template. A heading names the values:
 * `phone,1,2`; without one they count from 1. Invalid numbers are kept and counted as such.
 */
export function recipientsIn(text: string): Listed[] {
  const plain = text.replace(/^\ufeff/, '')
  const { delimiter, skipped } = delimiterOf(plain)
  const rows: string[][] = []
  const reader = readCsv(delimiter, (cells) => rows.push(cells))
  if (reader.push(plain.slice(skipped)) === null) reader.end()
  const [first = []] = rows
  const hasHeading = !/\d{3}/.test(first[0] ?? '')
  const keys = hasHeading ? first.map((cell) => cell.trim()) : first.map((_, at) => String(at))
  return rows
    .slice(hasHeading ? 1 : 0)
    .filter((cells) => cells.some((cell) => cell.trim() !== ''))
    .slice(0, MOST_RECIPIENTS)
    .map(([phone = '', ...values]) => {
      const named = values.flatMap((value, at) =>
        value.trim() === '' ? [] : [[keys[at + 1] ?? String(at + 1), value.trim()]],
      )
      return {
        phone: phone.trim().slice(0, 200),
        ...(named.length > 0 ? { variables: Object.fromEntries(named) } : {}),
      }
    })
}
