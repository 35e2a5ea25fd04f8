import { analyticsHosts } from '@qatra/contract/analytics'
import type { Config } from '../../config/config.ts'

export interface SecurityHeaders {
  page: Readonly<Record<string, string>>
  api: Readonly<Record<string, string>>
}

/** There are no inline scripts, so the policy needs neither hashes nor nonces (docs/decisions/0002). */
function pagePolicy({ analytics, isSecure, tileUrl }: Pick<Config, 'analytics' | 'isSecure' | 'tileUrl'>): string {
  const configured = (['ga', 'meta', 'snap'] as const).filter((name) => analytics[name] !== null)
  const from = (kind: 'script' | 'connect') => configured.flatMap((name) => analyticsHosts[name][kind])
  return [
    "default-src 'none'",
    ["script-src 'self'", ...from('script')].join(' '),
    "style-src 'self'",
    ["img-src 'self' data:", ...(tileUrl ? [new URL(tileUrl).origin] : [])].join(' '),
    "media-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", ...from('connect')].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

export function securityHeaders(config: Pick<Config, 'analytics' | 'isSecure' | 'tileUrl'>): SecurityHeaders {
  const everywhere = {
    'x-content-type-options': 'nosniff',
    ...(config.isSecure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
  return {
    page: {
      ...everywhere,
      'content-security-policy': pagePolicy(config),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'geolocation=(self), camera=(), microphone=(self), payment=(), usb=(), browsing-topics=()',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    },
    api: {
      ...everywhere,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    },
  }
}

/** The URL of this page contains a sign-in token and must not be sent as a referrer. */
export const isSecretPath = (path: string) => path.startsWith('/magic-login')
