import type { AreaSummary } from '@qatra/contract/areas'
import type { User } from '@qatra/contract/auth'
import { type Coordinates, isChosen } from '@qatra/contract/geo'
import { placeOrder } from '@qatra/contract/orders'
import type { Translate } from '../app/i18n.tsx'
import { type FieldErrors, schemaErrors } from '../lib/form-errors.ts'
import { filledParts, neededParts, noParts, type PartName, type Parts, partNames, toParts } from './address.ts'

export interface CheckoutForm {
  point: Coordinates | null
  parts: Parts
  /** Free-text address that replaces the parts; null if the parts are used. */
  ownAddress: string | null
  instructions: string
  customerName: string
  /** Null: the promised day. */
  deliveryDate: string | null
}

export type FieldName = 'map' | 'address' | 'instructions' | 'customerName' | PartName
export type Problems = FieldErrors<FieldName>

/** Order of the fields on the page, to focus the first invalid one. */
export const fieldOrder: readonly FieldName[] = ['map', ...partNames, 'address', 'instructions', 'customerName']

/**
 * Form values from the person's profile. An area that the person chose and in which the saved address is not gets a new
 * address, with the pin inside it.
 */
export function startForm(user: User | null, chosen: Pick<AreaSummary, 'centre'> | null): CheckoutForm {
  const name = user?.name ?? ''
  if (chosen)
    return {
      point: chosen.centre,
      parts: noParts,
      ownAddress: null,
      instructions: '',
      customerName: name,
      deliveryDate: null,
    }

  const hasParts = Object.keys(user?.addressParts ?? {}).length > 0
  return {
    point: isChosen(user?.mapCoordinates) ? user.mapCoordinates : null,
    parts: toParts(user?.addressParts),
    ownAddress: hasParts ? null : (user?.address ?? null),
    instructions: user?.instructions ?? '',
    customerName: name,
    deliveryDate: null,
  }
}

export function bodyOf({ point, parts, instructions, customerName }: CheckoutForm, address: string) {
  return {
    customerName,
    address,
    addressParts: filledParts(parts),
    mapCoordinates: point ?? { lat: 0, lng: 0 },
    instructions: instructions.trim() || null,
    paymentMethod: 'cash' as const,
  }
}

/** The days of the request: a chosen one, or else the promised day that the page shows. */
export function dayOf(chosen: string | undefined, promised: string | undefined) {
  if (chosen !== promised) return { deliveryDate: chosen }
  return promised === undefined ? {} : { expectedDate: promised }
}

/** Validates with the same schema as the server. */
export function problemsOf(form: CheckoutForm, address: string, t: Translate): Problems {
  const missing = form.ownAddress === null ? neededParts.filter((name) => form.parts[name].trim() === '') : []
  return {
    ...schemaErrors(placeOrder.body, bodyOf(form, address), (path) => fieldAt(path, form), t),
    ...Object.fromEntries(missing.map((name) => [name, t(`checkout.error.${name}`)])),
    ...(isChosen(form.point) ? {} : { map: t('checkout.error.addressHint') }),
  }
}

export function fieldAt([name, part]: readonly PropertyKey[], form: CheckoutForm): FieldName {
  if (name === 'mapCoordinates') return 'map'
  if (name === 'address' && form.ownAddress === null) return 'block'
  const field = name === 'addressParts' ? part : name
  return fieldOrder.find((one) => one === field) ?? 'address'
}

export const firstOf = (problems: Problems): FieldName | undefined => fieldOrder.find((name) => problems[name])
