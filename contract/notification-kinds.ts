import type { notificationTypes } from './auth.ts'
import type { Role } from './roles.ts'

/** What the stream carries, by the names that its events have. */
export const streams = ['orders', 'messages', 'connection', 'campaigns'] as const
export type StreamName = (typeof streams)[number]

export interface NotificationKind {
  /** The event's name on the stream. */
  stream: StreamName
  /** The person's own switch for it. */
  type: (typeof notificationTypes)[number]
  /** Whose stream carries it at all, where that is not all of the staff in whose scope it is. */
  only?: readonly Role[]
  /** Whose bell it rings; for the others it only brings what is on screen up to date. */
  rings: readonly Role[]
}

/** Conversations and the connection are the market's own. */
const market = ['super_admin'] as const
const desk = ['super_admin', 'vendor_admin', 'vendor_staff'] as const

/** What people are told of. Another kind is another row: the stream, the centre and the bell read this table. */
export const notificationKinds = {
  'order-placed': { stream: 'orders', type: 'new_orders', rings: desk },
  'order-moved': { stream: 'orders', type: 'order_updates', rings: ['vendor_sales'] },
  'order-cancelled': { stream: 'orders', type: 'order_updates', rings: [...desk, 'vendor_sales', 'driver'] },
  'order-attempted': { stream: 'orders', type: 'order_updates', rings: [...desk, 'vendor_sales'] },
  'order-assigned': { stream: 'orders', type: 'order_updates', rings: ['driver'] },
  'order-unassigned': { stream: 'orders', type: 'order_updates', rings: ['driver'] },
  /** The driver has left the vendor or changed role: the order needs another driver. */
  'order-driver-left': { stream: 'orders', type: 'order_updates', rings: desk },
  'order-address-changed': { stream: 'orders', type: 'order_updates', rings: ['driver'] },
  'message-received': { stream: 'messages', type: 'whatsapp_incoming', only: market, rings: market },
  'conversation-changed': { stream: 'messages', type: 'whatsapp_incoming', only: market, rings: [] },
  'campaign-changed': { stream: 'campaigns', type: 'whatsapp_incoming', only: market, rings: [] },
  'connection-changed': { stream: 'connection', type: 'whatsapp_incoming', only: market, rings: [] },
} as const satisfies Record<string, NotificationKind>
export type Kind = keyof typeof notificationKinds
export const kinds = Object.keys(notificationKinds) as Kind[] // the keys of the record above

interface Listening {
  role: Role
  notificationEnabled: boolean
  notificationTypes: readonly string[]
}

/** Whose stream may carry it, by role alone; whose order it is comes on top. */
export function isCarriedTo(kind: Kind, role: Role): boolean {
  const { only }: NotificationKind = notificationKinds[kind]
  return only === undefined || only.includes(role)
}

/** Kinds that ring for somebody: by role, and by what the person wants to hear of. */
export function kindsFor({ role, notificationEnabled, notificationTypes }: Listening): Kind[] {
  if (!notificationEnabled) return []
  return kinds.filter((kind) => {
    const { rings, type }: NotificationKind = notificationKinds[kind]
    return isCarriedTo(kind, role) && rings.includes(role) && notificationTypes.includes(type)
  })
}
