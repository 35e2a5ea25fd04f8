import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Accepts whatever arrives: analytics never gets in a customer's way. */
export const initiateCheckout = endpoint({
  method: 'POST',
  path: '/api/analytics/initiate-checkout',
  allow: 'anyone',
  summary: 'Somebody began a checkout',
  body: z.unknown() as z.ZodMiniUnknown,
  returns: z.void(),
  status: 204,
})
