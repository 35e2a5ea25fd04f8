/** Actions in an order's history. The server writes no others, and the screens have a text for each. */
export const orderActions = ['created', 'updated', 'note', 'confirmation', 'attempted'] as const
export type OrderAction = (typeof orderActions)[number]

export const orderFields = [
  'status',
  'paymentStatus',
  'paymentMethod',
  'assignedDriverId',
  'deliveryFee',
  'address',
  'promisedDate',
  'coverage',
  'attempt',
  'callRequest',
  'confirmation',
  'erasure',
] as const
/** An agreed price is recorded per product. */
export type OrderField = (typeof orderFields)[number] | `items.${number}.price`

export const productOfPrice = (field: string): number | null => {
  const [, id] = /^items\.(\d+)\.price$/.exec(field) ?? []
  return id === undefined ? null : Number(id)
}
