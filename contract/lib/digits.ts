/** Replaces Arabic-Indic, Persian and full-width digits with 0–9. */
export function westernDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９]/g, (digit) => String((digit.charCodeAt(0) - startOf(digit)) % 10))
}

const startOf = (digit: string) => (digit < '۰' ? 0x0660 : digit < '０' ? 0x06f0 : 0xff10)

/** Groups digits in threes: `27024` becomes `27,024`. A sign may stand before them. */
export function grouped(digits: string): string {
  return digits.length > 3 && digits.at(-4) !== '-' ? `${grouped(digits.slice(0, -3))},${digits.slice(-3)}` : digits
}

/** Formats a count with Western digits in both languages. */
export const formatCount = (count: number): string => grouped(String(count))
