import { westernDigits } from '@qatra/contract/lib/digits'
import { formatPhone, phoneProblemKey } from '@qatra/contract/lib/phone'
import { isMobile, parsePhone } from '../../lib/phone.ts'

/** A phone, or the message key of the problem. */
type PhoneCell = { phone: string } | { problem: string }

/**
 * A phone as a spreadsheet writes it: with any digits, as a decimal (`36001234.0`) or in scientific notation. `9.7336E+10`
 * has lost the digits after the fifth, so it is refused; `9.7336001234E+10` has all of them.
 */
export function readPhoneCell(written: string): PhoneCell {
  const text = westernDigits(written).trim().replace('\u066b', '.')
  const scientific = /^\+?(\d)(?:[.,](\d{1,20}))?e\+?(\d{1,2})$/i.exec(text)
  if (scientific) {
    const [, first = '', rest = '', exponent] = scientific
    if (rest.length < Number(exponent)) return { problem: 'customerFile.shortened' }
    if (rest.length > Number(exponent)) return { problem: phoneProblemKey('bad-characters') }
    return parsed(first + rest)
  }
  const [, whole, fraction = ''] = /^(\+?\d{8,15})[.,](\d{1,20})$/.exec(text) ?? []
  if (whole === undefined) return parsed(text)
  return /[1-9]/.test(fraction) ? { problem: phoneProblemKey('bad-characters') } : parsed(whole)
}

export interface Phones {
  phone: string
  /** What else the cell has. */
  others: string[]
}

/** Between two numbers. */
const between = /[/\\|;,،؛&\n]|\s(?:و|أو|or|and|-|–)\s/u

/**
 * A cell with one number or several, as `36001234 / 17001234`: the first mobile number is the phone. A part with digits
 * that is no number is a problem, other words are kept with the further numbers.
 */
export function readPhonesCell(written: string): Phones | { problem: string } {
  const one = readPhoneCell(written)
  if ('phone' in one) return { phone: one.phone, others: [] }
  const parts = partsOf(written)
  if (parts.length < 2) return one
  const phones: string[] = []
  const words: string[] = []
  for (const part of parts) {
    const read = readPhoneCell(part)
    if ('phone' in read) {
      if (!phones.includes(read.phone)) phones.push(read.phone)
    } else if (/\p{Nd}/u.test(part)) return read
    else words.push(part)
  }
  const phone = phones.find(isMobile) ?? phones[0]
  if (phone === undefined) return one
  return { phone, others: [...phones.filter((each) => each !== phone).map(formatPhone), ...words] }
}

function partsOf(written: string): string[] {
  const parts = written.split(between, 20).flatMap((part) => part.trim() || [])
  if (parts.length > 1) return parts
  // Two local numbers with nothing but a space or dash between them.
  const numbers = westernDigits(written)
    .trim()
    .split(/[\s-]+/, 20)
  return numbers.every((number) => /^\d{8}$/.test(number)) ? numbers : parts
}

function parsed(text: string): PhoneCell {
  const result = parsePhone(text)
  return result.ok ? { phone: result.phone } : { problem: phoneProblemKey(result.reason) }
}
