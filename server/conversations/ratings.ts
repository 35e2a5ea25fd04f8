import { type Rating, ratings } from '@qatra/contract/orders/order-status'

const id = /^rate:([1-9]\d{0,8}):(\w+)$/
/** Ids of the buttons of the question after “done”. */
export const ratingId = (caseId: number, rating: Rating): string => `rate:${caseId}:${rating}`

/** The rating that a pressed button gives; null for any other message. */
export function ratingIn(parts: { id?: string }): { caseId: number; rating: Rating } | null {
  const [, caseId, word] = id.exec(parts.id ?? '') ?? []
  const rating = ratings.find((one) => one === word)
  return rating === undefined ? null : { caseId: Number(caseId), rating }
}
