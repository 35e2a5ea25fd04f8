import * as z from 'zod/mini'
import { bottleTerms } from '../bottles.ts'
import { endpoint } from '../endpoint.ts'
import { idParams, vendorFilter } from '../lib/ids.ts'
import { waterFields } from './water.ts'

/** The bottle in which it is sold, while the vendor exchanges bottles. */
const bottle = /* @__PURE__ */ z.nullable(
  z.object({
    typeId: z.number(),
    terms: z.enum(bottleTerms),
    name: z.string(),
    nameAr: z.nullable(z.string()),
    /** BHD, for one bottle that comes back; 0 if the price includes it. */
    deposit: z.number(),
  }),
)

export const product = z.object({
  id: z.number(),
  vendorId: z.number(),
  name: z.string(),
  nameAr: z.nullable(z.string()),
  description: z.nullable(z.string()),
  descriptionAr: z.nullable(z.string()),
  /** BHD */
  price: z.number(),
  size: z.string(),
  imageUrl: z.nullable(z.string()),
  vatPercentage: z.number(),
  isActive: z.boolean(),
  inventoryUnit: z.nullable(z.string()),
  inventoryUnitAr: z.nullable(z.string()),
  unitsPerInventoryUnit: z.number(),
  ...waterFields,
  bottle,
  /** In lists: more of the vendor's latest orders have this product than any other. */
  isMostOrdered: z.optional(z.literal(true)),
})
export type Product = z.output<typeof product>

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/products',
  allow: 'anyone',
  summary: 'Active products of active vendors, by vendor, volume and name',
  query: z.object({
    vendorId: vendorFilter,
    category: z.optional(z.string().check(z.maxLength(50))),
    search: z.optional(z.string().check(z.maxLength(100))),
  }),
  returns: z.array(product),
})

export const getProduct = endpoint({
  method: 'GET',
  path: '/api/products/{id}',
  allow: 'anyone',
  summary: 'One product',
  params: idParams,
  returns: product,
  errors: ['PRODUCT_NOT_FOUND'],
})
