import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { ipPrefix } from '../../lib/ip-prefix.ts'
import { sendError } from '../error-handler.ts'
import type { App } from '../runtime.ts'

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
  /** Counts a call with an invalid signature. @throws BAD_SIGNATURE, TOO_MANY_REQUESTS */
  refuse: (request: FastifyRequest) => Promise<never>
}

/**
 * Limits the work that forged calls cause. Signed calls are never refused for others' forgeries: addresses with a valid
 * signature are exempt, and calls of usual size always pass.
 */
export function createWebhookGuard(
  app: App,
  { isPlausible }: { isPlausible: (headers: FastifyRequest['headers']) => boolean },
): WebhookGuard {
  const forging = app.rateLimiters.create('forged-webhooks', failures)
  const proven = new Set<string>()

  async function refuse({ ip }: FastifyRequest): Promise<never> {
    await forging.consume(ip)
    throw new AppError('BAD_SIGNATURE')
  }

  async function checkHeaders(request: FastifyRequest) {
    if (!isPlausible(request.headers)) await refuse(request)
    const { 'content-length': length } = request.headers
    const isSmall = length !== undefined && Number(length) <= DOUBTFUL_BYTES
    if (!isSmall && !proven.has(ipPrefix(request.ip))) forging.check(request.ip)
  }

  return {
    protect(scope, maxBytes) {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_, bytes, done) =>
        done(null, bytes),
      )
      scope.addHook('onRequest', async (request, reply) => {
        if (request.method !== 'POST') return
        try {
          await checkHeaders(request)
        } catch (error) {
          // Otherwise Node would read the rest of the body to find the next request.
          reply.header('connection', 'close')
          return sendError(app, request, reply, error)
        }
      })
    },
    passed({ ip }) {
      const from = ipPrefix(ip)
      proven.delete(from)
      proven.add(from)
      const [oldest] = proven
      if (proven.size > MAX_KNOWN && oldest !== undefined) proven.delete(oldest)
    },
    refuse,
  }
}
