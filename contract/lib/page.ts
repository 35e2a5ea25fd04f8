import * as z from 'zod/mini'

/** A whole number in a query string: plain digits only, no sign, exponent or space. */
export function wholeNumberQuery(min: number, max: number) {
  return z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], 'validation.number'),
      z.transform((value: string | number) => {
        const digits = String(value)
        return /^(?:0|[1-9][0-9]{0,14})$/.test(digits) ? Number(digits) : Number.NaN
      }),
    ),
    z.int('validation.number').check(z.gte(min, 'validation.number'), z.lte(max, 'validation.number')),
  )
}

export const pageQuery = /* @__PURE__ */ z.object({
  page: z._default(wholeNumberQuery(1, 1_000_000_000), 1),
  limit: z._default(wholeNumberQuery(1, 100), 10),
})
export type PageQuery = z.output<typeof pageQuery>

export interface Page<T> {
  items: T[]
  page: number
  limit: number
  total: number
}

/** Pagination: the schema of one page of a list, used by all list endpoints. */
export const page = <S extends z.ZodMiniType>(itemSchema: S) =>
  z.object({ items: z.array(itemSchema), page: z.number(), limit: z.number(), total: z.number() })
