import { type FreeBottles, withEmpties } from '@qatra/contract/bottles'
import { type Fils, fils, fromBhd, isWholeFils, minimumLeft } from '@qatra/contract/lib/money'
import { type OrderTotals, orderTotals } from '@qatra/contract/orders/totals'
import type { Product } from '@qatra/contract/products/products'
import type { SalesCustomer } from '@qatra/contract/sales'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { saleDraftKey } from '../../app/session/personal-storage.ts'
import { type AddressForm, emptyAddress, formOf } from '../../checkout/address-form.ts'
import { type BuyerForm, emptyBuyer } from '../../checkout/BuyerFields.tsx'
import { tabStore } from '../../lib/site-data.ts'

export interface SaleLine {
  productId: number
  /** Null while the field is empty. */
  quantity: number | null
  /** Empty bottles that are given back; absent: as many as the customer has. */
  empties?: number
  /** BHD; null is the shop's price. */
  customPrice: number | null
  /** Whether the price field is open. */
  isPriced: boolean
  reason: string
}

export type SalesPlace = SalesCustomer['places'][number]

/** Draft of an order by phone. */
export interface Draft extends AddressForm, BuyerForm {
  /** Idempotency key: one draft creates one order. */
  key: string
  phone: string
  name: string
  /** Known addresses of the caller, to choose from. */
  places: readonly SalesPlace[]
  /** Chosen delivery day; null: the first open one. */
  day: string | null
  /** BHD, as typed; null if the field is empty, undefined for the vendor's fee. */
  fee: number | null | undefined
  lines: readonly SaleLine[]
  ignoreCoverage: boolean
  reason: string
  /** Customer whose name and address were filled in. */
  filledFor: string | null
}

export const emptyDraft = (): Draft => ({
  ...emptyAddress,
  ...emptyBuyer,
  key: crypto.randomUUID(),
  phone: '',
  name: '',
  places: [],
  day: null,
  fee: undefined,
  lines: [],
  ignoreCoverage: false,
  reason: '',
  filledFor: null,
})

/** The fields of the draft that a known address fills; its text is kept as it was entered. */
export const deliverTo = (place: SalesPlace): Partial<Draft> => ({ ...formOf(place, null), ownAddress: place.address })

/** Reads this person's draft of this tab; deleted when the person changes. */
export function readDraft(userId: number): Draft {
  const stored = tabStore.readJson(saleDraftKey + userId)
  // A draft of an older version may lack keys; the empty draft supplies them.
  return typeof stored === 'object' && stored !== null
    ? { ...emptyDraft(), ...(stored as Partial<Draft>) }
    : emptyDraft()
}

export function saveDraft(userId: number, draft: Draft | null) {
  if (draft) tabStore.setItem(saleDraftKey + userId, JSON.stringify(draft))
  else tabStore.removeItem(saleDraftKey + userId)
}

/** Delivery fee: as typed, else the vendor's. Null if neither is known. */
export const feeOf = ({ fee }: Draft, vendor: Vendor | null) =>
  fee === undefined ? (vendor?.deliveryFee ?? null) : fee

export const isUntouched = ({ phone, name, lines }: Draft) => phone === '' && name === '' && lines.length === 0

/** The typed value, if it is an amount. */
const amountOf = (bhd: number | null): Fils | null => {
  if (bhd === null || !Number.isFinite(bhd) || bhd < 0 || bhd > 10_000) return null
  return isWholeFils(bhd) ? fromBhd(bhd) : null
}

export interface Sums extends OrderTotals {
  /** Amount missing to the vendor's minimum. */
  missing: Fils
}

/** Lines of known products with the empty bottles that are given back for each. @param free of the customer */
export const linesWithEmpties = (draft: Draft, products: ReadonlyMap<number, Product>, free: FreeBottles) =>
  withEmpties(
    draft.lines.map((line) => {
      const bottle = products.get(line.productId)?.bottle ?? null
      return { ...line, quantity: line.quantity ?? 0, empties: line.empties ?? null, bottle }
    }),
    free,
  )

/** Totals as the server computes them, from the valid fields. */
export function sumsOf(
  draft: Draft,
  products: ReadonlyMap<number, Product>,
  vendor: Vendor | null,
  free: FreeBottles = {},
): Sums {
  const lines = linesWithEmpties(draft, products, free).flatMap(({ productId, quantity, customPrice, empties }) => {
    const product = products.get(productId)
    if (!product || !quantity || !Number.isInteger(quantity) || quantity < 1 || quantity > 100) return []
    const price = amountOf(customPrice) ?? fromBhd(product.price)
    const bottleDeposit = product.bottle && fromBhd(product.bottle.deposit)
    return [{ price, quantity, vatPercentage: product.vatPercentage, bottleDeposit, empties }]
  })
  const totals = orderTotals(lines, { deliveryFee: amountOf(feeOf(draft, vendor)) ?? fils(0) })
  const missing = vendor && lines.length > 0 ? minimumLeft(totals.subtotal, fromBhd(vendor.minDeliveryAmount)) : fils(0)
  return { ...totals, missing }
}
