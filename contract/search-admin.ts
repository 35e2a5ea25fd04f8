import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { orderStatuses } from './orders/order-status.ts'
import { presets } from './users/permissions.ts'
import { roles } from './users/roles.ts'

/** Results of each kind. */
export const MOST_FOUND = 5

const person = z.object({ id: z.number(), name: z.nullable(z.string()), phone: z.string() })
const name = { name: z.string(), nameAr: z.nullable(z.string()) }

/** Kinds that the caller may not read are empty. The browser finds pages itself, in `adminPages`. */
const found = z.object({
  orders: z.array(
    z.object({
      id: z.string(),
      customerName: z.string(),
      status: z.enum(orderStatuses),
      areaName: z.nullable(z.string()),
      areaNameAr: z.nullable(z.string()),
    }),
  ),
  customers: z.array(person),
  products: z.array(z.object({ id: z.number(), ...name, size: z.string() })),
  drivers: z.array(person),
  /** Staff; drivers are in their own list. */
  users: z.array(z.extend(person, { role: z.enum(roles), preset: z.nullable(z.enum(presets)) })),
  areas: z.array(z.object({ id: z.number(), ...name })),
})
export type Found = z.output<typeof found>

export const searchAdmin = endpoint({
  method: 'GET',
  path: '/api/admin/search',
  allow: 'staff',
  permissions: ['orders.read'],
  summary:
    'Orders, customers, products, people and areas in the caller’s scope that match a text, at most five of each',
  query: z.object({ q: z.string().check(z.minLength(1), z.maxLength(100)) }),
  returns: found,
})
