import { buyerNames } from '@qatra/contract/orders/buyer'
import { placeSalesOrder } from '@qatra/contract/sales'
import { partNames } from '@qatra/contract/users/address-parts'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { addressFieldAt, deliveryOf } from '../../checkout/address-form.ts'
import { buyerOf } from '../../checkout/BuyerFields.tsx'
import { choiceFields, type useChosenSlot } from '../../delivery/days.ts'
import type { Translate } from '../../lib/language/i18n.tsx'
import { type FieldErrors, schemaErrors } from '../../ui/form/form-errors.ts'
import { type Draft, feeOf } from './draft.ts'

/** Error texts by field path, as in the API: `items.0.quantity`. */
export type Problems = FieldErrors<string>

/** What the page shows and the draft lacks. */
export interface Shown {
  address: string
  vendor: Vendor | null
  slot: ReturnType<typeof useChosenSlot>
}

/** The request body; missing values are kept, since the same schema validates here and on the server. */
function inputOf(draft: Draft, { address, vendor, slot }: Shown) {
  const { phone, name, point, ownAddress, lines, ignoreCoverage, reason } = draft
  return {
    phone,
    customerName: name,
    ...deliveryOf(draft, address),
    ...buyerOf(draft),
    ...(ownAddress === null ? {} : { addressParts: null }),
    mapCoordinates: point,
    items: lines.map((line) => ({
      productId: line.productId,
      quantity: line.quantity,
      // The quantity may have been lowered since.
      empties: line.empties === undefined ? undefined : Math.min(line.empties, line.quantity ?? 0),
      ...(line.customPrice === null ? {} : { customPrice: line.customPrice, reason: line.reason }),
    })),
    deliveryFee: feeOf(draft, vendor),
    ...choiceFields(slot),
    ...(ignoreCoverage ? { ignoreCoverage, reason } : {}),
  }
}

/** The validated body, or the error texts. */
export function checked(draft: Draft, shown: Shown, t: Translate) {
  const input = inputOf(draft, shown)
  const problems = schemaErrors(placeSalesOrder.body, input, fieldAtOf(draft), t)
  if (input.mapCoordinates === null) problems['map'] = t('sale.error.address')
  if (input.items.length === 0) problems['items'] = t('validation.emptyOrder')
  if (input.ignoreCoverage && !input.reason?.trim()) problems['reason'] = t('validation.overrideReason')
  return { body: Object.keys(problems).length === 0 ? input : null, problems }
}

/** The field of an error: of the address as in every address form, others by their path. */
export const fieldAtOf = (draft: Draft) => (path: readonly PropertyKey[]) =>
  addressFieldAt(path, draft) ?? path.map(String).join('.')

/** First field with an error, in page order. */
export function firstField(problems: Problems): string | undefined {
  const rank = (field: string) => {
    const at = order.findIndex((name) => field === name || field.startsWith(`${name}.`))
    return at < 0 ? order.length : at
  }
  return Object.keys(problems).sort((a, b) => rank(a) - rank(b))[0]
}
const order = [
  'phone',
  'customerName',
  'map',
  ...partNames,
  'address',
  'reason',
  'items',
  'instructions',
  'receiverName',
  'receiverPhone',
  ...buyerNames,
  'deliveryFee',
  'deliveryDate',
]
