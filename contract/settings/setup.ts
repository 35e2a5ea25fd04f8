import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { day, rowIdNumber } from '../lib/ids.ts'

/** Steps from an empty installation to the first order, in the order of doing them. */
export const setupKeys = [
  'account',
  'areas',
  'company',
  'vendor',
  'days',
  'people',
  'customers',
  'whatsapp',
  'telegram',
  'testOrder',
] as const
export type SetupKey = (typeof setupKeys)[number]

/** What a step can lack: facts of the company, named as in the settings, and other things. */
export const setupGaps = [
  'areas',
  'company.nameAr',
  'company.name',
  'company.addressAr',
  'company.address',
  'company.crNumber',
  'contact',
  'vendor',
  'product',
  'vendorAreas',
  'days',
  'person',
  'whatsapp',
  'testOrder',
  'testOrderLeft',
] as const
export type SetupGap = (typeof setupGaps)[number]

export const setupItem = z.object({
  key: z.enum(setupKeys),
  /** Computed from the data, so that it is true whichever way it was done. */
  done: z.boolean(),
  /** Not counted in the progress. */
  optional: z.boolean(),
  /** Path of the page where it is done. */
  link: z.string(),
  /** Areas, products, people, or test orders that exist; null for steps without a number. */
  count: z.nullable(z.number()),
  /** What a step that is counted still lacks. */
  missing: z.array(z.enum(setupGaps)),
})
export type SetupItem = z.output<typeof setupItem>

export const getSetup = endpoint({
  method: 'GET',
  path: '/api/admin/setup',
  allow: 'super',
  permissions: ['settings.read'],
  summary: 'Checklist from an empty installation to the first order',
  returns: z.array(setupItem),
})

/** Origin of the outlines that POST /api/admin/setup/areas installs. */
export const shippedAreas = z.object({
  count: z.number(),
  /** Day on which they were made. */
  date: day,
  source: z.string(),
  sourceAr: z.string(),
})

export const getShippedAreas = endpoint({
  method: 'GET',
  path: '/api/admin/setup/areas',
  allow: 'super',
  permissions: ['settings.read'],
  summary: 'Number, source and date of the areas of Bahrain that can be installed',
  returns: shippedAreas,
})

export const installAreas = endpoint({
  method: 'POST',
  path: '/api/admin/setup/areas',
  allow: 'super',
  permissions: ['areas.write'],
  summary: 'Install the areas of Bahrain; areas whose code exists stay as they are',
  returns: z.object({ created: z.number() }),
})

const testOrder = {
  path: '/api/admin/setup/test-order',
  allow: 'super',
  permissions: ['settings.write'],
} as const

export const placeTestOrder = endpoint({
  ...testOrder,
  method: 'POST',
  summary: 'Place a marked order of one product of a vendor for the caller; an existing test order is returned instead',
  body: z.object({ vendorId: rowIdNumber }),
  returns: z.object({ id: z.string() }),
  errors: ['VENDOR_NOT_FOUND', 'ORDER_EMPTY', 'VENDOR_DOES_NOT_DELIVER', 'PRODUCT_UNAVAILABLE'],
})

export const deleteTestOrder = endpoint({
  ...testOrder,
  method: 'DELETE',
  summary: 'Delete the test order with its history, cash entries and notifications',
  returns: z.object({ deleted: z.number() }),
})
