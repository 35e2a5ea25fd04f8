import { Counter } from 'prom-client'

const channels = ['whatsapp', 'sms', 'push', 'telegram'] as const
export type Channel = (typeof channels)[number]
const statuses = ['postponed', 'sent', 'delivered', 'read', 'failed', 'unknown'] as const

const changed = new Counter({
  name: 'qatra_message_statuses_total',
  help: 'Statuses that messages reached; postponed: the provider took no message; unknown: it may have taken it',
  labelNames: ['channel', 'status'] as const,
})
// A series that begins with its first event hides that event from increase().
for (const channel of channels) for (const status of statuses) changed.inc({ channel, status }, 0)

export const countStatus = (channel: Channel, status: (typeof statuses)[number]) => changed.inc({ channel, status })
