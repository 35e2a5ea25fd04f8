import { shortId } from '@qatra/contract/orders/order-id'
import { CallError } from '../../lib/api-client.ts'
import type { Translate } from '../../lib/language/i18n.tsx'

export interface Problem {
  /** Id of the order; null for several. */
  id: string | null
  text: string
}

/** Text with the order id, for places outside the order's panel. */
export const sayProblem = ({ id, text }: Problem, t: Translate): string =>
  id === null ? text : t('desk.bulk.refusedOne', { id: shortId(id), reason: text })

/** Somebody else changed the order. */
export const isConflict = ({ code }: CallError) =>
  code === 'VERSION_CONFLICT' || code === 'ILLEGAL_TRANSITION' || code === 'DELIVERED_OTHERWISE'

/** Without an answer an action stays in the queue. */
export const isCutOff = (error: unknown): boolean => error instanceof CallError && error.code === 'OFFLINE'

/** Rethrows unexpected errors. */
export function asCallError(error: unknown): CallError {
  if (error instanceof CallError) return error
  throw error
}
