import * as z from 'zod/mini'
import { endpoint, tableFile } from '../endpoint.ts'
import { done, idParams, instant, vendorFilter } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { uploadedFile } from '../lib/upload.ts'
import { pictureState, productDefaults, productShape } from './fields.ts'
import { product } from './products.ts'

export const adminProduct = z.extend(product, {
  /** As set, whether or not the vendor exchanges bottles. */
  bottle: productShape.bottle,
  /** State of `imageUrl`, which is the address as entered; the shop shows the stored copy. */
  picture: pictureState,
  /** Incremented by every change. Sent with an update for optimistic locking. */
  version: z.number(),
  createdAt: instant,
  updatedAt: instant,
})
export type AdminProduct = z.output<typeof adminProduct>

const { vendorId, name, price, size, ...others } = productShape
const permissions = ['products.read'] as const
const writes = ['products.read', 'products.write'] as const

const newProduct = z.object({
  /** Omitted by vendor staff. */
  vendorId: z.optional(vendorId),
  name,
  price,
  size,
  nameAr: z._default(others.nameAr, productDefaults.nameAr),
  description: z._default(others.description, productDefaults.description),
  descriptionAr: z._default(others.descriptionAr, productDefaults.descriptionAr),
  imageUrl: z._default(others.imageUrl, productDefaults.imageUrl),
  vatPercentage: z._default(others.vatPercentage, productDefaults.vatPercentage),
  isActive: z._default(others.isActive, productDefaults.isActive),
  inventoryUnit: z._default(others.inventoryUnit, productDefaults.inventoryUnit),
  inventoryUnitAr: z._default(others.inventoryUnitAr, productDefaults.inventoryUnitAr),
  unitsPerInventoryUnit: z._default(others.unitsPerInventoryUnit, productDefaults.unitsPerInventoryUnit),
  bottle: z._default(others.bottle, productDefaults.bottle),
  source: z._default(others.source, null),
  sourceAr: z._default(others.sourceAr, null),
  tds: z._default(others.tds, null),
  sodium: z._default(others.sodium, null),
  ph: z._default(others.ph, null),
  filledOn: z._default(others.filledOn, null),
  filledWithinDays: z._default(others.filledWithinDays, null),
})
export type NewProduct = z.output<typeof newProduct>

const productChange = z.extend(z.partial(z.object(productShape)), { version: z.optional(z.int()) })
export type ProductChange = z.output<typeof productChange>

export const productSorts = ['name', '-name', 'price', '-price', 'size', '-size', 'updatedAt', '-updatedAt'] as const
export type ProductSort = (typeof productSorts)[number]

const filters = {
  search: z.optional(z.string().check(z.maxLength(100))),
  vendorId: vendorFilter,
  isActive: z.optional(z.enum(['true', 'false'])),
  sort: z.optional(z.enum(productSorts)),
}

export const listAdminProducts = endpoint({
  method: 'GET',
  path: '/api/admin/products',
  allow: 'admin',
  permissions,
  byKey: true,
  summary: 'Products in the caller’s scope, including inactive ones',
  query: z.extend(pageQuery, filters),
  returns: page(adminProduct),
})

export const exportProducts = endpoint({
  ...tableFile,
  path: '/api/admin/products.csv',
  allow: 'admin',
  permissions,
  summary: 'Products as a CSV file, in the columns of an upload',
  query: z.object(filters),
})

export const createProduct = endpoint({
  method: 'POST',
  path: '/api/admin/products',
  allow: 'admin',
  permissions: writes,
  summary: 'Create a product',
  body: newProduct,
  returns: adminProduct,
  errors: ['PRODUCT_EXISTS'],
})

export const getAdminProduct = endpoint({
  method: 'GET',
  path: '/api/admin/products/{id}',
  allow: 'admin',
  permissions,
  byKey: true,
  summary: 'One product with its version',
  params: idParams,
  returns: adminProduct,
  errors: ['PRODUCT_NOT_FOUND'],
})

export const updateProduct = endpoint({
  method: 'PATCH',
  path: '/api/admin/products/{id}',
  allow: 'admin',
  permissions: writes,
  summary: 'Change the given fields; writes nothing if none differs',
  params: idParams,
  body: productChange,
  returns: adminProduct,
  errors: ['PRODUCT_NOT_FOUND', 'PRODUCT_EXISTS', 'PRODUCT_IN_CARTS', 'VERSION_CONFLICT'],
})

export const deleteProduct = endpoint({
  method: 'DELETE',
  path: '/api/admin/products/{id}',
  allow: 'admin',
  permissions: writes,
  summary: 'Delete a product; its orders and history stay',
  params: idParams,
  returns: done,
  errors: ['PRODUCT_NOT_FOUND'],
})

/** A value in JSON form, money in BHD; the whole product on creation and deletion. */
const auditValue = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown()), z.null()])
export const productChangeRow = z.object({
  id: z.number(),
  productId: z.number(),
  action: z.string(),
  changedBy: z.nullable(z.number()),
  changedByName: z.nullable(z.string()),
  /** The impersonated person. */
  onBehalfOf: z.nullable(z.number()),
  onBehalfOfName: z.nullable(z.string()),
  changedAt: instant,
  fieldChanged: z.nullable(z.string()),
  oldValue: auditValue,
  newValue: auditValue,
  notes: z.nullable(z.string()),
  isBulk: z.boolean(),
})
export type ProductChangeRow = z.output<typeof productChangeRow>

export const listProductAudit = endpoint({
  method: 'GET',
  path: '/api/admin/products/{id}/audit',
  allow: 'admin',
  permissions,
  summary: 'History of a product, newest first',
  params: idParams,
  returns: z.array(productChangeRow),
  errors: ['PRODUCT_NOT_FOUND'],
})

export const PICTURE_BYTES = 5_000_000

export const retryPicture = endpoint({
  method: 'POST',
  path: '/api/admin/media/retry',
  allow: 'admin',
  permissions: writes,
  summary: 'Retry fetching the external picture of a product or vendor',
  body: z.object({ url: z.string().check(z.maxLength(500)) }),
  returns: done,
})

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/api/admin/media',
  allow: 'admin',
  permissions: writes,
  summary:
    'Upload a picture (JPEG, PNG, WebP, GIF or AVIF up to 5 MB); it is re-encoded, and its URL can be set on a product',
  accepts: ['multipart/form-data'],
  body: uploadedFile,
  returns: z.object({ url: z.string(), width: z.number(), height: z.number() }),
  errors: ['PICTURE_REFUSED'],
})
