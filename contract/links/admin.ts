import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idParams, instant, rowId } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { phoneInput } from '../lib/phone.ts'

/** Each link has exactly one state: used links cannot be revoked and do not expire. */
export const linkStates = ['live', 'used', 'expired', 'revoked'] as const
export type LinkState = (typeof linkStates)[number]

export const LINK_HOURS = 24
export const MOST_LINK_HOURS = 168

const person = z.object({ id: z.number(), name: z.nullable(z.string()) })

/** A magic link as the admin area shows it: never with its token. */
export const adminLink = z.object({
  id: z.number(),
  state: z.enum(linkStates),
  /** Masked. */
  phone: z.string(),
  /** The account that it opens; null if the phone has none. */
  customer: z.nullable(person),
  redirectUrl: z.nullable(z.string()),
  redirectParams: z.nullable(z.record(z.string(), z.string())),
  /** Null for links that the system created. */
  createdBy: z.nullable(person),
  createdAt: instant,
  expiresAt: instant,
  usedAt: z.nullable(instant),
  revokedAt: z.nullable(instant),
  /** Delivery state of the message with the link; `none` if the shop did not send it. */
  sending: z.enum(['none', 'queued', 'unknown', 'sent', 'delivered', 'read', 'failed']),
  can: z.object({ revoke: z.boolean() }),
})
export type AdminLink = z.output<typeof adminLink>

export const listLinks = endpoint({
  method: 'GET',
  path: '/api/admin/magic-links',
  allow: 'super',
  permissions: ['links.read'],
  summary: 'Magic links, newest first',
  query: z.object({
    ...pageQuery.shape,
    state: z.optional(z.enum(linkStates)),
    /** Links created by this person. */
    createdBy: z.optional(rowId),
    /** Name or phone of the recipient. */
    search: z.optional(z.string().check(z.maxLength(100))),
  }),
  returns: page(adminLink),
})

const linkInput = z.object({
  phone: phoneInput,
  /** A path of the shop; anything else redirects to the home page. */
  redirectUrl: z.optional(z.nullable(z.string().check(z.maxLength(2048, 'validation.textTooLong')))),
  /** A flat JSON object or its text, added to the path's query. Anything else is ignored. */
  redirectParams: z.optional(z.unknown()),
  expiresInHours: z.optional(
    z
      .int('validation.linkHours')
      .check(z.gte(1, 'validation.linkHours'), z.lte(MOST_LINK_HOURS, 'validation.linkHours')),
  ),
  /** Also sends it to the phone, in the person's language. */
  send: z.optional(z.boolean()),
})

const creation = {
  method: 'POST',
  allow: 'super',
  permissions: ['links.write'],
  forbidWhileImpersonating: true,
  body: linkInput,
  /** The only response that contains the token. */
  returns: z.object({ url: z.string(), token: z.string(), expiresAt: instant }),
  errors: ['STAFF_PHONE', 'CUSTOMER_SWITCHED_OFF', 'CUSTOMER_NOT_REACHABLE'],
} as const

export const createLink = endpoint({ ...creation, path: '/api/admin/magic-links', summary: 'Create a magic link' })

export const generateLink = endpoint({
  ...creation,
  path: '/api/admin/magic-link/generate',
  summary: 'Create a magic link (older path of the same endpoint)',
})

const revocation = { allow: 'super', permissions: ['links.write'], params: idParams, returns: adminLink } as const

export const revokeLink = endpoint({
  ...revocation,
  method: 'POST',
  path: '/api/admin/magic-links/{id}/revoke',
  summary: 'Revoke a link; does nothing if it is already revoked',
  errors: ['LINK_NOT_FOUND', 'LINK_CLOSED'],
})

export const deleteLink = endpoint({
  ...revocation,
  method: 'DELETE',
  path: '/api/admin/magic-links/{id}',
  summary: 'Revoke a link (same as the revoke endpoint); the link stays in the list',
  errors: ['LINK_NOT_FOUND', 'LINK_CLOSED'],
})
