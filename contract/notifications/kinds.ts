import type { notificationTypes } from '../users/auth.ts'
import type { Permission } from '../users/permissions.ts'
import type { Role } from '../users/roles.ts'

/** Event names of the stream. */
export const streams = ['orders', 'messages', 'connection', 'campaigns'] as const
export type StreamName = (typeof streams)[number]

export interface NotificationKind {
  /** Name of the event on the stream. */
  stream: StreamName
  /** Key in the person's notification settings. */
  type: (typeof notificationTypes)[number]
  /** Roles whose stream carries it. Default: all staff who can see its subject. */
  only?: readonly Role[]
  /** Permission whose holders' streams carry it. */
  needs?: Permission
  /** Roles that are notified. Other roles only get their screens refreshed. */
  rings: readonly Role[]
}

/** Campaigns and the WhatsApp connection belong to the marketplace. */
const market = ['super_admin'] as const
const desk = ['super_admin', 'vendor_admin', 'vendor_staff'] as const

/** All kinds of notifications. The stream, the notification centre and the sound read this table. */
export const notificationKinds = {
  'order-placed': { stream: 'orders', type: 'new_orders', rings: desk },
  'order-moved': { stream: 'orders', type: 'order_updates', rings: ['vendor_sales'] },
  'order-cancelled': { stream: 'orders', type: 'order_updates', rings: [...desk, 'vendor_sales', 'driver'] },
  'order-attempted': { stream: 'orders', type: 'order_updates', rings: [...desk, 'vendor_sales'] },
  'order-assigned': { stream: 'orders', type: 'order_updates', rings: ['driver'] },
  'order-unassigned': { stream: 'orders', type: 'order_updates', rings: ['driver'] },
  /** The driver has left the vendor or changed role: the order needs another driver. */
  'order-driver-left': { stream: 'orders', type: 'order_updates', rings: desk },
  /** The customer moved the delivery to another day. */
  'order-rescheduled': { stream: 'orders', type: 'order_updates', rings: [...desk, 'vendor_sales', 'driver'] },
  /** Staff moved it, or closed its day. */
  'order-day-changed': { stream: 'orders', type: 'order_updates', rings: ['driver', 'vendor_sales'] },
  /** Three attempts failed, or the customer asked for a call. */
  'order-needs-call': { stream: 'orders', type: 'order_updates', rings: desk },
  /** The customer changed items or address. */
  'order-edited': { stream: 'orders', type: 'order_updates', rings: [...desk, 'vendor_sales', 'driver'] },
  /** Staff changed the items. */
  'order-items-changed': { stream: 'orders', type: 'order_updates', rings: ['driver', 'vendor_sales'] },
  'order-address-changed': { stream: 'orders', type: 'order_updates', rings: ['driver'] },
  'order-payment-changed': { stream: 'orders', type: 'order_updates', rings: [] },
  /** A message in a conversation that waits for staff, or is answered by them. */
  'message-received': { stream: 'messages', type: 'whatsapp_incoming', needs: 'whatsapp.read', rings: desk },
  /** The bot handed over, or the time of a snooze has come. */
  'conversation-waiting': { stream: 'messages', type: 'whatsapp_incoming', needs: 'whatsapp.read', rings: desk },
  'conversation-changed': { stream: 'messages', type: 'whatsapp_incoming', needs: 'whatsapp.read', rings: [] },
  'campaign-changed': { stream: 'campaigns', type: 'whatsapp_incoming', only: market, rings: [] },
  /** A campaign cannot go on, for example because the provider refuses its messages. */
  'campaign-stopped': { stream: 'campaigns', type: 'whatsapp_incoming', only: market, rings: market },
  /** The provider restricts the WhatsApp account, or warns. */
  'account-alarm': { stream: 'connection', type: 'whatsapp_incoming', only: market, rings: market },
  'connection-changed': { stream: 'connection', type: 'whatsapp_incoming', only: market, rings: [] },
} as const satisfies Record<string, NotificationKind>
export type Kind = keyof typeof notificationKinds
export const kinds = Object.keys(notificationKinds) as Kind[] // the keys of the record above

interface Carried {
  role: Role
  permissions: readonly string[]
}
interface Listening extends Carried {
  notificationEnabled: boolean
  notificationTypes: readonly string[]
}

/** Whether the stream of this person carries the kind. Access to the order or conversation is checked separately. */
export function isCarriedTo(kind: Kind, { role, permissions }: Carried): boolean {
  const { only, needs }: NotificationKind = notificationKinds[kind]
  return (only === undefined || only.includes(role)) && (needs === undefined || permissions.includes(needs))
}

/** Kinds that notify a person, by role and notification settings. */
export function kindsFor({ role, permissions, notificationEnabled, notificationTypes }: Listening): Kind[] {
  if (!notificationEnabled) return []
  return kinds.filter((kind) => {
    const { rings, type }: NotificationKind = notificationKinds[kind]
    return isCarriedTo(kind, { role, permissions }) && rings.includes(role) && notificationTypes.includes(type)
  })
}
