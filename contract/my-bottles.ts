import * as z from 'zod/mini'
import { dayInput } from './calendar/dates.ts'
import { endpoint, type Output } from './endpoint.ts'
import { done, idParams, instant, rowIdNumber } from './lib/ids.ts'
import { freeText } from './lib/text.ts'
import { mostReturned } from './orders/bottles.ts'
import { orderParams } from './orders/orders.ts'

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
      /** The open visit at which empties are collected; null without one. */
      visit: z.nullable(
        z.object({
          id: z.number(),
          date: z.string(),
          address: z.string(),
          /** Empties that are expected; null if not known. */
          bottles: z.nullable(z.number()),
          /** Whether the customer can cancel it: the driver has not left for it. */
          canCancel: z.boolean(),
        }),
      ),
      /** Newest first, at most 20. */
      moves: z.array(
        z.object({
          id: z.number(),
          kind: z.enum(['delivered', 'returned', 'lost', 'correction', 'opening', 'refunded']),
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

export const requestCollection = endpoint({
  method: 'POST',
  path: '/api/bottles/collections',
  allow: 'signed-in',
  summary: 'Ask a vendor to collect empty bottles; the same request is answered again while it is open',
  body: z.object({
    vendorId: rowIdNumber,
    /** An own one. Default: where most bottles are, or the last order went. */
    addressId: z.optional(z.nullable(rowIdNumber)),
    /** A day of delivery. Default: the next one. */
    date: z.optional(dayInput),
    /** Default: those known at the address. */
    bottles: z.optional(
      z.int('validation.number').check(z.gte(1, 'validation.number'), z.lte(mostReturned, 'validation.number')),
    ),
    note: z.optional(z.nullable(freeText(500))),
  }),
  returns: z.object({ id: z.number(), date: z.string() }),
  errors: [
    'VENDOR_NOT_FOUND',
    'NO_BOTTLES',
    'ADDRESS_REQUIRED',
    'ADDRESS_NOT_FOUND',
    'OUTSIDE_SERVICE_AREA',
    'VENDOR_DOES_NOT_DELIVER',
    'DATE_NOT_AVAILABLE',
    'VISIT_EXISTS',
  ],
})

export const cancelCollection = endpoint({
  method: 'DELETE',
  path: '/api/bottles/collections/{id}',
  allow: 'signed-in',
  summary: 'Cancel the own collection of empty bottles before the driver leaves for it',
  params: idParams,
  returns: done,
  errors: ['VISIT_NOT_FOUND', 'VISIT_DONE', 'VISIT_ON_THE_WAY'],
})

/** Empties of one type at the door of an order. */
const doorCount = z.object({
  typeId: z.number(),
  name: z.string(),
  nameAr: z.nullable(z.string()),
  expected: z.number(),
  /** Good ones that came back; null before the delivery. */
  returned: z.nullable(z.number()),
  broken: z.number(),
  foreign: z.number(),
  /** BHD of deposit that the order has more than expected, since the difference was charged at once; negative: less. */
  charged: z.number(),
  /** BHD of deposit that is left on the customer's balance; negative: owed by the customer. */
  credit: z.number(),
  /** Who counted: the driver with the given name, or the office; null before the delivery. */
  by: z.nullable(z.object({ isDriver: z.boolean(), firstName: z.nullable(z.string()) })),
  at: z.nullable(instant),
})
export type DoorCount = z.output<typeof doorCount>

/** Whether something else came back than was expected. */
export const isCountedOtherwise = ({ expected, returned, broken, foreign }: DoorCount): boolean =>
  returned !== null && (returned !== expected || broken + foreign > 0)

export const getOrderBottles = endpoint({
  method: 'GET',
  path: '/api/orders/{id}/bottles',
  allow: 'signed-in',
  summary: 'Empty bottles of an own order: expected, and what was counted at its delivery',
  params: orderParams,
  returns: z.array(doorCount),
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})
