import { endpoint } from '@qatra/contract/endpoint'
import { instant } from '@qatra/contract/lib/ids'
import { phoneInput } from '@qatra/contract/lib/phone'
import * as z from 'zod/mini'

const choice = z.object({ id: z.string(), title: z.string(), description: z.optional(z.string()) })

/** Parts of a message besides the text: choices or a location request. */
export const shownParts = z.object({
  type: z.string(),
  header: z.optional(z.unknown()),
  text: z.optional(z.string()),
  footer: z.optional(z.string()),
  button: z.optional(z.string()),
  /** For messages: id and title; for templates: type and value. */
  buttons: z.optional(
    z.array(
      z.object({
        id: z.optional(z.string()),
        title: z.optional(z.string()),
        type: z.optional(z.string()),
        value: z.optional(z.string()),
      }),
    ),
  ),
  sections: z.optional(z.array(z.object({ title: z.optional(z.string()), rows: z.array(choice) }))),
  link: z.optional(z.string()),
  /** Type of the file, served by the message's id. */
  mimeType: z.optional(z.string()),
  filename: z.optional(z.string()),
  isVoice: z.optional(z.boolean()),
  lat: z.optional(z.number()),
  lng: z.optional(z.number()),
  /** The message that a reaction is for. */
  messageId: z.optional(z.string()),
  emoji: z.optional(z.string()),
  /** The quoted message. */
  replyTo: z.optional(z.string()),
})

export const simulatedMessage = z.object({
  id: z.string(),
  to: z.string(),
  from: z.string(),
  direction: z.enum(['incoming', 'outgoing']),
  channel: z.enum(['whatsapp', 'sms', 'telegram']),
  body: z.string(),
  parts: z.nullable(shownParts),
  status: z.string(),
  createdAt: instant,
})
export type SimulatedMessage = z.output<typeof simulatedMessage>

export const listSimulatedMessages = endpoint({
  method: 'GET',
  path: '/api/simulator/messages',
  allow: 'anyone',
  summary: 'Messages sent to a phone, newest first; only with the simulator channel',
  query: z.object({ phone: z.optional(phoneInput) }),
  returns: z.array(simulatedMessage),
})

export const getSimulatedFile = endpoint({
  method: 'GET',
  path: '/api/simulator/files/{id}',
  allow: 'anyone',
  summary: 'A file that a simulated phone received, by the id of its message; only with the simulator channel',
  params: z.object({ id: z.string().check(z.maxLength(200)) }),
  produces: 'application/octet-stream',
  returns: z.unknown(),
})

export const sendSimulatedMessage = endpoint({
  method: 'POST',
  path: '/api/simulator/messages',
  allow: 'anyone',
  summary: 'Send a message to the shop as a customer; only with the simulator channel',
  body: z.object({
    from: phoneInput,
    type: z._default(
      z.enum(['text', 'location', 'button', 'list', 'image', 'audio', 'video', 'document', 'contact', 'reaction']),
      'text',
    ),
    body: z.optional(z.string().check(z.maxLength(5000))),
    /** Id of the tapped button or row. Without it, the text is matched against recent messages. */
    id: z.optional(z.string().check(z.maxLength(256))),
    /** The message that this one replies to. */
    replyTo: z.optional(z.string().check(z.maxLength(200))),
    /** Profile name. */
    name: z.optional(z.string().check(z.maxLength(100))),
    /** Simulates a newer account that does not reveal its phone. */
    hidesPhone: z.optional(z.boolean()),
    lat: z.optional(z.number().check(z.gte(-90), z.lte(90))),
    lng: z.optional(z.number().check(z.gte(-180), z.lte(180))),
  }),
  returns: simulatedMessage,
  errors: ['UNAVAILABLE'],
})
