import type { OrderStatus } from '../orders/order-status.ts'
import type { notificationTypes } from '../users/auth.ts'
import type { Permission } from '../users/permissions.ts'
import type { Role } from '../users/roles.ts'

/** Event names of the stream. */
export const streams = ['orders', 'messages', 'connection', 'campaigns'] as const
export type StreamName = (typeof streams)[number]

/** What conditions ask of the job of an event, as `server/jobs/events.ts` has it. */
export interface EventFacts {
  event: string
  to?: OrderStatus
  editor?: 'customer' | 'staff'
  mover?: 'customer' | 'staff' | 'closure'
  attempts?: number
  isAwaited?: boolean
  isFirstBad?: boolean
  driverId?: number | null
  formerDriverId?: number | null
}

export interface NotificationKind<EventName extends string = string> {
  /** Name of the event on the stream. */
  stream: StreamName
  /** Key in the person's notification settings. */
  type: (typeof notificationTypes)[number]
  /** Roles whose stream carries it. Default: all staff who can see its subject. */
  only?: readonly Role[]
  /** Permission whose holders' streams carry it. */
  needs?: Permission
  /** Roles that are notified, by Telegram too. Other roles only get their screens refreshed. */
  rings: readonly Role[]
  /** Events that it tells of; the server checks the names. Without them a job of its own records it. */
  on: readonly EventName[]
  /** Default: always. */
  when?: (facts: EventFacts) => boolean
  /** Whether the devices of those whom its conversation concerns get it as a push message. */
  pushes?: boolean
  /** Whether it carries the order's new status. */
  hasStatus?: boolean
  /** Whose order it is about: the event's driver, or the one before. Default: the order's current driver. */
  driver?: 'of-event' | 'former'
}

/** Campaigns and the WhatsApp connection belong to the marketplace. */
const market = ['super_admin'] as const
const desk = ['super_admin', 'vendor_admin', 'vendor_staff'] as const
const everybody = [...desk, 'vendor_sales', 'driver'] as const
const defaults: Readonly<Record<StreamName, Pick<NotificationKind, 'type' | 'only' | 'needs'>>> = {
  orders: { type: 'order_updates' },
  messages: { type: 'whatsapp_incoming', needs: 'whatsapp.read' },
  campaigns: { type: 'whatsapp_incoming', only: market },
  connection: { type: 'whatsapp_incoming', only: market },
}
// @__NO_SIDE_EFFECTS__
const row = <const EventName extends string = never>(
  stream: StreamName,
  rings: readonly Role[],
  on: readonly EventName[] = [],
  more: Partial<NotificationKind<never>> = {},
): NotificationKind<EventName> => ({ stream, ...defaults[stream], rings, ...more, on })

const isCancelled = ({ to }: EventFacts) => to === 'cancelled'
const isByCustomer = ({ editor, mover }: EventFacts) => (editor ?? mover) === 'customer'
const isByStaff = (facts: EventFacts) => !isByCustomer(facts)
/** From this failed attempt on staff are asked to call the customer. */
const ATTEMPTS_BEFORE_CALL = 3

const edits = ['order.items-changed', 'order.address-changed'] as const
const moves = ['order.status-changed', 'order.cancelled'] as const

/**
 * All messages for staff: stream, roles that are notified, events. Stream, notification centre, sound, Telegram and
 * settings read this table. The text is `notifications.<kind>`; Telegram adds the order's number, unless there is a text
 * `telegram.news.<kind>`. An event gives its notifications in this order.
 */
export const notificationKinds = {
  'order-placed': row('orders', desk, ['order.placed'], { type: 'new_orders', hasStatus: true }),
  'order-moved': row('orders', ['vendor_sales'], moves, { when: (facts) => !isCancelled(facts), hasStatus: true }),
  'order-cancelled': row('orders', everybody, moves, { when: isCancelled, hasStatus: true }),
  'order-attempted': row('orders', [...desk, 'vendor_sales'], ['order.attempted']),
  'order-unassigned': row('orders', ['driver'], ['order.driver-assigned', 'order.driver-removed'], {
    when: ({ formerDriverId }) => formerDriverId !== null,
    driver: 'former',
  }),
  'order-assigned': row('orders', ['driver'], ['order.driver-assigned'], { driver: 'of-event' }),
  /** The driver has left the vendor or changed role: the order needs another driver. */
  'order-driver-left': row('orders', desk, ['order.driver-left'], { driver: 'of-event' }),
  /** The customer moved the delivery to another day. */
  'order-rescheduled': row('orders', everybody, ['order.rescheduled'], { when: isByCustomer }),
  /** Staff moved it, or closed its day. */
  'order-day-changed': row('orders', ['driver', 'vendor_sales'], ['order.rescheduled'], { when: isByStaff }),
  /** Three attempts failed, or the customer asked for a call. */
  'order-needs-call': row('orders', desk, ['order.attempted', 'order.call-requested'], {
    when: ({ event, attempts = 0 }) => event !== 'order.attempted' || attempts >= ATTEMPTS_BEFORE_CALL,
  }),
  /** The customer rates water or driver as bad; once for an order, and not to its driver. */
  'order-rated-bad': row('orders', desk, ['order.rated'], { when: ({ isFirstBad }) => !!isFirstBad, only: desk }),
  /** The customer changed items or address. */
  'order-edited': row('orders', everybody, edits, { when: isByCustomer }),
  /** Staff changed the items. */
  'order-items-changed': row('orders', ['driver', 'vendor_sales'], ['order.items-changed'], { when: isByStaff }),
  'order-address-changed': row('orders', ['driver'], ['order.address-changed'], { when: isByStaff }),
  /** Only reads the order again on open pages, also for the company of the order. */
  'order-payment-changed': row('orders', [], ['order.payment-changed', 'order.buyer-changed']),
  /** A customer asked that empties are collected. */
  'visit-requested': row('orders', desk, ['visit.requested'], { type: 'new_orders' }),
  /** The customer does not want it any more, or the office. */
  'visit-cancelled': row('orders', [...desk, 'driver'], ['visit.deleted']),
  /** Reads open pages again: a stop without an order was planned, moved or reported. */
  'visit-changed': row('orders', [], ['visit.created', 'visit.updated', 'visit.done', 'visit.failed', 'visit.undone']),
  /** A message in a conversation that waits for staff, or is answered by them. */
  'message-received': row('messages', desk, ['message.received'], {
    when: ({ isAwaited }) => !!isAwaited,
    pushes: true,
  }),
  /** The bot handed over, or the time of a snooze has come. */
  'conversation-waiting': row('messages', desk, ['conversation.waiting'], { pushes: true }),
  /** The customer has waited longer than the office allows. */
  'conversation-late': row('messages', desk, ['conversation.late'], { pushes: true }),
  'conversation-changed': row(
    'messages',
    [],
    ['message.received', 'message.status-changed', 'conversation.changed', 'conversation.read'],
    { when: ({ isAwaited }) => !isAwaited },
  ),
  'campaign-changed': row('campaigns', []),
  /** A campaign cannot go on, for example because the provider refuses its messages. */
  'campaign-stopped': row('campaigns', market),
  /** The provider restricts the WhatsApp account, or warns. */
  'account-alarm': row('connection', market, ['account.alarm']),
  'connection-changed': row('connection', [], ['connection.changed']),
}
export type Kind = keyof typeof notificationKinds
export const kinds = Object.keys(notificationKinds) as Kind[] // the keys of the record above

/** Who has a conversation, and who has muted it. */
export interface ConversationFacts {
  assignedTo: number | null
  mutedBy: readonly number[]
}

/** Whether a user gets sound and push: only the assignee, or everybody without one, except users who muted it. */
export const concerns = (userId: number, { assignedTo, mutedBy }: ConversationFacts) =>
  (assignedTo === null || assignedTo === userId) && !mutedBy.includes(userId)

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
  const { only, needs } = notificationKinds[kind]
  return (only === undefined || only.includes(role)) && (needs === undefined || permissions.includes(needs))
}

/** Kinds that notify a person, by role and notification settings. */
export function kindsFor({ role, permissions, notificationEnabled, notificationTypes }: Listening): Kind[] {
  if (!notificationEnabled) return []
  return kinds.filter((kind) => {
    const { rings, type } = notificationKinds[kind]
    return isCarriedTo(kind, { role, permissions }) && rings.includes(role) && notificationTypes.includes(type)
  })
}
