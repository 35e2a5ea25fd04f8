import type { FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import { isLoopback } from './config-values.ts'
import { AppError } from './errors.ts'

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
