import * as z from 'zod/mini'
import { westernDigits } from '../lib/digits.ts'
import { isDay, isInstant } from './calendar.ts'

/** A calendar date as YYYY-MM-DD within the accepted range. The only type for dates in requests. */
export const dayInput = /* @__PURE__ */ z.string('validation.day').check(z.refine(isDay, 'validation.day'))

/** HH:MM in Bahrain; accepts digits of all supported scripts. */
export const timeInput = /* @__PURE__ */ z.string('validation.time').check(
  z.overwrite((text: string) => westernDigits(text.trim())),
  z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'validation.time'),
)

/**
 * An ISO 8601 instant with offset, on a Bahrain day that `dayInput` accepts. The only type for instants in requests.
 * The parsed value is in UTC with milliseconds.
 */
export const instantInput = /* @__PURE__ */ z.pipe(
  /* @__PURE__ */ z.pipe(
    z.string('validation.instant'),
    // A plus sign that the client did not encode as %2B arrives as a space.
    z.transform((text: string) => text.replace(/ (?=\d\d:\d\d$)/, '+')),
  ),
  /* @__PURE__ */ z.pipe(
    z.iso.datetime({ offset: true, error: 'validation.instant' }).check(z.refine(isInstant, 'validation.instant')),
    z.transform((text: string) => new Date(text).toISOString()),
  ),
)
