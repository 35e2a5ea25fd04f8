import type { Ctx } from '../database/context.ts'
import type { RateLimiters } from '../http/guard/rate-limiter.ts'
import { AppError } from '../lib/errors.ts'

/** Order look-ups of one account that found nothing, such as old links and mistyped ids. */
const missesOfAccount = { burst: 20, perMinute: 6 }
/** The same for one network, which can have many accounts. */
const missesOfNetwork = { burst: 200, perMinute: 60 }

/** Runs a limited look-up of an order. */
export type OrderLookup = <T>(ctx: Ctx, find: () => Promise<T>) => Promise<T>

/**
 * Limits look-ups of orders that do not exist or belong to others: one budget for all endpoints. Only misses are
 * counted, and one above the limit gets 429 instead of its answer, so concurrent guesses are limited too. Orders that are
 * found are within the account's reach, so misses of others in its network do not close them.
 */
export function limitOrderLookups(rateLimiters: RateLimiters): OrderLookup {
  const ofAccount = rateLimiters.create('order-misses-account', { ...missesOfAccount, keyOf: (userId) => userId })
  const ofNetwork = rateLimiters.create('order-misses-network', missesOfNetwork)

  return async ({ actor, client }, find) => {
    const account = String(actor.user?.id ?? 'nobody')
    ofAccount.check(account)
    try {
      return await find()
    } catch (error) {
      if (error instanceof AppError && error.code === 'ORDER_NOT_FOUND') {
        await ofAccount.consume(account)
        await ofNetwork.consume(client.ip)
      }
      throw error
    }
  }
}
