import * as z from 'zod/mini'
import { timeInput } from '../calendar/dates.ts'
import { endpoint } from '../endpoint.ts'
import { idParams, instant, rowIdNumber } from '../lib/ids.ts'
import { feeBhd } from '../lib/money.ts'
import { page, pageQuery } from '../lib/page.ts'
import { phoneInput, whatsappLink } from '../lib/phone.ts'
import { freeText, lineText } from '../lib/text.ts'
import { vatNumberInput } from '../lib/vat.ts'
import { ownPicture } from '../media.ts'
import { areaName } from '../places/areas.ts'
import { pictureState } from '../products/fields.ts'
import { isEmblem } from './emblems.ts'
import { vendor } from './vendors.ts'

/** A vendor in the admin area, with the data printed on receipts and the caller's abilities. */
export const managedVendor = z.extend(vendor, {
  /** State of `logoUrl`, which is the address as entered; the shop shows the stored copy. */
  logo: pictureState,
  companyName: z.nullable(z.string()),
  companyNameAr: z.nullable(z.string()),
  companyAddress: z.nullable(z.string()),
  companyAddressAr: z.nullable(z.string()),
  crNumber: z.nullable(z.string()),
  vatNumber: z.nullable(z.string()),
  /** Minimum agreed price in percent of the product's price; null without a limit. Not exposed to the shop. */
  customPriceFloor: z.nullable(z.number()),
  /** Whether somebody chose the cut-off, which can be none. */
  daysChosen: z.boolean(),
  areaIds: z.array(z.number()),
  productCount: z.number(),
  version: z.number(),
  createdAt: instant,
  updatedAt: instant,
  /** Activate or deactivate, and delete. */
  can: z.object({ activate: z.boolean(), remove: z.boolean() }),
})
export type ManagedVendor = z.output<typeof managedVendor>

// @__NO_SIDE_EFFECTS__
const maybe = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

/** A number or a `wa.me` link; the output is the `wa.me` link. */
export const whatsappInput = /* @__PURE__ */ z.pipe(
  z.string('validation.whatsapp').check(z.maxLength(200, 'validation.whatsapp')),
  z.transform((input: string, ctx) => {
    const [, number = input] =
      /^(?:https?:\/\/)?(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?phone=)\+?([^/?&#]+)/i.exec(input.trim()) ?? []
    const link = whatsappLink(number)
    if (link) return link
    ctx.issues.push({ code: 'custom', message: 'validation.whatsapp', input })
    return z.NEVER
  }),
)

const logo = /* @__PURE__ */ z.string('validation.imageUrl').check(
  z.trim(),
  z.maxLength(500, 'validation.imageUrl'),
  z.refine((text) => ownPicture.test(text) || /^https:\/\/[^\s"'<>\\@]+$/.test(text), 'validation.imageUrl'),
)

const facts = {
  nameAr: maybe(lineText(100)),
  logoUrl: maybe(logo),
  description: maybe(freeText(1000)),
  descriptionAr: maybe(freeText(1000)),
  deliveryFee: z.optional(feeBhd),
  minDeliveryAmount: z.optional(feeBhd),
  whatsappLink: maybe(whatsappInput),
  tint: maybe(
    z.string('validation.tint').check(
      z.overwrite((text: string) => text.trim().toLowerCase()),
      z.regex(/^#[0-9a-f]{6}$/, 'validation.tint'),
    ),
  ),
  emblem: maybe(z.string().check(z.refine(isEmblem, 'validation.invalid'))),
  cutOff: maybe(timeInput),
  companyName: maybe(lineText(200)),
  companyNameAr: maybe(lineText(200)),
  companyAddress: maybe(freeText(500)),
  companyAddressAr: maybe(freeText(500)),
  crNumber: maybe(lineText(30)),
  vatNumber: maybe(vatNumberInput),
  customPriceFloor: maybe(
    z.int('validation.wholePercent').check(z.gte(0, 'validation.wholePercent'), z.lte(100, 'validation.wholePercent')),
  ),
  isActive: z.optional(z.boolean()),
}
const vendorName = /* @__PURE__ */ lineText(100).check(z.minLength(1, 'validation.name'))

const newVendor = z.object({ ...facts, name: vendorName, contactNumber: phoneInput })
const vendorChanges = z.object({
  ...facts,
  name: z.optional(vendorName),
  contactNumber: z.optional(phoneInput),
  version: z.optional(rowIdNumber),
  /** Accounts cannot change the vendor here; vendor staff get an error. */
  vendorId: z.optional(z.unknown()),
})
export type VendorFacts = z.output<typeof vendorChanges>

const inReach = ['VENDOR_NOT_FOUND', 'FORBIDDEN'] as const

export const listManagedVendors = endpoint({
  method: 'GET',
  path: '/api/admin/vendors',
  allow: 'super',
  permissions: ['vendors.read'],
  summary: 'Vendors, including inactive ones, sorted by name',
  query: z.extend(pageQuery, {
    search: z.optional(z.string().check(z.maxLength(100))),
    isActive: z.optional(
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text: 'true' | 'false') => text === 'true'),
      ),
    ),
  }),
  returns: page(managedVendor),
})

export const createVendor = endpoint({
  method: 'POST',
  path: '/api/admin/vendors',
  allow: 'super',
  permissions: ['vendors.write'],
  summary: 'Create a vendor, without areas',
  body: newVendor,
  returns: managedVendor,
})

export const getManagedVendor = endpoint({
  method: 'GET',
  path: '/api/admin/vendors/{id}',
  allow: 'admin',
  permissions: ['vendors.read'],
  summary: 'One vendor with internal fields; staff of a vendor see only their own',
  params: idParams,
  returns: managedVendor,
  errors: inReach,
})

export const updateVendor = endpoint({
  method: 'PATCH',
  path: '/api/admin/vendors/{id}',
  allow: 'admin',
  permissions: ['vendors.control'],
  summary: 'Change the given fields; only super admins may change `isActive`',
  params: idParams,
  body: vendorChanges,
  returns: managedVendor,
  errors: [...inReach, 'VERSION_CONFLICT'],
})

export const deleteVendor = endpoint({
  method: 'DELETE',
  path: '/api/admin/vendors/{id}',
  allow: 'super',
  permissions: ['vendors.write'],
  summary: 'Delete a vendor without orders; a vendor with orders is deactivated instead',
  params: idParams,
  returns: z.object({ success: z.literal(true), deleted: z.boolean() }),
  errors: inReach,
})

export const listVendorAreas = endpoint({
  method: 'GET',
  path: '/api/admin/vendors/{id}/areas',
  allow: 'admin',
  permissions: ['vendors.read'],
  summary: 'Areas that the vendor delivers to, sorted by name',
  params: idParams,
  returns: z.array(z.extend(areaName, { areaId: z.string() })),
  errors: inReach,
})

export const setVendorAreas = endpoint({
  method: 'PUT',
  path: '/api/admin/vendors/{id}/areas',
  allow: 'admin',
  permissions: ['vendors.control'],
  summary: 'Replace the vendor’s areas with 1 to 100 areas',
  params: idParams,
  body: z.object({
    areaIds: z.array(rowIdNumber, 'validation.areaIds').check(
      z.minLength(1, 'validation.areaIds'),
      z.maxLength(100, 'validation.areaIds'),
      z.refine((ids) => new Set(ids).size === ids.length, 'validation.areaTwice'),
    ),
  }),
  returns: listVendorAreas.returns,
  errors: inReach,
})
