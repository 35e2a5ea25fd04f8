import * as z from 'zod/mini'
import { westernDigits } from './digits.ts'

/** A Bahraini VAT account number: 15 digits, typed with or without spaces, in digits of any supported script. */
export const vatNumberInput = /* @__PURE__ */ z.string('validation.vatNumber').check(
  z.overwrite((text: string) => westernDigits(text).replace(/[\s\p{Cf}-]/gu, '')),
  z.refine((text) => !/^\d{16,}$/.test(text), 'validation.vatNumberLong'),
  z.refine((text) => /^\d{15,}$/.test(text), 'validation.vatNumber'),
)

/** Percent, in Bahrain. */
export const STANDARD_VAT = 10
