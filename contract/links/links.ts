import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const linkErrors = ['INVALID_LINK', 'EXPIRED_LINK', 'USED_LINK', 'GENERAL_ERROR'] as const
/** Not validated: a malformed token is an invalid link, not a bad request. */
const tokenParams = z.object({ token: z.string() })

export const getLinkStatus = endpoint({
  method: 'GET',
  path: '/api/magic-link/status/{token}',
  allow: 'anyone',
  summary: 'Read a magic link without using it',
  params: tokenParams,
  /**
   * `phone` is masked; null if the link cannot be used. `isOwn` says whether it is the phone of the signed-in user;
   * null without a session or if the link cannot be used. The page asks for confirmation before it uses another
   * person's link.
   */
  returns: z.object({
    success: z.boolean(),
    errorCode: z.nullable(z.enum(linkErrors)),
    phone: z.nullable(z.string()),
    isOwn: z.nullable(z.boolean()),
  }),
})

export const verifyLink = endpoint({
  method: 'POST',
  path: '/api/magic-link/verify/{token}',
  allow: 'anyone',
  summary: 'Use a magic link and sign in',
  params: tokenParams,
  returns: z.object({
    success: z.boolean(),
    errorCode: z.nullable(z.enum(linkErrors)),
    redirectUrl: z.nullable(z.string()),
    redirectParams: z.nullable(z.record(z.string(), z.string())),
  }),
})
