import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { instant } from '../../lib/ids.ts'

/** `simulated`: messages reach nobody. `unheard`: we send, and Meta has never reported an event. */
export const connectionStates = ['loading', 'qr', 'connected', 'unheard', 'simulated', 'error', 'qr_expired'] as const
export type ConnectionState = (typeof connectionStates)[number]

export const channelUses = ['codes', 'news', 'conversations', 'campaigns'] as const
export type ChannelUse = (typeof channelUses)[number]
export const connectionProviders = ['simulator', 'cloud', 'web'] as const

export const connection = z.object({
  state: z.enum(connectionStates),
  provider: z.enum(connectionProviders),
  /** QR code to scan; present only while it is valid and if the caller signed in recently. */
  qr: z.optional(z.string()),
  qrExpiresAt: z.nullable(instant),
  /** A QR code is available, but the caller must sign in again to see it. */
  needsSignIn: z.boolean(),
  /** The shop's own number, masked in the middle. */
  phone: z.nullable(z.string()),
  error: z.nullable(z.string()),
  connectedAt: z.nullable(instant),
  /** Last heartbeat of the linked device's process. */
  heardAt: z.nullable(instant),
  /** Only a linked device can be reset. */
  mayReset: z.boolean(),
  /** Providers per kind of message, in order of preference. */
  uses: z.array(
    z.object({ use: z.enum(channelUses), channels: z.array(z.enum(['whatsapp', 'sms'])), isOn: z.boolean() }),
  ),
  /** Recent errors, newest first, without texts or phone numbers. */
  errors: z.array(
    z.object({ code: z.string(), text: z.string(), channel: z.string(), count: z.number(), lastAt: instant }),
  ),
  /** Of the last 24 hours. */
  traffic: z.object({ incoming: z.number(), outgoing: z.number(), waiting: z.number(), failed: z.number() }),
  now: instant,
})
export type Connection = z.output<typeof connection>

export const getConnection = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/status',
  allow: 'super',
  permissions: ['whatsapp.connect'],
  summary: 'State of the WhatsApp connection; never cached',
  returns: connection,
})

export const resetConnection = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/reset',
  allow: 'super',
  permissions: ['whatsapp.connect'],
  forbidWhileImpersonating: true,
  summary: 'Unlink the device and show a new code',
  returns: connection,
  errors: ['NOTHING_TO_RESET'],
})
