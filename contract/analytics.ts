import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Accepts any body: analytics must not block a checkout. */
export const initiateCheckout = endpoint({
  method: 'POST',
  path: '/api/analytics/initiate-checkout',
  allow: 'anyone',
  summary: 'Count the start of a checkout',
  body: z.unknown() as z.ZodMiniUnknown,
  returns: z.void(),
  status: 204,
})

/** Origins that the configured analytics load from and report to. None is contacted before consent. */
export const analyticsHosts = {
  ga: {
    script: ['https://www.googletagmanager.com'],
    connect: ['https://www.google-analytics.com', 'https://*.google-analytics.com', 'https://www.googletagmanager.com'],
  },
  meta: { script: ['https://connect.facebook.net'], connect: ['https://www.facebook.com'] },
  snap: { script: ['https://sc-static.net'], connect: ['https://tr.snapchat.com', 'https://*.snapchat.com'] },
} as const
