import { westernDigits } from '@qatra/contract/lib/digits'

/** Customers get 4 digits; staff, and phones under attack, 6. Neither the response nor the page may reveal which. */
export const SHORTEST_CODE = 4
export const LONGEST_CODE = 6

export const digitsOf = (text: string) => westernDigits(text).replace(/\D/g, '').slice(0, LONGEST_CODE)

/** The code in a pasted text: the first group of 4 to 6 digits, else all digits. */
export function codeIn(text: string): string {
  const parts = westernDigits(text).split(/\D+/)
  return parts.find(({ length }) => length >= SHORTEST_CODE && length <= LONGEST_CODE) ?? digitsOf(text)
}
