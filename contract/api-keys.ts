import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { done, idParams, instant, rowIdNumber, vendorFilter } from './lib/ids.ts'
import { page, pageQuery } from './lib/page.ts'
import { freeText } from './lib/text.ts'
import type { Permission } from './users/permissions.ts'
import type { Role } from './users/roles.ts'

/** What a key can be given: permissions of the endpoints that are declared `byKey`. Vendor admins hold all of them. */
export const keyPermissions = [
  'orders.read',
  'sales.place',
  'products.read',
  'customers.read',
  'events.read',
] as const satisfies readonly Permission[]

export const KEY_PREFIX = 'qk_'
/** Days until a new key expires. */
export const keyLives = [30, 90, 365] as const
/** Of one vendor, or of the market. */
export const MOST_LIVE_KEYS = 50

/** `idle`: the maker is blocked, removed, or works for another vendor. */
export const keyStates = ['live', 'idle', 'expired', 'revoked'] as const

const person = z.object({ id: z.number(), name: z.nullable(z.string()) })

/** An API key as the admin area shows it: never with the key itself. */
export const apiKey = z.object({
  id: z.number(),
  name: z.string(),
  /** The last four characters. */
  ending: z.string(),
  state: z.enum(keyStates),
  /** Null for the whole market. */
  vendorId: z.nullable(z.number()),
  permissions: z.array(z.enum(keyPermissions)),
  /** Those of `permissions` that its maker does not hold any more. */
  lost: z.array(z.enum(keyPermissions)),
  createdBy: person,
  createdAt: instant,
  /** Null: never. */
  expiresAt: z.nullable(instant),
  lastUsedAt: z.nullable(instant),
  revokedAt: z.nullable(instant),
  revokedBy: z.nullable(person),
})
export type ApiKey = z.output<typeof apiKey>

const admins = {
  allow: ['super_admin', 'vendor_admin'] as const satisfies readonly Role[],
  permissions: ['integrations.write'],
} as const

export const listKeys = endpoint({
  ...admins,
  method: 'GET',
  path: '/api/admin/keys',
  summary: 'API keys in the caller’s scope, newest first; live ones before the others',
  query: z.object({ ...pageQuery.shape, vendorId: vendorFilter }),
  returns: page(apiKey),
})

export const createKey = endpoint({
  ...admins,
  method: 'POST',
  path: '/api/admin/keys',
  forbidWhileImpersonating: true,
  summary: 'Create an API key; only this answer contains it',
  body: z.object({
    name: freeText(60).check(z.minLength(2, 'validation.text')),
    /** Of the caller’s scope; null, for super admins alone, is the whole market. */
    vendorId: z.optional(z.nullable(rowIdNumber)),
    permissions: z.array(z.enum(keyPermissions)).check(z.minLength(1, 'validation.choose')),
    expiresInDays: z.nullable(z.literal(keyLives)),
  }),
  returns: z.extend(apiKey, { key: z.string() }),
  errors: ['KEYS_FULL'],
})

export const revokeKey = endpoint({
  ...admins,
  method: 'DELETE',
  path: '/api/admin/keys/{id}',
  forbidWhileImpersonating: true,
  summary: 'Revoke an API key for good; its open streams end. Does nothing if it is revoked already',
  params: idParams,
  returns: done,
  errors: ['KEY_NOT_FOUND'],
})
