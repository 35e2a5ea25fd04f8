import * as z from 'zod/mini'
import { grouped } from './digits.ts'
import type { Lang } from './lang.ts'

declare const brand: unique symbol
/** Whole fils, 1000 to the dinar. All money arithmetic and rounding is in this file. */
export type Fils = number & { readonly [brand]: 'fils' }

/** Throws RangeError unless `n` is a safe integer. */
export function fils(n: number): Fils {
  if (!Number.isSafeInteger(n)) throw new RangeError('Not a whole number of fils')
  // The brand exists for the compiler only; -0 becomes 0.
  return (n + 0) as Fils
}

export const zeroFils = /* @__PURE__ */ fils(0)
const defaultMinimum = /* @__PURE__ */ fils(5000)

/** Throws RangeError unless `bhd` is finite with at most 3 decimals. */
export function fromBhd(bhd: number): Fils {
  const nearest = Math.round(bhd * 1000)
  // Division rounds correctly, so it returns exactly the double that the decimal is parsed as.
  if (nearest / 1000 !== bhd) throw new RangeError('Not an amount in BHD with at most 3 decimals')
  return fils(nearest)
}

/** Whether an amount in BHD has at most 3 decimals. */
export const isWholeFils = (bhd: number): boolean => Math.round(bhd * 1000) / 1000 === bhd

/** The nearest fils of a computed or typed amount in BHD. */
export const nearestFils = (bhd: number): Fils => fils(Math.round(bhd * 1000))

export const toBhd = (f: Fils): number => f / 1000

export const addFils = (...amounts: readonly Fils[]): Fils =>
  amounts.reduce((sum, amount) => fils(sum + amount), zeroFils)

export function timesFils(f: Fils, quantity: number): Fils {
  if (!Number.isSafeInteger(quantity) || quantity < 0) throw new RangeError('Not a quantity')
  return fils(f * quantity)
}

/**
 * A percentage of an amount, rounded half up to the fils. Throws RangeError if it is negative or has more than 2
 * decimals.
 */
export function partOf(amount: Fils, percentage: number): Fils {
  const hundredths = Math.round(percentage * 100)
  if (hundredths / 100 !== percentage || hundredths < 0 || hundredths > 10_000) throw new RangeError('Not a percentage')
  if (amount < 0) throw new RangeError('No part of a negative amount')
  // amount × hundredths can exceed 2^53, so the multiples of 10,000 are computed separately.
  const rest = amount % 10_000
  return fils(((amount - rest) / 10_000) * hundredths + Math.floor((rest * hundredths + 5000) / 10_000))
}

/** Cost of things that are priced by the thousand, rounded half up to the fils. */
export const costByThousand = (all: readonly { count: number; price: Fils }[]): Fils =>
  fils(Math.floor((all.reduce((sum, { count, price }) => sum + timesFils(price, count), 0) + 500) / 1000))

/** The share of `count` pieces in the amount of `of`, rounded; the last ones get what is left. @param count may be negative */
export const shareOf = (amount: Fils, { count, of }: { count: number; of: number }): Fils =>
  fils(Math.round((amount * count) / of))

/** Rounded half up to the fils. */
export const averageFils = (sum: Fils, count: number): Fils => fils(Math.round(sum / count))

/** Price of one litre, rounded half up to the fils. Throws RangeError unless price and volume are positive. */
export function perLitre(price: Fils, millilitres: number): Fils {
  if (!(price > 0 && millilitres > 0)) throw new RangeError('No price of a litre')
  return fils(Math.round((price * 1000) / millilitres))
}

/** VAT of one line. Throws RangeError on a negative price or on more than 2 decimals in the percentage. */
export const vatOfLine = (price: Fils, quantity: number, vatPercentage: number): Fils =>
  partOf(timesFils(price, quantity), vatPercentage)

/** VAT that an amount contains, rounded half up to the fils. Throws RangeError if one of them is negative. */
export function vatContained(gross: Fils, vatPercentage: number): Fils {
  if (gross < 0 || vatPercentage < 0) throw new RangeError('No VAT of a negative amount')
  const hundredths = Math.round(vatPercentage * 100)
  return fils(Math.round((gross * hundredths) / (10_000 + hundredths)))
}

/** Amount missing to the vendor's minimum. A null minimum means 5 BHD, 0 means none. */
export function minimumLeft(subtotal: Fils, minimum: Fils | null): Fils {
  return fils(Math.max(0, (minimum ?? defaultMinimum) - subtotal))
}

/** `0.133`, `-7.775`: for places where the unit is not repeated. */
export function formatAmount(f: Fils): string {
  const digits = String(Math.abs(f)).padStart(4, '0')
  return `${f < 0 ? '-' : ''}${grouped(digits.slice(0, -3))}.${digits.slice(-3)}`
}

/** `BHD 1.500` or `1.500 د.ب`, with no-break spaces, Western digits and no bidi marks. */
export function formatMoney(f: Fils, lang: Lang): string {
  const amount = formatAmount(f)
  if (lang === 'ar') return `${amount}\u00a0د.ب`
  return amount.startsWith('-') ? `-BHD\u00a0${amount.slice(1)}` : `BHD\u00a0${amount}`
}

/** `1234.500`: for files and machines, and for places without room for the unit. */
export const plainAmount = (bhd: number): string => bhd.toFixed(3)

const hasFils = /* @__PURE__ */ z.refine<number>(isWholeFils, 'validation.threeDecimals')

/** A price in BHD: 0.001 to 10000.000. */
export const priceBhd = /* @__PURE__ */ z
  .number('validation.amount')
  .check(z.gte(0.001, 'validation.price'), z.lte(10_000, 'validation.price'), hasFils)
/** A fee or minimum in BHD: 0 to 10000.000. */
export const feeBhd = /* @__PURE__ */ z
  .number('validation.amount')
  .check(z.gte(0, 'validation.fee'), z.lte(10_000, 'validation.fee'), hasFils)
