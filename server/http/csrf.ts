import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/values.ts'
import { AppError } from '../lib/errors.ts'

/** On loopback localhost, 127.0.0.1 and [::1] of the port are one origin. */
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
 * A changing call must come from the shop's own pages. A caller that is no browser sends neither header, has no
 * ambient cookies to abuse, and passes.
 * @throws AppError CROSS_ORIGIN
 */
export function requireSameOrigin(config: Config, request: FastifyRequest) {
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  if (origin !== undefined) {
    if (isOwnOrigin(config, origin)) return
    throw new AppError('CROSS_ORIGIN')
  }
  if (site !== undefined && site !== 'same-origin') throw new AppError('CROSS_ORIGIN')
}

/** Whether a request names this machine, or the shop, as the server it wants. */
export function isOwnHost({ publicUrl }: Pick<Config, 'publicUrl'>, { host = '' }: FastifyRequest['headers']) {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  return isLoopback(name) || name === new URL(publicUrl).hostname
}

/**
 * What is open to this machine alone must have been asked for under its own name: a stranger's page whose name was
 * pointed at loopback (DNS rebinding) reaches it from here too, and its browser sends no Origin with a GET.
 * @throws AppError CROSS_ORIGIN
 */
export function requireOwnHost(config: Pick<Config, 'publicUrl'>, { headers }: Pick<FastifyRequest, 'headers'>) {
  if (!isOwnHost(config, headers)) throw new AppError('CROSS_ORIGIN')
}
