import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../config/values.ts'
import { AppError } from '../../lib/errors.ts'
import { readKeyId } from '../authenticate.ts'

/** On loopback, localhost, 127.0.0.1 and [::1] with the same port are one origin. */
function isOwnOrigin(config: Config, origin: string): boolean {
  if (origin === config.publicUrl) return true
  try {
    const [asked, own] = [new URL(origin), new URL(config.publicUrl)]
    return (
      asked.origin === origin &&
      isLoopback(asked.hostname) &&
      isLoopback(own.hostname) &&
      asked.port === own.port &&
      asked.protocol === own.protocol
    )
  } catch {
    return false
  }
}

/**
 * Protects against CSRF: a changing request must come from the shop's own pages. Clients without either header are not
 * browsers, have no ambient cookies, and pass, as do API keys, beside which cookies are ignored: a page of another site can
 * send none without a preflight, which is refused. @throws AppError CROSS_ORIGIN
 */
export function requireSameOrigin(config: Config, request: FastifyRequest) {
  if (readKeyId(request.headers) !== null) return
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  if (origin !== undefined) {
    if (isOwnOrigin(config, origin)) return
    throw new AppError('CROSS_ORIGIN')
  }
  if (site !== undefined && site !== 'same-origin') throw new AppError('CROSS_ORIGIN')
}

/**
 * Whether a page of another site fetches or embeds this, instead of linking to it. A service worker that forwards a
 * navigation has no destination.
 */
export function isEmbeddedElsewhere({ headers }: Pick<FastifyRequest, 'headers'>) {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers
  return site === 'cross-site' && !(mode === 'navigate' && (destination === 'document' || destination === 'empty'))
}

/** Whether the Host header names this machine or the shop. */
export function isOwnHost({ publicUrl }: Pick<Config, 'publicUrl'>, { host = '' }: FastifyRequest['headers']) {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  return isLoopback(name) || name === new URL(publicUrl).hostname
}

/**
 * Loopback-only routes also check the Host header: with DNS rebinding a foreign page reaches loopback, and browsers
 * send no Origin with GET. @throws AppError CROSS_ORIGIN
 */
export function requireOwnHost(config: Pick<Config, 'publicUrl'>, { headers }: Pick<FastifyRequest, 'headers'>) {
  if (!isOwnHost(config, headers)) throw new AppError('CROSS_ORIGIN')
}
