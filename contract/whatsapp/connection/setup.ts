import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { instant } from '../../lib/ids.ts'

/** Steps of connecting the Cloud API, in the order of doing them. */
export const whatsappStepKeys = [
  'token',
  'number',
  'account',
  'webhook',
  'fields',
  'subscription',
  'heard',
  'business',
  'templates',
] as const
export type WhatsappStepKey = (typeof whatsappStepKeys)[number]

/** `unknown`: not asked yet, or an earlier step prevents it. `simulated`: it would be done, but reaches nobody. */
export const whatsappStepStates = ['done', 'waiting', 'todo', 'unknown', 'simulated'] as const
export type WhatsappStepState = (typeof whatsappStepStates)[number]

/** What is missing, so that the page can say what to do. */
export const whatsappStepProblems = [
  /** A setting of the server is empty. */
  'NOT_SET',
  'META_SILENT',
  /** With Meta's own words as the detail. */
  'META_REFUSED',
  'TOKEN_INVALID',
  'TOKEN_EXPIRES',
  'TOKEN_SCOPES',
  'NUMBER_STATUS',
  'ACCOUNT_REVIEW',
  'NOT_VERIFIED',
  'NOT_HTTPS',
  'NO_WEBHOOK',
  'OTHER_ADDRESS',
  'FIELDS_MISSING',
  'NOT_SUBSCRIBED',
  'NEVER_HEARD',
  'TEMPLATES_MISSING',
  'TEMPLATES_REFUSED',
] as const
export type WhatsappStepProblem = (typeof whatsappStepProblems)[number]

export const whatsappStep = z.object({
  key: z.enum(whatsappStepKeys),
  state: z.enum(whatsappStepStates),
  problem: z.nullable(z.enum(whatsappStepProblems)),
  /** What Meta answered: names, states, missing fields, its error. Never a token. */
  detail: z.nullable(z.string()),
})
export type WhatsappStep = z.output<typeof whatsappStep>

export const neededTemplate = z.object({
  name: z.string(),
  language: z.enum(['ar', 'en']),
  category: z.string(),
  /** Null if the account does not have it. */
  status: z.nullable(z.string()),
  rejectedReason: z.nullable(z.string()),
  /** Submission by this page: on its way, or refused by Meta with the error. */
  submission: z.nullable(z.enum(['waiting', 'failed'])),
  error: z.nullable(z.string()),
})
export type NeededTemplate = z.output<typeof neededTemplate>

/** What the owner enters, in the order of the form. A value of the server's environment comes first. */
export const whatsappKeys = ['token', 'phoneNumberId', 'businessAccountId', 'appSecret', 'verifyToken'] as const
export type WhatsappKey = (typeof whatsappKeys)[number]

/** An entered value, which no answer contains. */
export const whatsappKeyState = z.object({
  name: z.enum(whatsappKeys),
  source: z.nullable(z.enum(['server', 'page'])),
  /** Last characters of the value; null for a short one. */
  ending: z.nullable(z.string()),
  /** It was sealed with another secret of the installation, so that it has to be entered again. */
  isUnreadable: z.boolean(),
  by: z.nullable(z.string()),
  at: z.nullable(instant),
})
export type WhatsappKeyState = z.output<typeof whatsappKeyState>

/** Why entered values are not stored: Meta's answer to a try with them, or what is missing for one. */
export const whatsappKeyProblems = [
  'MISSING',
  'META_SILENT',
  /** With Meta's own words as the detail. */
  'META_REFUSED',
  'TOKEN_INVALID',
  'TOKEN_SCOPES',
  /** No access, or no such id. */
  'NOT_FOUND',
  'WRONG_SECRET',
  /** The number does not belong to the account. */
  'OTHER_ACCOUNT',
] as const
export interface WhatsappKeyProblem {
  name: WhatsappKey
  problem: (typeof whatsappKeyProblems)[number]
  detail: string | null
}

export const whatsappSetup = z.object({
  provider: z.enum(['simulator', 'cloud']),
  /** When Meta was last asked, and when it last answered. */
  checkedAt: z.nullable(instant),
  answeredAt: z.nullable(instant),
  webhook: z.object({
    address: z.string(),
    /**
     * To copy into Meta's page, if the server's environment has it. It opens nothing by itself: calls are believed by
     * their signature.
     */
    verifyToken: z.nullable(z.string()),
    /** Last event of the provider. */
    heardAt: z.nullable(instant),
    fields: z.array(z.string()),
  }),
  keys: z.array(whatsappKeyState),
  steps: z.array(whatsappStep),
  templates: z.array(neededTemplate),
  now: instant,
})
export type WhatsappSetup = z.output<typeof whatsappSetup>

const SETUP = '/api/admin/whatsapp/setup'
const connecting = { allow: 'super', permissions: ['whatsapp.connect'], returns: whatsappSetup } as const

export const getWhatsappSetup = endpoint({
  ...connecting,
  method: 'GET',
  path: SETUP,
  summary: 'Steps of connecting the Cloud API as Meta last answered; null with a linked device',
  returns: z.nullable(whatsappSetup),
})

export const checkWhatsapp = endpoint({
  ...connecting,
  method: 'POST',
  path: `${SETUP}/check`,
  summary: 'Ask Meta about the token, the number, the account and the subscriptions',
  errors: ['NOT_CLOUD_API'],
})

const id = z.string().check(z.trim(), z.regex(/^\d{5,25}$/, 'validation.number'))
const secretText = z.string().check(z.trim(), z.regex(/^[!-~]{8,1000}$/, 'validation.required'))

export const saveWhatsappKeys = endpoint({
  ...connecting,
  method: 'PUT',
  path: `${SETUP}/keys`,
  forbidWhileImpersonating: true,
  summary: 'Try the entered keys at Meta and store them sealed; null removes one, one that is missing stays as it is',
  body: z.object({
    token: z.nullish(secretText),
    phoneNumberId: z.nullish(id),
    businessAccountId: z.nullish(id),
    appSecret: z.nullish(secretText),
    /** One is made up where there is none. */
    verifyToken: z.nullish(secretText),
  }),
  errors: ['NOT_CLOUD_API', 'WHATSAPP_KEYS_FROM_SERVER', 'WHATSAPP_KEYS_REFUSED'],
})

export const subscribeWhatsapp = endpoint({
  ...connecting,
  method: 'POST',
  path: `${SETUP}/subscription`,
  forbidWhileImpersonating: true,
  summary: 'Register the webhook address with its fields at Meta and subscribe the app to the account',
  errors: ['NOT_CLOUD_API', 'META_REFUSED'],
})

export const submitTemplates = endpoint({
  ...connecting,
  method: 'POST',
  path: `${SETUP}/templates`,
  forbidWhileImpersonating: true,
  summary: 'Submit the needed templates that the account does not have; existing ones are left as they are',
  errors: ['NOT_CLOUD_API', 'TEMPLATES_NOT_SYNCED'],
})
