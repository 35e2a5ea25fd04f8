import * as z from 'zod/mini'

/** A row id in a path: a positive 32-bit integer in plain digits. Anything else is reported as not found. */
export const rowId = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,9}$/)),
  z.pipe(
    z.transform((text: string) => Number(text)),
    z.number().check(z.lte(2_147_483_647)),
  ),
)
export const idParams = z.object({ id: rowId })

/** A row id in a body. */
export const rowIdNumber = z.int().check(z.positive(), z.lte(2_147_483_647))

/** Optional vendor filter in a query: 0 or omitted means all vendors. */
export const vendorFilter = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/)),
    z.transform((text: string) => Number(text)),
  ),
)
export const done = z.object({ success: z.literal(true) })
/** ISO instant with milliseconds. */
export const instant = z.string()
/** Bahrain calendar date, YYYY-MM-DD. */
export const day = z.string()
