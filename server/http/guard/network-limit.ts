import type { FastifyRequest } from 'fastify'
import { readCredentials } from '../authenticate.ts'
import type { App } from '../runtime.ts'
import type { RateLimit } from './rate-limiter.ts'

/** An account's own budget is this part of its network's. */
const ACCOUNT_PART = 5

/**
 * Limits the requests of a network. Above its limit, signed-in people have a budget of their own, so that strangers in a
 * carrier's network cannot close the shop to them. No session is looked up for it: it must have been valid lately.
 */
export function createNetworkLimit(
  app: Pick<App, 'rateLimiters' | 'sessions' | 'cookies'>,
  name: string,
  { burst, perMinute }: RateLimit,
) {
  const ofNetwork = app.rateLimiters.create(name, { burst, perMinute })
  const ofAccount = app.rateLimiters.create(`${name}-account`, {
    burst: burst / ACCOUNT_PART,
    perMinute: perMinute / ACCOUNT_PART,
    keyOf: (userId) => userId,
  })

  /** @throws AppError TOO_MANY_REQUESTS */
  return async (request: FastifyRequest): Promise<void> => {
    try {
      await ofNetwork.consume(request.ip)
    } catch (error) {
      const { sessionId } = readCredentials(app, request).client
      const userId = sessionId === null ? null : app.sessions.recentUser(sessionId)
      if (userId === null) throw error
      await ofAccount.consume(String(userId))
    }
  }
}

/** Of one key: an import of a day's orders in a quarter of an hour, beside reading. */
const keyCalls = { burst: 300, perMinute: 300 }
/** Of a network, of keys that were not valid lately: guesses, and each key's first call. */
const unknownKeys = { burst: 60, perMinute: 60 }

/** Limits all requests with an API key, apart from people's: by the key, or by the network until the key has proved valid. */
export function createKeyLimit(app: Pick<App, 'rateLimiters' | 'sessions'>) {
  const ofKey = app.rateLimiters.create('api-keys', { ...keyCalls, keyOf: (keyId) => keyId })
  const ofNetwork = app.rateLimiters.create('unknown-keys', unknownKeys)

  /** @throws AppError TOO_MANY_REQUESTS */
  return async (keyId: string, ip: string): Promise<void> => {
    await (app.sessions.recentUser(keyId) === null ? ofNetwork.consume(ip) : ofKey.consume(keyId))
  }
}
