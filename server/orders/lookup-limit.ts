import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { AppError, retryLater } from '../lib/errors.ts'
import { createRateLimiter } from '../lib/token-bucket.ts'

/** Order look-ups of one account that found nothing, such as old links and mistyped ids. */
export const missesOfAccount = { burst: 20, perMinute: 6 }
/** The same for one network, which can have many accounts. */
export const missesOfNetwork = { burst: 200, perMinute: 60 }

/** Runs a limited look-up of an order. */
export type OrderLookup = <T>(ctx: Ctx, find: () => Promise<T>) => Promise<T>

/**
 * Limits look-ups of orders that do not exist or belong to others. Consumes a token before each look-up and refunds it
 * on success, so concurrent look-ups are limited too, and a right guess above the limit gets 429.
 */
export function limitOrderLookups({ rateLimits: isOn }: Pick<Config, 'rateLimits'>): OrderLookup {
  const ofAccount = createRateLimiter({ ...missesOfAccount, isOn, keyOf: (userId) => userId })
  const ofNetwork = createRateLimiter({ ...missesOfNetwork, isOn })

  return async ({ actor, client }, find) => {
    const account = String(actor.user?.id ?? 'nobody')
    const seconds = ofAccount.consume(account)
    if (seconds !== null) throw retryLater('TOO_MANY_REQUESTS', seconds)
    const secondsOfAll = ofNetwork.consume(client.ip)
    if (secondsOfAll !== null) {
      ofAccount.refund(account)
      throw retryLater('TOO_MANY_REQUESTS', secondsOfAll)
    }
    let isMissed = false
    try {
      return await find()
    } catch (error) {
      isMissed = error instanceof AppError && error.code === 'ORDER_NOT_FOUND'
      throw error
    } finally {
      if (!isMissed) {
        ofAccount.refund(account)
        ofNetwork.refund(client.ip)
      }
    }
  }
}
