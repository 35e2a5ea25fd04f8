import { shortId } from '@qatra/contract/orders/order-id'
import { CallError } from '../../lib/api-client.ts'
import type { MessageKey, Translate } from '../../lib/language/i18n.tsx'

const known = {
  ILLEGAL_TRANSITION: 'desk.error.ILLEGAL_TRANSITION',
  VERSION_CONFLICT: 'desk.error.VERSION_CONFLICT',
  ORDER_NOT_FOUND: 'desk.error.ORDER_NOT_FOUND',
  ORDER_CLOSED: 'desk.error.ORDER_CLOSED',
  DELIVERED_OTHERWISE: 'desk.error.DELIVERED_OTHERWISE',
  ORDER_PAID: 'desk.error.ORDER_PAID',
  ORDER_WITHOUT_DRIVER: 'desk.error.ORDER_WITHOUT_DRIVER',
  DATE_NOT_AVAILABLE: 'desk.error.DATE_NOT_AVAILABLE',
  DRIVER_NOT_AVAILABLE: 'desk.error.DRIVER_NOT_AVAILABLE',
  CUSTOMER_NOT_REACHABLE: 'desk.error.CUSTOMER_NOT_REACHABLE',
  FORBIDDEN: 'desk.error.FORBIDDEN',
  INVALID_BODY: 'desk.error.INVALID_BODY',
  OFFLINE: 'desk.error.OFFLINE',
} as const satisfies Record<string, MessageKey>

export interface Problem {
  /** Id of the order; null for several. */
  id: string | null
  text: string
}

/** Text with the order id, for places outside the order's panel. */
export const sayProblem = ({ id, text }: Problem, t: Translate): string =>
  id === null ? text : t('desk.bulk.refusedOne', { id: shortId(id), reason: text })

/** Text of an error code, also of one order in a bulk action. */
export function problemOf(error: CallError | string, t: Translate): string {
  const code = typeof error === 'string' ? error : error.code
  if (typeof error !== 'string' && code === 'TOO_MANY_REQUESTS')
    return t('desk.error.TOO_MANY_REQUESTS', { seconds: error.retryAfter ?? 60 })
  return t(code in known ? known[code as keyof typeof known] : 'desk.error.other')
}

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
