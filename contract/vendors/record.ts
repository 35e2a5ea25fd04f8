import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../lib/ids.ts'

export const getVendorRecord = endpoint({
  method: 'GET',
  path: '/api/vendors/{id}/record',
  allow: 'anyone',
  summary:
    'Orders that the vendor delivered in the last 90 days, and how many per cent of them by the promised day; null for fewer than 20',
  params: idParams,
  returns: z.object({ delivered: z.nullable(z.number()), onTime: z.nullable(z.number()) }),
  errors: ['VENDOR_NOT_FOUND'],
})
