import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idParams, rowIdNumber, vendorFilter } from '../lib/ids.ts'
import { feeBhd } from '../lib/money.ts'
import { line, orNone, requiredLine } from './fields.ts'

const shape = {
  name: requiredLine(60),
  nameAr: orNone(line(60)),
  /** BHD, for one bottle. */
  deposit: feeBhd.check(z.lte(100, 'validation.deposit')),
  /** Without it, products in this bottle ask for none. */
  isActive: z.boolean(),
}
export const bottleTypeFields = ['name', 'nameAr', 'deposit', 'isActive'] as const satisfies (keyof typeof shape)[]

export const bottleType = z.object({
  id: z.number(),
  vendorId: z.number(),
  name: z.string(),
  nameAr: z.nullable(z.string()),
  deposit: z.number(),
  isActive: z.boolean(),
  /** In use, and its vendor exchanges bottles: products can have it. */
  isOffered: z.boolean(),
  /** Products in this bottle. */
  productCount: z.number(),
  /** Incremented by every change. Sent with a change for optimistic locking. */
  version: z.number(),
})
export type BottleType = z.output<typeof bottleType>

const path = '/api/admin/bottle-types'
const permissions = ['products.read', 'products.write'] as const

export const listBottleTypes = endpoint({
  method: 'GET',
  path,
  allow: 'admin',
  permissions: ['products.read'],
  summary: 'Types of bottles in the caller’s scope, including those out of use',
  query: z.object({ vendorId: vendorFilter }),
  returns: z.array(bottleType),
})

export const createBottleType = endpoint({
  method: 'POST',
  path,
  allow: 'admin',
  permissions,
  summary: 'Create a type of bottle',
  body: z.object({
    /** Omitted by vendor staff. */
    vendorId: z.optional(rowIdNumber),
    ...shape,
    nameAr: z._default(shape.nameAr, null),
    isActive: z._default(shape.isActive, true),
  }),
  returns: bottleType,
  errors: ['BOTTLE_TYPE_EXISTS'],
})

export const updateBottleType = endpoint({
  method: 'PATCH',
  path: `${path}/{id}`,
  allow: 'admin',
  permissions,
  summary: 'Change a type of bottle; placed orders keep their deposit',
  params: idParams,
  body: z.extend(z.partial(z.object(shape)), { version: z.optional(z.int()) }),
  returns: bottleType,
  errors: ['BOTTLE_TYPE_NOT_FOUND', 'BOTTLE_TYPE_EXISTS', 'VERSION_CONFLICT'],
})
