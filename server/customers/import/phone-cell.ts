import { westernDigits } from '@qatra/contract/lib/digits'
import { phoneProblemKey } from '@qatra/contract/lib/phone'
import { parsePhone } from '../../lib/phone.ts'

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

function parsed(text: string): PhoneCell {
  const result = parsePhone(text)
  return result.ok ? { phone: result.phone } : { problem: phoneProblemKey(result.reason) }
}
