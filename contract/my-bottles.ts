import * as z from 'zod/mini'
import { endpoint, type Output } from './endpoint.ts'
import { instant } from './lib/ids.ts'

export const listMyBottles = endpoint({
  method: 'GET',
  path: '/api/bottles',
  allow: 'signed-in',
  summary: 'The bottles that the signed-in user holds, by vendor and type, with the latest movements',
  returns: z.array(
    z.object({
      vendorId: z.number(),
      typeId: z.number(),
      name: z.string(),
      nameAr: z.nullable(z.string()),
      /** At all addresses; negative if more came back than were known. */
      count: z.number(),
      /** BHD of deposits paid and not paid back. */
      depositHeld: z.number(),
      /** Newest first, at most 20. */
      moves: z.array(
        z.object({
          id: z.number(),
          kind: z.enum(['delivered', 'returned', 'lost', 'correction', 'opening']),
          /** Bottles more, or fewer. */
          count: z.number(),
          orderId: z.nullable(z.string()),
          at: instant,
        }),
      ),
    }),
  ),
})
export type MyBottles = Output<typeof listMyBottles>[number]
