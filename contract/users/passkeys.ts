/** Passkeys (WebAuthn): optional for staff; a super admin who has one signs in with it alone. */

import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { done, idParams, instant } from '../lib/ids.ts'
import { lineText } from '../lib/text.ts'
import { user } from './auth.ts'

/** A lost authenticator should not be the only one; more are rarely needed. */
export const MOST_PASSKEYS = 10
/** Passkeys are changed only within this time of the sign-in, so that a stolen session cannot add one. */
export const FRESH_MINUTES = 10
/** Other super admins who have to agree to remove the passkeys of one, within a day. */
export const CONFIRMATIONS = 2

export const passkey = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: z.nullable(instant),
})
export type Passkey = z.output<typeof passkey>

const name = /* @__PURE__ */ lineText(60).check(z.minLength(1, 'validation.required'))
const base64url = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[A-Za-z0-9_-]+$/))
/** What both kinds of answers of an authenticator share, as browsers encode it. */
const answer = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
}
/** Options for the browser, as WebAuthn defines them. */
const options = z.object({ options: z.unknown() })

const own = { allow: 'staff', forbidWhileImpersonating: true } as const
const BASE = '/api/auth/passkeys'

export const listPasskeys = endpoint({
  method: 'GET',
  path: BASE,
  allow: 'staff',
  summary: 'Passkeys of the caller',
  returns: z.array(passkey),
})

export const startPasskey = endpoint({
  ...own,
  method: 'POST',
  path: `${BASE}/options`,
  summary: 'Start to add a passkey: the options for the authenticator',
  returns: options,
  errors: ['SIGN_IN_OLD', 'PASSKEYS_FULL'],
})

export const addPasskey = endpoint({
  ...own,
  method: 'POST',
  path: BASE,
  summary: 'Add the passkey that the authenticator has created',
  body: z.object({
    name,
    credential: z.object({
      ...answer,
      response: z.object({
        clientDataJSON: base64url(4000),
        attestationObject: base64url(20_000),
        transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(8))),
      }),
    }),
  }),
  returns: passkey,
  errors: ['SIGN_IN_OLD', 'PASSKEYS_FULL', 'PASSKEY_INVALID'],
})

export const renamePasskey = endpoint({
  ...own,
  method: 'PATCH',
  path: `${BASE}/{id}`,
  summary: 'Rename a passkey',
  params: idParams,
  body: z.object({ name }),
  returns: passkey,
  errors: ['PASSKEY_NOT_FOUND'],
})

export const removePasskey = endpoint({
  ...own,
  method: 'DELETE',
  path: `${BASE}/{id}`,
  summary: 'Remove a passkey',
  params: idParams,
  returns: done,
  errors: ['SIGN_IN_OLD', 'PASSKEY_NOT_FOUND'],
})

export const startPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/verify/passkey/options',
  allow: 'anyone',
  summary: 'Start a sign-in with a passkey: the same options for everybody, since the authenticator knows the account',
  returns: options,
  errors: ['TOO_MANY_REQUESTS'],
})

export const finishPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/verify/passkey',
  allow: 'anyone',
  summary: 'Sign in with a passkey',
  body: z.object({
    credential: z.object({
      ...answer,
      response: z.object({
        clientDataJSON: base64url(4000),
        authenticatorData: base64url(4000),
        signature: base64url(4000),
        userHandle: z.optional(z.nullable(base64url(100))),
      }),
    }),
  }),
  returns: z.object({ success: z.literal(true), user }),
  errors: ['PASSKEY_INVALID', 'TOO_MANY_REQUESTS'],
})

export const confirmRecovery = endpoint({
  method: 'POST',
  path: '/api/admin/users/{id}/passkey-recovery',
  allow: 'super',
  permissions: ['users.write'],
  forbidWhileImpersonating: true,
  summary: 'Agree to remove the passkeys of another super admin; the second one who agrees removes them',
  params: idParams,
  returns: z.object({ confirmations: z.number(), removed: z.boolean() }),
  errors: ['USER_NOT_FOUND', 'PASSKEY_NOT_FOUND'],
})
