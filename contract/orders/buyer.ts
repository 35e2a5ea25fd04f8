import * as z from 'zod/mini'
import { type Fils, fils, fromBhd, toBhd } from '../lib/money.ts'
import { lineText } from '../lib/text.ts'
import { vatNumberInput } from '../lib/vat.ts'

const maybe = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema))

/** Facts of a company that buys. Its account keeps them. */
export const companyInput = {
  companyName: maybe(lineText(200)),
  crNumber: maybe(lineText(30)),
  vatNumber: maybe(vatNumberInput),
}

/** BHD in notes. */
const payingWith = z.int('validation.number').check(z.gte(1, 'validation.number'), z.lte(10_000, 'validation.number'))

/** What a company needs on the papers of an order, and with how much the customer will pay in cash. */
export const buyerInput = {
  ...companyInput,
  poNumber: maybe(lineText(50)),
  branch: maybe(lineText(100)),
  payingWith: maybe(payingWith),
}

export const companyNames = ['companyName', 'crNumber', 'vatNumber'] as const
/** Of one order; the office can change them at any time. */
export const orderNames = ['poNumber', 'branch'] as const
export const buyerNames = [...companyNames, ...orderNames] as const
export type BuyerName = (typeof buyerNames)[number]
export type BuyerTexts = { [name in BuyerName]: string | null }

const text = z.nullable(z.string())
export const buyerFields = {
  companyName: text,
  crNumber: text,
  vatNumber: text,
  poNumber: text,
  branch: text,
  /** BHD in notes that the customer wants change from. */
  payingWith: z.nullable(z.number()),
}

export const noBuyer: BuyerTexts & { payingWith: null } = {
  companyName: null,
  crNumber: null,
  vatNumber: null,
  poNumber: null,
  branch: null,
  payingWith: null,
}

/** BHD of an order from which the checkout asks for facts of a company. */
export const companyFrom = 20

const notes = [5, 10, 20]

/** BHD in notes of one kind that pay a total and need change, the smallest first: 4.850 by 5, 10 or 20. */
export function noteSums(total: Fils): number[] {
  const sums = notes.map((note) => Math.ceil(toBhd(total) / note) * note)
  return [...new Set(sums)].filter((sum) => fromBhd(sum) > total).sort((a, b) => a - b)
}

/** BHD to give back from the notes; 0 if they do not exceed what is due. */
export const changeFrom = (payingWith: number | null, due: number): number =>
  payingWith === null || due <= 0 ? 0 : toBhd(fils(Math.max(0, fromBhd(payingWith) - fromBhd(due))))
