import { type BuyerName, buyerNames } from '@qatra/contract/orders/buyer'
import { placeOrder } from '@qatra/contract/orders/orders'
import { isApproximate } from '@qatra/contract/places/pin'
import type { Translate } from '../lib/language/i18n.tsx'
import { type FieldErrors, schemaErrors } from '../ui/form/form-errors.ts'
import {
  type AddressFieldName,
  type AddressForm,
  addressFieldAt,
  addressFieldNames,
  deliveryOf,
  missingIn,
} from './address-form.ts'
import { type BuyerForm, buyerOf } from './BuyerFields.tsx'

export interface CheckoutForm extends AddressForm, BuyerForm {
  customerName: string
  /** Null: the promised day. */
  deliveryDate: string | null
}

export type FieldName = AddressFieldName | BuyerName | 'customerName'
export type Problems = FieldErrors<FieldName>

/** Order of the fields on the page, to focus the first invalid one. */
const fieldOrder: readonly FieldName[] = [...addressFieldNames, 'customerName', ...buyerNames]

export function bodyOf(form: CheckoutForm, address: string) {
  return {
    customerName: form.customerName,
    ...deliveryOf(form, address),
    ...buyerOf(form),
    ...(form.addressId === null ? {} : { addressId: form.addressId, isPinAsked: isApproximate(form.pin.source) }),
    paymentMethod: 'cash' as const,
  }
}

/** Validates with the same schema as the server. */
export function problemsOf(
  form: CheckoutForm,
  { address, isInArea }: { address: string; isInArea: boolean },
  t: Translate,
): Problems {
  return {
    ...schemaErrors(placeOrder.body, bodyOf(form, address), (path) => fieldAt(path, form), t),
    ...missingIn(form, isInArea, t),
  }
}

export function fieldAt(path: readonly PropertyKey[], form: CheckoutForm): FieldName {
  const own = ['customerName' as const, ...buyerNames].find((name) => name === path[0])
  return own ?? addressFieldAt(path, form) ?? 'address'
}

export const firstOf = (problems: Problems): FieldName | undefined => fieldOrder.find((name) => problems[name])
