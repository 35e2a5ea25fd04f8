import * as z from 'zod/mini'
import { addFils, type Fils, fils, fromBhd, timesFils, toBhd, vatOfLine, zeroFils } from '../lib/money.ts'

/**
 * What an order costs beside its goods, in the order in which it is shown. A new charge is a name here, its word in
 * `messages/totals`, and a column: `npm run migration charge`, with `DEFAULT 0` for the version that still runs.
 */
export const charges = ['deliveryFee'] as const
type Charge = (typeof charges)[number]
/** Amounts of the charges: terms of a vendor, or those of an order. */
export type Charges<Amount = Fils> = { [charge in Charge]: Amount }

/** What adds up to the total. A deposit has no VAT while it can be paid back. */
export const sumKinds = ['subtotal', ...charges, 'productVAT', 'deposit'] as const
export type SumKind = (typeof sumKinds)[number]
export const totalsKeys = [...sumKinds, 'total'] as const
type TotalsKey = (typeof totalsKeys)[number]
/** The totals as they are stored and answered. */
export type OrderTotals<Amount = Fils> = { [key in TotalsKey]: Amount }

export interface TotalsPart {
  kind: 'subtotal' | 'deposit' | Charge
  amount: Fils
  vat?: Fils
}

export interface TotalsLine {
  price: Fils
  quantity: number
  /** Percent, up to 2 decimals. */
  vatPercentage: number
  /** For one bottle that comes back; null or absent for goods without one. */
  bottleDeposit?: Fils | null
  /** Empty bottles that the customer gives back; at most the quantity counts. */
  empties?: number | null
}

/** For the bottles of a line for which no empty one is given. */
export const depositOfLine = ({
  bottleDeposit,
  quantity,
  empties,
}: Omit<TotalsLine, 'price' | 'vatPercentage'>): Fils =>
  timesFils(bottleDeposit ?? zeroFils, Math.max(0, quantity - (empties ?? 0)))

export const mapKeys = <Key extends string, Value>(keys: readonly Key[], valueOf: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as { [key in Key]: Value } // an entry for each key

/** The parts of an order; none without lines. VAT is rounded for each line. */
function partsOf(lines: readonly TotalsLine[], given: Charges): TotalsPart[] {
  if (lines.length === 0) return []
  const goods = lines.map(({ price, quantity, vatPercentage }): TotalsPart => {
    return { kind: 'subtotal', amount: timesFils(price, quantity), vat: vatOfLine(price, quantity, vatPercentage) }
  })
  const deposits = lines.map((line): TotalsPart => {
    return { kind: 'deposit', amount: depositOfLine(line) }
  })
  return [...goods, ...deposits, ...charges.map((kind) => ({ kind, amount: given[kind] }))]
}

/** The fields of the API, which are the columns of an order too. */
export function viewOf(parts: readonly TotalsPart[]): OrderTotals {
  const net = mapKeys(['subtotal', 'deposit', ...charges], (key) =>
    addFils(...parts.filter(({ kind }) => kind === key).map(({ amount }) => amount)),
  )
  const productVAT = addFils(...parts.map(({ vat = zeroFils }) => vat))
  return { ...net, productVAT, total: addFils(...Object.values(net), productVAT) }
}

/** Totals of a cart or order; all are zero without lines, the charges too. */
export const orderTotals = (lines: readonly TotalsLine[], given: Charges): OrderTotals => viewOf(partsOf(lines, given))

/** Of a vendor or an order as the API answers it. */
export const chargesInBhd = (given: Charges<number>): Charges => mapKeys(charges, (charge) => fromBhd(given[charge]))
/** Of a stored order. */
export const storedCharges = (given: Charges<number>): Charges => mapKeys(charges, (charge) => fils(given[charge]))

/** The fields of the API, in BHD. @param totals in fils */
export const totalsInBhd = (totals: OrderTotals<number>): OrderTotals<number> =>
  mapKeys(totalsKeys, (key) => toBhd(fils(totals[key])))

/** The sums that add up to the total, as they are shown; a deposit only where there is one. */
export const sumsOf = <Amount extends number>(totals: OrderTotals<Amount>) =>
  sumKinds.flatMap((kind) => (kind === 'deposit' && totals[kind] === 0 ? [] : [{ kind, amount: totals[kind] }]))

/** BHD */
export const chargeFields = /* @__PURE__ */ mapKeys(charges, () => z.number())
/** BHD */
export const totalsFields = /* @__PURE__ */ mapKeys(totalsKeys, () => z.number())
export const noTotals: OrderTotals<number> = /* @__PURE__ */ mapKeys(totalsKeys, () => 0)
