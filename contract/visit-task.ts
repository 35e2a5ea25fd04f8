import * as z from 'zod/mini'

/** What a stop without an order is for. */
export const visitKinds = ['collect-bottles', 'refund', 'service'] as const
export type VisitKind = (typeof visitKinds)[number]

/** What is to be done at it. */
export const visitTask = z.object({
  id: z.number(),
  kind: z.enum(visitKinds),
  bottles: z.nullable(z.number()),
  amount: z.nullable(z.number()),
  note: z.nullable(z.string()),
  /** Empties that came back, and BHD that was paid back; null before. */
  returned: z.nullable(z.number()),
  paid: z.number(),
})
