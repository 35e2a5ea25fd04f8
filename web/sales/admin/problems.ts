import { placeSalesOrder } from '@qatra/contract/sales'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { filledParts } from '../../checkout/address.ts'
import { dayOf, type useChosenDay } from '../../delivery/days.ts'
import type { Translate } from '../../lib/language/i18n.tsx'
import { type FieldErrors, schemaErrors } from '../../ui/form/form-errors.ts'
import { type Draft, feeOf } from './draft.ts'

/** Error texts by field path, as in the API: `items.0.quantity`. */
export type Problems = FieldErrors<string>

/** What the page shows and the draft lacks. */
export interface Shown {
  address: string
  vendor: Vendor | null
  day: ReturnType<typeof useChosenDay>
}

/** The request body; missing values are kept, since the same schema validates here and on the server. */
export function inputOf(draft: Draft, { address, vendor, day }: Shown) {
  const { phone, name, point, pinSource, parts, instructions, lines, ignoreCoverage, reason, ownAddress } = draft
  const [receiverName, receiverPhone] = [draft.receiverName.trim(), draft.receiverPhone.trim()]
  return {
    phone,
    customerName: name,
    address,
    ...(ownAddress === null ? { addressParts: filledParts(parts) } : {}),
    mapCoordinates: point,
    ...(pinSource ? { pinSource } : {}),
    items: lines.map((line) => ({
      productId: line.productId,
      quantity: line.quantity,
      ...(line.customPrice === null ? {} : { customPrice: line.customPrice, reason: line.reason }),
    })),
    deliveryFee: feeOf(draft, vendor),
    instructions,
    ...dayOf(day),
    ...(receiverName ? { receiverName } : {}),
    ...(receiverPhone ? { receiverPhone } : {}),
    ...(ignoreCoverage ? { ignoreCoverage, reason } : {}),
  }
}

type SalesInput = ReturnType<typeof inputOf>

/** The validated body, or the error texts. */
export function checked(input: SalesInput, t: Translate) {
  const problems = schemaErrors(placeSalesOrder.body, input, fieldAt, t)
  if (input.mapCoordinates === null) problems['mapCoordinates'] = t('sale.error.address')
  if (input.items.length === 0) problems['items'] = t('validation.emptyOrder')
  if (input.ignoreCoverage && !input.reason?.trim()) problems['reason'] = t('validation.overrideReason')
  return { body: Object.keys(problems).length === 0 ? input : null, problems }
}

/** Latitude and longitude share one field. */
export const fieldAt = (path: readonly PropertyKey[]) =>
  path[0] === 'mapCoordinates' ? 'mapCoordinates' : path.map(String).join('.')

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
  'mapCoordinates',
  'address',
  'reason',
  'items',
  'instructions',
  'receiverName',
  'receiverPhone',
  'deliveryFee',
  'deliveryDate',
]
