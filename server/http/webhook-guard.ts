import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, retryLater } from '../lib/errors.ts'
import { createRateLimiter, ipPrefix } from '../lib/token-bucket.ts'
import { sendError } from './error-handler.ts'
import type { App } from './runtime.ts'
import { sha256 } from './session-cookie.ts'

/** What so many networks may forge, each, before their larger calls are turned away unread. */
const failures = { burst: 60, perMinute: 60 }
/** Above a provider's usual call; to read and to hash as much costs about as much as refusing it. */
const DOUBTFUL_BYTES = 32 * 1024
const MOST_KNOWN = 1_000

export interface WebhookGuard {
  /**
   * Turns away before their body is read: calls that cannot be signed rightly, and large ones of whoever forged. In this
   * scope a body is its bytes, whatever it says it is, since they are what was signed.
   */
  protect: (scope: FastifyInstance, mostBytes: number) => void
  passed: (request: FastifyRequest) => void
  /** Why a call that is not signed rightly is refused; counted. */
  refusal: (request: FastifyRequest) => AppError
}

/**
 * The work that others can cause at a webhook. Signed calls are never refused for what others forged: whoever signed
 * rightly before is not held off at all, and nobody is for a call of the usual size.
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
    protect(scope, mostBytes) {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_, bytes, done) =>
        done(null, bytes),
      )
      scope.addHook('onRequest', (request, reply, done) => {
        const problem = request.method === 'POST' ? problemOf(request) : null
        if (problem === null) return done()
        // Else the rest of the call would be read to find the next one behind it.
        reply.header('connection', 'close')
        sendError(app, request, reply, problem)
      })
    },
    passed({ ip }) {
      const from = ipPrefix(ip)
      proven.delete(from)
      proven.add(from)
      const [oldest] = proven
      if (proven.size > MOST_KNOWN && oldest !== undefined) proven.delete(oldest)
    },
    refusal,
  }
}

/** How long it takes says nothing of where they differ. */
export const isSameSecret = (given: string, right: string) =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(right)))
