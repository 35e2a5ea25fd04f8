import { westernDigits } from '@qatra/contract/lib/digits'
import { bareNumber, parsePhone, setCanonicalPhone } from '@qatra/contract/lib/phone'
import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * The canonical E.164 form of a number with country code: removes a trunk prefix, `+9660501239999` → `+966501239999`.
 * Returns a number outside of all numbering plans unchanged.
 */
export function canonicalPhone(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone)
  const form = validForm(parsed) ?? validForm(withoutTrunkZeros(parsed)) ?? possibleForm(parsed)
  return form && /^\+\d{8,15}$/.test(form) ? form : phone
}

const validForm = (parsed: PhoneNumber | undefined) => (parsed?.isValid() ? parsed.number : undefined)

// Bahrain, Kuwait, Oman and Qatar have no trunk prefix, so the library keeps a leading zero.
function withoutTrunkZeros(parsed: PhoneNumber | undefined) {
  if (!parsed?.nationalNumber.startsWith('0')) return undefined
  return parsePhoneNumberFromString(`+${parsed.countryCallingCode}${parsed.nationalNumber.replace(/^0+/, '')}`)
}

/** Removes the trunk prefix from numbers of ranges that are newer than the library's tables. */
function possibleForm(parsed: PhoneNumber | undefined): string | undefined {
  if (!parsed?.isPossible()) return undefined
  const again = parsePhoneNumberFromString(parsed.number)
  return again && again.number.length < parsed.number.length ? (possibleForm(again) ?? parsed.number) : parsed.number
}

/** Whether a number in E.164 can be a mobile one. */
export function isMobile(phone: string): boolean {
  const type = parsePhoneNumberFromString(phone)?.getType()
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE'
}

/** Digits. Shorter input is part of a number, where a leading zero is significant. */
const SHORTEST_WITH_TRUNK = 9

/** Whether a search text is a number or a part of one, in any spelling; also if it has no letters and no digits. */
export const isNumber = (typed: string): boolean => /^\+?\d*$/.test(bareNumber(typed))

/** Digits to search stored numbers by, from a complete number in any spelling or a part of one. */
export function searchedDigits(typed: string): string {
  const digits = westernDigits(typed).replace(/\D/g, '')
  if (digits.length < SHORTEST_WITH_TRUNK) return digits.replace(/^00/, '')
  const parsed = parsePhone(typed)
  return parsed.ok ? parsed.phone.slice(1) : digits.replace(/^0+/, '')
}

// Makes `parsePhone` and `phoneInput` of the contract return this form in every process that imports this file.
setCanonicalPhone(canonicalPhone)

export { parsePhone }
