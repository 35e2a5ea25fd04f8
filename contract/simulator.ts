import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instant } from './ids.ts'
import { phoneInput } from './phone.ts'

export const simulatedMessage = z.object({
  id: z.string(),
  to: z.string(),
  from: z.string(),
  direction: z.enum(['incoming', 'outgoing']),
  channel: z.enum(['whatsapp', 'sms', 'telegram']),
  body: z.string(),
  status: z.string(),
  createdAt: instant,
})
export type SimulatedMessage = z.output<typeof simulatedMessage>

export const listSimulatedMessages = endpoint({
  method: 'GET',
  path: '/api/simulator/messages',
  allow: 'anyone',
  summary: 'What was sent to a phone, newest first; only while the simulator channel is on',
  query: z.object({ phone: z.optional(phoneInput) }),
  returns: z.array(simulatedMessage),
})

export const sendSimulatedMessage = endpoint({
  method: 'POST',
  path: '/api/simulator/messages',
  allow: 'anyone',
  summary: 'A customer writes to the number of the shop; only while the simulator channel is on',
  body: z.object({
    from: phoneInput,
    type: z._default(z.enum(['text', 'location', 'button']), 'text'),
    body: z.optional(z.string().check(z.maxLength(5000))),
    lat: z.optional(z.number().check(z.gte(-90), z.lte(90))),
    lng: z.optional(z.number().check(z.gte(-180), z.lte(180))),
  }),
  returns: simulatedMessage,
})
