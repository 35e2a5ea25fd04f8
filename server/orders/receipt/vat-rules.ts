import { type VatKind, vatKinds } from '@qatra/contract/corrections'
import { addFils, type Fils, fils, timesFils, vatOfLine, zeroFils } from '@qatra/contract/lib/money'
import { type Charges, charges } from '@qatra/contract/orders/totals'

/** Fils, of one rate in percent. */
export interface VatAmounts {
  rate: number
  net: Fils
  vat: Fils
}

/** Fils; without its VAT it is calculated. */
interface TaxedLine {
  price: number
  quantity: number
  vatPercentage: number
  vat?: number
}

/** What a paper has of each rate, the highest first. Charges have no VAT; a deposit is no part of it. */
export function vatOfPaper(lines: readonly TaxedLine[], given: Partial<Charges<number>>): VatAmounts[] {
  const goods = lines.map(({ price, quantity, vatPercentage: rate, vat }): VatAmounts => {
    const amount = fils(price)
    return {
      rate,
      net: timesFils(amount, quantity),
      vat: vat === undefined ? vatOfLine(amount, quantity, rate) : fils(vat),
    }
  })
  const fee = addFils(...charges.map((charge) => fils(given[charge] ?? 0)))
  return byRate(fee === 0 ? goods : [...goods, { rate: 0, net: fee, vat: zeroFils }])
}

/** The kept deposit contains its VAT; a seller without a VAT number has none in it. @param rate of a seller with one */
export const vatOfForfeit = (deposit: Fils, vat: Fils, rate: number): VatAmounts => ({
  rate: vat === 0 ? 0 : rate,
  net: fils(deposit - vat),
  vat,
})

/** What a credit note takes back. */
export const negative = ({ rate, net, vat }: VatAmounts): VatAmounts => ({
  rate,
  net: fils(0 - net),
  vat: fils(0 - vat),
})

const sumOf = (rows: readonly Omit<VatAmounts, 'rate'>[]) => ({
  net: addFils(...rows.map(({ net }) => net)),
  vat: addFils(...rows.map(({ vat }) => vat)),
})

const byRate = (rows: readonly VatAmounts[]): VatAmounts[] =>
  [...Map.groupBy(rows, ({ rate }) => rate)]
    .map(([rate, own]) => ({ rate, ...sumOf(own) }))
    .sort((a, b) => b.rate - a.rate)

/** Amounts of papers of one kind. */
export interface VatCell extends VatAmounts {
  kind: VatKind
  /** Papers. */
  count: number
}

/** Adds up cells of the same kind and rate; adding up in parts gives the same. */
export const addVat = (cells: readonly VatCell[]): VatCell[] =>
  [...Map.groupBy(cells, ({ kind, rate }) => `${kind} ${rate}`).values()].flatMap((own) => {
    const [first] = own
    return first ? [{ ...first, ...sumOf(own), count: own.reduce((sum, { count }) => sum + count, 0) }] : []
  })

export const vatSums = (cells: readonly VatCell[]) => ({
  ...sumOf(cells),
  rates: byRate(cells),
  kinds: vatKinds.flatMap((kind) => {
    const own = cells.filter((cell) => cell.kind === kind)
    return own.length === 0 ? [] : [{ kind, count: own.reduce((sum, { count }) => sum + count, 0), ...sumOf(own) }]
  }),
})
