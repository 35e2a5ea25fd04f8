import type { AreaSummary } from '@qatra/contract/places/areas'
import { type Coordinates, isChosen } from '@qatra/contract/places/geo'
import { needsRoad, type Pin } from '@qatra/contract/places/pin'
import { filledParts, neededParts, noParts, type Parts, partNames, toParts } from '@qatra/contract/users/address-parts'
import type { SavedAddress } from '@qatra/contract/users/addresses'
import type { User } from '@qatra/contract/users/auth'
import type { Translate } from '../lib/language/i18n.tsx'
import type { FieldErrors } from '../ui/form/form-errors.ts'

/** Who enters the address. For staff the text is made from area and parts alone, and the block is not filled in. */
export type Audience = 'customer' | 'staff'

/** An address as it is entered: at the checkout, in the address book, for a placed order, and on the phone. */
export interface AddressForm {
  /** The saved address from which the form was filled; null for a new one. */
  addressId: number | null
  point: Coordinates | null
  parts: Parts
  /** Free-text address that replaces the parts; null if the parts are used. */
  ownAddress: string | null
  instructions: string
  /** Null: the customer takes the order. */
  receiver: { name: string; phone: string } | null
  pin: Pin
  /** The pin was already asked about in an earlier order. */
  isPinAsked: boolean
}

export const addressFieldNames = [
  'map',
  ...partNames,
  'address',
  'instructions',
  'receiverName',
  'receiverPhone',
] as const
export type AddressFieldName = (typeof addressFieldNames)[number]

export const emptyAddress: AddressForm = {
  addressId: null,
  point: null,
  parts: noParts,
  ownAddress: null,
  instructions: '',
  receiver: null,
  pin: { source: null },
  isPinAsked: false,
}

type Stored = Pick<SavedAddress, 'address' | 'addressParts' | 'mapCoordinates' | 'instructions'> &
  Partial<Pick<SavedAddress, 'receiverName' | 'receiverPhone' | 'pinSource' | 'isPinAsked'>>

/** @param addressId of a saved address; null for that of the profile */
export function formOf(saved: Stored, addressId: number | null): AddressForm {
  const {
    address,
    addressParts,
    mapCoordinates,
    instructions,
    receiverName,
    receiverPhone,
    pinSource,
    isPinAsked = false,
  } = saved
  const hasParts = Object.keys(addressParts ?? {}).length > 0
  const hasReceiver = Boolean(receiverName || receiverPhone)
  return {
    addressId,
    point: isChosen(mapCoordinates) ? mapCoordinates : null,
    parts: toParts(addressParts),
    ownAddress: hasParts ? null : address,
    instructions: instructions ?? '',
    receiver: hasReceiver ? { name: receiverName ?? '', phone: receiverPhone ?? '' } : null,
    pin: { source: pinSource ?? null, isAccepted: Boolean(addressParts?.building && !addressParts.road) },
    isPinAsked,
  }
}

/**
 * The address with which the checkout starts: the default one, or in an area that the person chose, a saved address there,
 * else a new one with the pin inside the area.
 */
export function startAddress(
  user: User | null,
  book: readonly SavedAddress[],
  chosen: Pick<AreaSummary, 'id' | 'centre'> | null,
): AddressForm {
  const saved = chosen ? book.find(({ areaId }) => areaId === chosen.id) : book.find(({ isDefault }) => isDefault)
  if (saved) return formOf(saved, saved.id)
  if (chosen) return { ...emptyAddress, point: chosen.centre, pin: { source: 'area' } }
  return user ? formOf(user, null) : emptyAddress
}

export function deliveryOf({ point, pin, parts, instructions, receiver }: AddressForm, address: string) {
  return {
    address,
    addressParts: filledParts(parts),
    mapCoordinates: point ?? { lat: 0, lng: 0 },
    pinSource: pin.source,
    instructions: instructions.trim() || null,
    ...receiverOf(receiver),
  }
}

/** Not sent without a receiver: an order then has none. */
function receiverOf(receiver: AddressForm['receiver']) {
  const [name, phone] = [receiver?.name.trim() || null, receiver?.phone.trim() || null]
  return name || phone ? { receiverName: name, receiverPhone: phone } : {}
}

/**
 * The change of a placed order's address; `start` is the form as it was opened. The text of an unchanged place stays in the
 * language in which it was entered, and an unchanged receiver is not sent.
 */
export function addressChangeOf(order: { address: string; version: number }, start: AddressForm, form: AddressForm) {
  const isMoved = form.point !== start.point
  const isSameDoor = !isMoved && partNames.every((name) => form.parts[name] === start.parts[name])
  const isSamePlace = isSameDoor && form.ownAddress === start.ownAddress
  return {
    isMoved,
    isSameDoor,
    isSamePlace,
    bodyWith(composed: string) {
      const { mapCoordinates, pinSource, addressParts, instructions } = deliveryOf(form, composed)
      return {
        address: isSamePlace ? order.address : composed,
        addressParts: form.ownAddress === null ? addressParts : null,
        instructions,
        version: order.version,
        ...(isMoved ? { mapCoordinates, pinSource } : {}),
        ...(form.receiver === start.receiver
          ? {}
          : { receiverName: null, receiverPhone: null, ...receiverOf(form.receiver) }),
      }
    },
  }
}

/** Errors that the schema does not find: missing parts and a missing pin. */
export function missingIn(form: AddressForm, isInArea: boolean, t: Translate): FieldErrors<AddressFieldName> {
  const isRoadNeeded = needsRoad({ ...form.pin, isInArea })
  const needed = neededParts.filter((name) => name !== 'road' || isRoadNeeded)
  const missing = form.ownAddress === null ? needed.filter((name) => form.parts[name].trim() === '') : []
  return {
    ...Object.fromEntries(missing.map((name) => [name, t(`checkout.error.${name}`)])),
    ...(isChosen(form.point) ? {} : { map: t('checkout.error.addressHint') }),
  }
}

/** The field of an error; the composed address is shown at its first part. */
export function addressFieldAt([name, part]: readonly PropertyKey[], form: AddressForm): AddressFieldName | null {
  if (name === 'mapCoordinates') return 'map'
  if (name === 'address' && form.ownAddress === null) return 'block'
  const field = name === 'addressParts' ? part : name
  return addressFieldNames.find((one) => one === field) ?? null
}
