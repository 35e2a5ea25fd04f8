import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { ipPrefix } from '../../lib/ip-prefix.ts'
import { sendError } from '../error-handler.ts'
import type { App } from '../runtime.ts'

/** Forged calls per network before its larger calls are refused unread. */
const failures = { burst: 60, perMinute: 60 }
/** Above a provider's usual call; reading and hashing less costs about as much as refusing it. */
const DOUBTFUL_BYTES = 32 * 1024
const MAX_KNOWN = 1_000

export interface WebhookProvider {
  path: string
  maxBytes: number
  /** Whether a call with these headers can be genuine; asked before its body is read. */
  isPlausible: (headers: FastifyRequest['headers']) => boolean
  /**
   * Checks the signature over the bytes, and returns what stores the call: at once, the rest is done by jobs. Null if
   * the signature is wrong. `url` is the public address of the call.
   */
  read: (call: { bytes: Buffer; headers: FastifyRequest['headers']; url: string }) => (() => Promise<unknown>) | null
}

/**
 * Receives a provider's calls, and limits the work that forged calls cause: calls that cannot have a valid signature,
 * and large ones of networks with forgeries, are refused unread. Signed calls are never refused for others' forgeries:
 * addresses with a valid signature are exempt, and calls of usual size always pass.
 */
export function receiveWebhooks(app: App, { path, maxBytes, isPlausible, read }: WebhookProvider): void {
  const forging = app.rateLimiters.create('forged-webhooks', failures)
  const proven = new Set<string>()

  /** @throws BAD_SIGNATURE, TOO_MANY_REQUESTS */
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

  function prove({ ip }: FastifyRequest) {
    const from = ipPrefix(ip)
    proven.delete(from)
    proven.add(from)
    const [oldest] = proven
    if (proven.size > MAX_KNOWN && oldest !== undefined) proven.delete(oldest)
  }

  // A scope of its own, in which a body is raw bytes, since those are signed.
  void app.http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_, bytes, done) =>
      done(null, bytes),
    )
    scope.addHook('onRequest', async (request, reply) => {
      try {
        await checkHeaders(request)
      } catch (error) {
        // Otherwise Node would read the rest of the body to find the next request.
        reply.header('connection', 'close')
        return sendError(app, request, reply, error)
      }
    })
    scope.post(path, { bodyLimit: maxBytes }, async (request, reply) => {
      try {
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const store = read({ bytes, headers: request.headers, url: `${app.config.publicUrl}${request.url}` })
        if (!store) return await refuse(request)
        prove(request)
        await store()
        return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
      } catch (error) {
        return sendError(app, request, reply, error)
      }
    })
  })
}
