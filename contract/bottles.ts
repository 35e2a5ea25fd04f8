import * as z from 'zod/mini'

/** What becomes of the bottle in which a product is sold: it stays the vendor's and comes back, or the price includes it. */
export const bottleTerms = ['exchange', 'sold'] as const
export type BottleTerms = (typeof bottleTerms)[number]

/** Of an item of an order. */
export const orderBottleFields = {
  /** The bottle in which it was sold at the time of the order; null without one. */
  bottleTypeId: z.nullable(z.number()),
  bottleTerms: z.nullable(z.enum(bottleTerms)),
  /** BHD for one; null unless it comes back. */
  bottleDeposit: z.nullable(z.number()),
  /** Empty bottles that are given back, after a delivery those that counted; null without a bottle that comes back. */
  empties: z.nullable(z.number()),
  /** Null unless another number counted at the delivery. */
  orderedEmpties: z.nullable(z.number()),
}

/** Bottles of a customer that no open order has promised to give back, by type; only of types of which there are some. */
export type FreeBottles = Readonly<Record<number, number>>

interface ExchangedLine {
  bottle?: { typeId: number; terms: BottleTerms } | null
}

interface BottledLine extends ExchangedLine {
  quantity: number
  /** As chosen; null: as many as the customer has. */
  empties: number | null
}

/**
 * Lines with the empty bottles that are given back for each: chosen ones, else what is free, in the order of the lines.
 * `held`: the customer's bottles that no open order and no other line takes. `empties` is null without a bottle that comes back.
 */
export function withEmpties<Line extends BottledLine>(lines: readonly Line[], free: FreeBottles) {
  const left = new Map(Object.entries(free).map(([typeId, count]) => [Number(typeId), count]))
  const take = (typeId: number, count: number) => left.set(typeId, (left.get(typeId) ?? 0) - count)
  const given = ({ bottle, empties, quantity }: Line) =>
    bottle?.terms === 'exchange' && empties !== null ? Math.min(empties, quantity) : null
  for (const line of lines) if (line.bottle) take(line.bottle.typeId, given(line) ?? 0)
  return lines.map((line) => {
    const { bottle, quantity } = line
    if (bottle?.terms !== 'exchange') return { ...line, empties: null, held: 0, isAnswered: false }
    const chosen = given(line)
    const held = Math.max(0, (left.get(bottle.typeId) ?? 0) + (chosen ?? 0))
    const empties = chosen ?? Math.min(held, quantity)
    if (chosen === null) take(bottle.typeId, empties)
    return { ...line, empties, held, isAnswered: chosen !== null }
  })
}

/** Whether a new customer is asked for empty bottles: none are recorded and nothing was answered, so 0 would be a guess. */
export const isAskedForEmpties = (line: ExchangedLine & { isAnswered: boolean }, free: FreeBottles): boolean =>
  line.bottle?.terms === 'exchange' && !line.isAnswered && free[line.bottle.typeId] === undefined

/** Of lines with a bottle that comes back: empty ones that are given, and bottles that stay with the customer. */
export function keptBottles(items: readonly { quantity: number; empties: number | null }[]) {
  const lines = items.flatMap(({ quantity, empties }) => (empties === null ? [] : [{ quantity, empties }]))
  const given = lines.reduce((sum, { empties }) => sum + empties, 0)
  return { given, kept: lines.reduce((sum, { quantity, empties }) => sum + Math.max(0, quantity - empties), 0) }
}
