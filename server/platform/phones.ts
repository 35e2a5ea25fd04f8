import { westernDigits } from '@qatra/contract/digits'
import { parsePhone, setCanonicalPhone } from '@qatra/contract/phone'
import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * The one E.164 form of a number that has a country code: without the trunk prefix that people write in brackets,
 * `+9660501239999` → `+966501239999`. A number that no numbering plan knows is returned as it is.
 */
export function canonicalPhone(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone)
  const form = validForm(parsed) ?? validForm(withoutTrunkZeros(parsed)) ?? possibleForm(parsed)
  return form && /^\+\d{8,15}$/.test(form) ? form : phone
}

const validForm = (parsed: PhoneNumber | undefined) => (parsed?.isValid() ? parsed.number : undefined)

// Bahrain, Kuwait, Oman and Qatar have no trunk prefix, so the library keeps the zero that people write all the same.
function withoutTrunkZeros(parsed: PhoneNumber | undefined) {
  if (!parsed?.nationalNumber.startsWith('0')) return undefined
  return parsePhoneNumberFromString(`+${parsed.countryCallingCode}${parsed.nationalNumber.replace(/^0+/, '')}`)
}

/** A range that was opened after the library's tables were made loses its trunk prefix all the same. */
function possibleForm(parsed: PhoneNumber | undefined): string | undefined {
  if (!parsed?.isPossible()) return undefined
  const again = parsePhoneNumberFromString(parsed.number)
  return again && again.number.length < parsed.number.length ? (possibleForm(again) ?? parsed.number) : parsed.number
}

/** Shorter ones are a part of a number: there a zero in front belongs to it. */
const SHORTEST_WITH_TRUNK = 9

/** The digits by which stored numbers are searched, from a whole number in any spelling or a part of one. */
export function searchedDigits(typed: string): string {
  const digits = westernDigits(typed).replace(/\D/g, '')
  if (digits.length < SHORTEST_WITH_TRUNK) return digits.replace(/^00/, '')
  const parsed = parsePhone(typed)
  return parsed.ok ? parsed.phone.slice(1) : digits.replace(/^0+/, '')
}

// From here on `parsePhone` and `phoneInput` of the contract give this form, in every process that imports this file.
setCanonicalPhone(canonicalPhone)
export { parsePhone }
