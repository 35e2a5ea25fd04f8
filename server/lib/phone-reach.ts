import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile'

/** The country of a mobile number by the numbering plans; null for fixed, premium, toll-free and impossible numbers. */
function mobileCountry(phone: string): string | null {
  const number = parsePhoneNumberFromString(phone)
  return number?.isValid() ? (number.country ?? null) : null
}

/** WhatsApp reaches mobiles of the allowed countries. */
export const mayGetWhatsapp = (phone: string, countries: readonly string[]) => {
  const country = mobileCountry(phone)
  return country !== null && countries.includes(country)
}

/** Anybody with a mobile can write to the shop, which costs nothing and proves the number (decisions/0011). */
export const mayWriteByWhatsapp = (phone: string) => mobileCountry(phone) !== null

/** An SMS costs money, so only Bahraini mobiles get one. */
export const mayGetSms = (phone: string) => mobileCountry(phone) === 'BH'
