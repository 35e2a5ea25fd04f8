import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { done, idParams } from '../lib/ids.ts'
import { phoneInput } from '../lib/phone.ts'
import { addressText, customerName, instructionsText, lineText } from '../lib/text.ts'
import { coordinates } from '../places/geo.ts'
import { pinSources } from '../places/pin.ts'
import { addressParts } from './auth.ts'

/** Addresses of one person. */
export const mostAddresses = 10

/** An address as it is sent: with an order, for a placed one, and to the address book. */
export const addressInput = {
  address: addressText,
  /** If omitted, `address` is stored without its structured parts. */
  addressParts: z.optional(z.nullable(addressParts)),
  mapCoordinates: coordinates,
  /** How the pin was set; if omitted, it is not known. */
  pinSource: z.optional(z.nullable(z.enum(pinSources))),
  instructions: z.optional(z.nullable(instructionsText)),
  /** Who takes the water, if not the customer. */
  receiverName: z.optional(z.nullable(customerName(2))),
  receiverPhone: z.optional(z.nullable(phoneInput)),
}

export const savedAddress = z.object({
  id: z.number(),
  /** "Home", "Work"; null without a name. */
  label: z.nullable(z.string()),
  /** Null if only a place was saved. */
  address: z.nullable(z.string()),
  addressParts: z.nullable(addressParts),
  mapCoordinates: z.nullable(coordinates),
  /** Null if not known. */
  pinSource: z.nullable(z.enum(pinSources)),
  /** Ordered here after the question whether the approximate pin is at the door, which is asked once for a place. */
  isPinAsked: z.boolean(),
  /** The area of the place; null outside of all areas. */
  areaId: z.nullable(z.number()),
  instructions: z.nullable(z.string()),
  receiverName: z.nullable(z.string()),
  receiverPhone: z.nullable(z.string()),
  /** At most one address of a person; it fills the checkout and says where the person wants the water. */
  isDefault: z.boolean(),
})
export type SavedAddress = z.output<typeof savedAddress>

const addressFields = z.object({
  label: z.optional(z.nullable(lineText(40))),
  ...addressInput,
  /** Null: the place is not known yet. */
  mapCoordinates: z.nullable(coordinates),
  isDefault: z.optional(z.boolean()),
})

export const listAddresses = endpoint({
  method: 'GET',
  path: '/api/addresses',
  allow: 'signed-in',
  summary: 'The saved addresses of the signed-in user: the default one, then the last used',
  returns: z.array(savedAddress),
})

export const createAddress = endpoint({
  method: 'POST',
  path: '/api/addresses',
  allow: 'signed-in',
  summary: 'Save an address; the first one becomes the default',
  body: addressFields,
  returns: savedAddress,
  errors: ['ADDRESS_REQUIRED', 'ADDRESS_BOOK_FULL'],
})

export const changeAddress = endpoint({
  method: 'PATCH',
  path: '/api/addresses/{id}',
  allow: 'signed-in',
  summary: 'Change the fields that were sent of a saved address, or make it the default',
  params: idParams,
  body: z.partial(addressFields),
  returns: savedAddress,
  errors: ['ADDRESS_NOT_FOUND', 'ADDRESS_REQUIRED'],
})

export const removeAddress = endpoint({
  method: 'DELETE',
  path: '/api/addresses/{id}',
  allow: 'signed-in',
  summary: 'Remove a saved address; after the default one, the last used becomes the default',
  params: idParams,
  returns: done,
  errors: ['ADDRESS_NOT_FOUND'],
})
