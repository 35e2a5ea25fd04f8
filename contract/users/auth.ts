import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { westernDigits } from '../lib/digits.ts'
import { done, instant } from '../lib/ids.ts'
import { langs } from '../lib/lang.ts'
import { phoneInput } from '../lib/phone.ts'
import { addressText, customerName, instructionsText } from '../lib/text.ts'
import { companyInput } from '../orders/buyer.ts'
import { coordinates } from '../places/geo.ts'
import { type PartName, partLengths } from './address-parts.ts'
import { presets } from './permissions.ts'
import { roles } from './roles.ts'

// @__NO_SIDE_EFFECTS__
const part = (name: PartName) => z.optional(z.string().check(z.maxLength(partLengths[name])))
/** Parts of a Bahraini address; `address` is the text made of them. */
export const addressParts = z.object({
  block: part('block'),
  road: part('road'),
  building: part('building'),
  flat: part('flat'),
})
export type AddressParts = z.output<typeof addressParts>

export const notificationTypes = ['order_updates', 'whatsapp_incoming', 'new_orders'] as const

export const user = z.object({
  id: z.number(),
  phone: z.string(),
  name: z.nullable(z.string()),
  role: z.enum(roles),
  preset: z.nullable(z.enum(presets)),
  vendorId: z.nullable(z.number()),
  permissions: z.array(z.string()),
  isVerified: z.boolean(),
  language: z.enum(langs),
  address: z.nullable(z.string()),
  addressParts: z.nullable(addressParts),
  mapCoordinates: z.nullable(coordinates),
  instructions: z.nullable(z.string()),
  companyName: z.nullable(z.string()),
  crNumber: z.nullable(z.string()),
  vatNumber: z.nullable(z.string()),
  notificationEnabled: z.boolean(),
  notificationTypes: z.array(z.string()),
  marketingConsent: z.boolean(),
  /** Whether to be reminded when the next order is due. */
  reminders: z.boolean(),
  createdAt: instant,
  /** The person who impersonates this user in this session; null without impersonation. */
  impersonatedBy: z.nullable(z.object({ name: z.nullable(z.string()), phone: z.string() })),
})
export type User = z.output<typeof user>

export const getMe = endpoint({
  method: 'GET',
  path: '/api/auth/me',
  allow: 'signed-in',
  summary: 'The signed-in user',
  returns: user,
})

/** The 16 characters of the link that a shop without a super admin prints. */
const claimInput = z.pipe(
  z.string().check(z.maxLength(64)),
  z.pipe(z.transform(codeDigits), z.string().check(z.regex(/^[A-Z2-9]{16}$/, 'validation.code'))),
)

export const verifyPhone = endpoint({
  method: 'POST',
  path: '/api/auth/verify/phone',
  allow: 'anyone',
  summary: 'Send a code to a phone',
  body: z.object({
    phone: phoneInput,
    language: z.optional(z.enum(langs)),
    /** The code is printed on the console if no channel can send it: there may be none before the first super admin. */
    claim: z.optional(claimInput),
  }),
  /**
   * `resendAfter`: seconds until another code can be requested. The response is the same for known and unknown phones.
   */
  returns: z.object({ success: z.literal(true), message: z.string(), resendAfter: z.number() }),
  errors: ['PHONE_NOT_ALLOWED', 'CODE_NOT_SENT', 'CLAIM_CLOSED', 'TOO_MANY_REQUESTS'],
})

export const verifyCode = endpoint({
  method: 'POST',
  path: '/api/auth/verify/otp',
  allow: 'anyone',
  summary: 'Sign in with the code',
  body: z.object({
    phone: phoneInput,
    /** The code that the phone received. */
    code: z.pipe(
      z.string().check(z.maxLength(64)),
      z.pipe(z.transform(codeDigits), z.string().check(z.regex(/^\d{4,6}$/, 'validation.code'))),
    ),
    /** Makes the owner of the phone the first super admin. */
    claim: z.optional(claimInput),
    /** The code that the console prints for a super admin whose passkey is lost. */
    recovery: z.optional(claimInput),
  }),
  returns: z.object({ success: z.literal(true), user }),
  errors: ['INVALID_CODE', 'CLAIM_CLOSED', 'PASSKEY_REQUIRED', 'TOO_MANY_TRIES', 'TOO_MANY_REQUESTS'],
})

export const startMessageLogin = endpoint({
  method: 'POST',
  path: '/api/auth/verify/message',
  allow: 'anyone',
  summary: 'Start a sign-in by sending a word to the shop, for people who receive no codes',
  body: z.object({ phone: phoneInput, language: z.optional(z.enum(langs)) }),
  /**
   * `secret` stays on the page. `text` is what the phone sends; `url` opens the conversation with it. `answer` is what
   * the phone replies to the question that follows.
   */
  returns: z.object({
    secret: z.string(),
    text: z.string(),
    answer: z.string(),
    url: z.string(),
    number: z.nullable(z.string()),
    expiresAt: instant,
  }),
  errors: ['PHONE_NOT_ALLOWED', 'CODE_NOT_SENT', 'TOO_MANY_REQUESTS'],
})

export const finishMessageLogin = endpoint({
  method: 'POST',
  path: '/api/auth/verify/message/done',
  allow: 'anyone',
  summary: 'Whether the word and the reply have arrived; if so, signs in once',
  body: z.object({ secret: z.string().check(z.minLength(20), z.maxLength(100)) }),
  /** `isAsked`: the word was received, and the reply to the question is pending. */
  returns: z.object({ success: z.boolean(), isAsked: z.boolean(), user: z.nullable(user) }),
  errors: ['INVALID_CODE'],
})

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  allow: 'anyone',
  summary: 'End this session',
  returns: done,
})

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/auth/profile',
  allow: 'signed-in',
  summary: 'The profile of the signed-in user',
  returns: user,
})

export const profileFields = z.object({
  name: z.optional(customerName(1)),
  language: z.optional(z.enum(langs)),
  address: z.optional(z.nullable(addressText)),
  addressParts: z.optional(z.nullable(addressParts)),
  mapCoordinates: z.optional(z.nullable(coordinates)),
  instructions: z.optional(z.nullable(instructionsText)),
  /** Printed on invoices. */
  ...companyInput,
  notificationEnabled: z.optional(z.boolean()),
  notificationTypes: z.optional(z.array(z.enum(notificationTypes)).check(z.maxLength(notificationTypes.length))),
  marketingConsent: z.optional(z.boolean()),
  reminders: z.optional(z.boolean()),
})

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/api/auth/profile',
  allow: 'signed-in',
  summary: 'Change the profile',
  body: profileFields,
  returns: user,
})

export const exportAccount = endpoint({
  method: 'GET',
  path: '/api/auth/export',
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Everything stored about the signed-in person',
  returns: z.record(z.string(), z.unknown()),
  errors: ['TOO_MANY_REQUESTS'],
})

export const eraseAccount = endpoint({
  method: 'DELETE',
  path: '/api/auth/account',
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Erase the account: cancels open orders and keeps all orders without personal data',
  returns: done,
  /** `details.orderIds`: the shipped orders. They must be delivered or cancelled before the account is erased. */
  errors: ['ORDERS_ON_THE_WAY'],
})

function codeDigits(text: string) {
  return westernDigits(text)
    .replace(/[\s\u200e\u200f\u2066-\u2069-]/g, '')
    .toUpperCase()
}
