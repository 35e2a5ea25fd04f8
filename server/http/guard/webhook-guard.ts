import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, retryLater } from '../../lib/errors.ts'
import { createRateLimiter, ipPrefix } from '../../lib/token-bucket.ts'
import { sendError } from '../error-handler.ts'
import type { App } from '../runtime.ts'
import { sha256 } from '../session-cookie.ts'

/** Forged calls per network before its larger calls are refused unread. */
const failures = { burst: 60, perMinute: 60 }
/** Above a provider's usual call; reading and hashing less costs about as much as refusing it. */
const DOUBTFUL_BYTES = 32 * 1024
const MAX_KNOWN = 1_000

export interface WebhookGuard {
  /**
   * Refuses before reading the body: calls that cannot have a valid signature, and large ones of networks with
   * forgeries. In this scope a body is raw bytes, since those are signed.
   */
  protect: (scope: FastifyInstance, maxBytes: number) => void
  passed: (request: FastifyRequest) => void
  /** The error of a call with an invalid signature; counts it. */
  refusal: (request: FastifyRequest) => AppError
}

/**
 * Limits the work that forged calls cause. Signed calls are never refused for others' forgeries: addresses with a valid
 * signature are exempt, and calls of usual size always pass.
 */
export function createWebhookGuard(
  app: App,
  { isPlausible }: { isPlausible: (headers: FastifyRequest['headers']) => boolean },
): WebhookGuard {
  const forging = createRateLimiter({ ...failures, isOn: app.config.rateLimits })
  const proven = new Set<string>()

  function refusal({ ip }: FastifyRequest): AppError {
    const seconds = forging.consume(ip)
    return seconds === null ? new AppError('BAD_SIGNATURE') : retryLater('TOO_MANY_REQUESTS', seconds)
  }

  function problemOf(request: FastifyRequest): AppError | null {
    if (!isPlausible(request.headers)) return refusal(request)
    const { 'content-length': length } = request.headers
    const isSmall = length !== undefined && Number(length) <= DOUBTFUL_BYTES
    if (isSmall || !forging.isExhausted(request.ip) || proven.has(ipPrefix(request.ip))) return null
    return refusal(request)
  }

  return {
    protect(scope, maxBytes) {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_, bytes, done) =>
        done(null, bytes),
      )
      scope.addHook('onRequest', (request, reply, done) => {
        const problem = request.method === 'POST' ? problemOf(request) : null
        if (problem === null) return done()
        // Otherwise Node would read the rest of the body to find the next request.
        reply.header('connection', 'close')
        sendError(app, request, reply, problem)
      })
    },
    passed({ ip }) {
      const from = ipPrefix(ip)
      proven.delete(from)
      proven.add(from)
      const [oldest] = proven
      if (proven.size > MAX_KNOWN && oldest !== undefined) proven.delete(oldest)
    },
    refusal,
  }
}

/** Constant-time comparison. */
export const isSameSecret = (given: string, right: string) =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(right)))
