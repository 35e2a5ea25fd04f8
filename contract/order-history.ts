/** What an order's history tells: the screens have words for each of these, and the server writes no others. */
export const orderActions = ['created', 'updated', 'note', 'confirmation', 'attempted'] as const
export type OrderAction = (typeof orderActions)[number]

export const orderFields = [
  'status',
  'paymentStatus',
  'paymentMethod',
  'assignedDriverId',
  'deliveryFee',
  'address',
  'coverage',
  'attempt',
  'confirmation',
  'erasure',
] as const
/** A price that was agreed on is that of one product. */
export type OrderField = (typeof orderFields)[number] | `items.${number}.price`

export const productOfPrice = (field: string): number | null => {
  const [, id] = /^items\.(\d+)\.price$/.exec(field) ?? []
  return id === undefined ? null : Number(id)
}
