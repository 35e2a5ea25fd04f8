import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { AppError, retryLater } from '../lib/errors.ts'
import { createRateLimiter } from '../lib/token-bucket.ts'

/** Orders of one account that were not found: links wear out and ids are mistyped, but not by the hundred. */
export const missesOfAccount = { burst: 20, perMinute: 6 }
/** The same of one network, where many accounts may sit behind one address. */
export const missesOfNetwork = { burst: 200, perMinute: 60 }

/** Looks for an order on somebody's behalf. */
export type Looking = <T>(ctx: Ctx, look: () => Promise<T>) => Promise<T>

/**
 * Bounds how often somebody may ask for orders that are not theirs or never were. Each look is paid for beforehand and
 * given back if it found something, so looks at the same time are bounded too, and a right guess after too many wrong
 * ones is not answered.
 */
export function guardGuessing({ rateLimits: isOn }: Pick<Config, 'rateLimits'>): Looking {
  const ofAccount = createRateLimiter({ ...missesOfAccount, isOn, keyOf: (userId) => userId })
  const ofNetwork = createRateLimiter({ ...missesOfNetwork, isOn })

  return async ({ actor, client }, look) => {
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
      return await look()
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
