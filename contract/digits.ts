/** Arabic-Indic, Persian and full-width digits as 0–9; everything else untouched. */
export function westernDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９]/g, (digit) => String((digit.charCodeAt(0) - startOf(digit)) % 10))
}

const startOf = (digit: string) => (digit < '۰' ? 0x0660 : digit < '０' ? 0x06f0 : 0xff10)

/** `27024` as `27,024`: digits in groups of three. */
export function grouped(digits: string): string {
  return digits.length > 3 ? `${grouped(digits.slice(0, -3))},${digits.slice(-3)}` : digits
}

/** A count as people read it, in Western digits in both languages. */
export const formatCount = (count: number): string => grouped(String(count))
