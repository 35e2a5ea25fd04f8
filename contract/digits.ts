/** Arabic-Indic, Persian and full-width digits as 0–9; everything else untouched. */
export function westernDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹０-９]/g, (digit) => String((digit.charCodeAt(0) - startOf(digit)) % 10))
}

const startOf = (digit: string) => (digit < '۰' ? 0x0660 : digit < '０' ? 0x06f0 : 0xff10)
