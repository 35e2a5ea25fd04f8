import { westernDigits } from '../lib/digits.ts'
import { leftToRight } from '../lib/text.ts'

/** A–Z and 0–9 without the look-alikes 0 O, 1 I L: 31 symbols, so 16 of them carry 79 bits. */
export const orderIdAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const idLength = 16
const longestTyped = 100

/** `randomInt(max)` must return a uniform, cryptographically random integer from 0 to max − 1. */
export function newOrderId(randomInt: (max: number) => number): string {
  return Array.from({ length: idLength }, () => orderIdAlphabet.charAt(randomInt(orderIdAlphabet.length))).join('')
}

/** Normalizes a typed or displayed id, also with a #, to its stored form; null if it cannot be an id. */
export function parseOrderId(input: unknown): string | null {
  if (typeof input !== 'string' || input.length > longestTyped) return null
  const id = westernDigits(input)
    .replace(/[\s\p{Pd}\u2212\p{Cf}]/gu, '')
    .replace(/^#/, '')
  return /^[A-Za-z0-9]{1,20}$/.test(id) ? id.toUpperCase() : null
}

/** `9HXR`: where the order is known by its place, such as a row. */
export const shortId = (id: string): string => id.slice(0, 4)

/** `9HXR 4TVC M2KE 7QWA` */
export const formatOrderId = (id: string): string => id.match(/.{1,4}/gu)?.join(' ') ?? ''

/** Isolated, so that its groups keep their order in Arabic text. */
export const orderIdInText = (id: string): string => leftToRight(formatOrderId(id))
