import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instant } from './ids.ts'

export const connectionStates = ['loading', 'qr', 'connected', 'error', 'qr_expired'] as const
export type ConnectionState = (typeof connectionStates)[number]

export const channelUses = ['codes', 'news', 'conversations', 'campaigns'] as const
export type ChannelUse = (typeof channelUses)[number]
export const connectionProviders = ['simulator', 'cloud', 'web'] as const

export const connection = z.object({
  state: z.enum(connectionStates),
  provider: z.enum(connectionProviders),
  /** What the phone scans; there only while it can be, and only for whoever signed in a moment ago. */
  qr: z.optional(z.string()),
  qrExpiresAt: z.nullable(instant),
  /** There is a code, and whoever asks is to sign in anew before it is shown. */
  needsSignIn: z.boolean(),
  /** The shop's own number; its middle is hidden. */
  phone: z.nullable(z.string()),
  error: z.nullable(z.string()),
  connectedAt: z.nullable(instant),
  /** When the linked device's process was last heard of. */
  heardAt: z.nullable(instant),
  /** Only a linked device can be connected anew. */
  mayReset: z.boolean(),
  /** Through what each kind of message goes, the first first. */
  uses: z.array(
    z.object({ use: z.enum(channelUses), channels: z.array(z.enum(['whatsapp', 'sms'])), isOn: z.boolean() }),
  ),
  /** What went wrong lately, the newest first; nobody's words or numbers. */
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
  summary: 'How the shop is connected to WhatsApp; never cached',
  returns: connection,
})

export const resetConnection = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/reset',
  allow: 'super',
  permissions: ['whatsapp.connect'],
  forbidWhileImpersonating: true,
  summary: 'Forget the linked device and begin with a new code',
  returns: connection,
  errors: ['NOTHING_TO_RESET'],
})
