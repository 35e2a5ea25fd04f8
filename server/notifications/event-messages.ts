import {
  type EventFacts,
  type Kind,
  kinds,
  type NotificationKind,
  notificationKinds,
} from '@qatra/contract/notifications/kinds'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import type { EventJob } from '../jobs/events.ts'
import type { JobOf, MessageChannel, OrderNews, OrderText } from '../jobs/queues.ts'

type Variable = 'id' | 'vendor' | 'day' | 'total' | 'amount' | 'items'

export interface OrderTemplate {
  name: string
  /** Meaning of {{1}}, {{2}} … */
  variables: readonly Variable[]
  /** Opens the order's page, which shows the receipt, or has the same order placed again. */
  button?: 'receipt' | 'again'
  /** Quick replies `news.attempt.<name>`. */
  replies?: readonly ['nextDay', 'call']
  /** Begins with a file. */
  hasDocument?: boolean
}

/**
 * The provider's templates of the texts `news.order.<text>`; the templates' own texts follow from those
 * (`server/order-messages/needed-templates.ts`).
 */
export const orderTemplates: Readonly<Record<OrderText, OrderTemplate>> = {
  new: { name: 'order_new', variables: ['vendor', 'id', 'day', 'amount'] },
  'in-progress': { name: 'order_in_progress', variables: ['vendor', 'id', 'day'] },
  shipped: { name: 'order_shipped', variables: ['id', 'vendor'] },
  delivered: { name: 'order_delivered', variables: ['id', 'vendor'], button: 'receipt' },
  'delivered-partly': {
    name: 'order_delivered_partly',
    variables: ['id', 'vendor', 'items', 'total'],
    button: 'receipt',
  },
  cancelled: { name: 'order_cancelled', variables: ['id', 'vendor'] },
  confirmation: { name: 'order_confirmation', variables: ['vendor', 'id', 'day', 'amount'] },
  rescheduled: { name: 'order_rescheduled', variables: ['vendor', 'id', 'day'] },
  edited: { name: 'order_edited', variables: ['vendor', 'id', 'amount'] },
  address: { name: 'order_address_changed', variables: ['vendor', 'id'] },
  attempted: { name: 'order_attempted', variables: ['id', 'vendor', 'day'], replies: ['nextDay', 'call'] },
  receipt: { name: 'order_receipt', variables: ['id', 'vendor'], hasDocument: true },
  reminder: { name: 'order_reminder', variables: ['vendor'], button: 'again' },
}

const isOrderText = (text: string): text is OrderText => text in orderTemplates
export const orderTexts = Object.keys(orderTemplates).filter(isOrderText)

interface Message {
  /** Channels in the order in which they are tried. */
  by: readonly MessageChannel[]
  /** Seconds in which further changes join it. */
  after?: number
}
/** To the customer who has a verified phone and wants order news. `version`: default is the job's id. */
type ToCustomer = Message & { to: 'customer'; version?: number } & Pick<OrderNews, 'kind'>
/** To the phone of the order, because somebody asked for it. */
export type ToPhone = Message & { to: 'phone'; text: 'confirmation' | 'receipt'; reference: string }
export type ToDriver = Message & { to: 'driver'; driverId: number; version: number }

const everyWay = ['push', 'whatsapp', 'sms'] as const
/** Several changes of a customer's orders within this time are announced by one message. */
const SETTLE_SECONDS = 60
/** A driver who gets twenty orders at once gets one message. */
const DRIVER_SECONDS = 3

const toCustomer = (kind: OrderNews['kind'], version: number, after = 0): ToCustomer => ({
  to: 'customer',
  by: everyWay,
  kind,
  version,
  after,
})
const moved = ({ to, version }: { to: OrderStatus; version: number }) => toCustomer(to, version)
const edited = ({ edit }: { edit: number }) => toCustomer('edited', edit, SETTLE_SECONDS)

type OrderEvent = JobOf<'order-messages' | 'receipt-news'>['event']

/** For each event the receiver outside of the office, the channels and the text. */
const messages: { [Event in OrderEvent]?: (job: EventJob<Event>) => ToCustomer | ToPhone | ToDriver } = {
  'order.placed': moved,
  'order.status-changed': moved,
  'order.cancelled': moved,
  'order.rescheduled': ({ version }) => toCustomer('rescheduled', version, SETTLE_SECONDS),
  'order.attempted': () => ({ to: 'customer', by: ['whatsapp', 'sms'], kind: 'attempted' }),
  'order.items-changed': edited,
  'order.address-changed': edited,
  'order.driver-assigned': (job) => ({ ...job, to: 'driver', by: ['whatsapp'], after: DRIVER_SECONDS }),
  'order.confirmation-asked': (job) => ({ ...job, to: 'phone', by: ['whatsapp', 'sms'], text: 'confirmation' }),
  'order.receipt-asked': (job) => ({ ...job, to: 'phone', by: ['whatsapp'], text: 'receipt' }),
}

/** The reminder that the next order is due, about the last delivered one; its version is the due date. */
export const reminderOf = (id: string, dueDate: string): OrderNews => ({
  id,
  kind: 'reminder',
  version: dueDate,
  by: ['push', 'whatsapp'],
})

/** None of an event of an earlier version whose jobs still wait. */
export const messageOf = <Event extends OrderEvent>(job: EventJob<Event>) => messages[job.event]?.(job)

type StaffEvent = JobOf<'admin-notifications' | 'conversation-notifications' | 'visit-notifications'>['event']
const staffMessages: Readonly<Record<Kind, NotificationKind<StaffEvent>>> = notificationKinds

/** For the notification centre; those for whom its kind rings get it by Telegram too, or else by WhatsApp. */
export interface StaffNews {
  kind: Kind
  status?: OrderStatus
  /** The order's driver at the time; if omitted, the current driver. */
  driverId?: number | null
  formerDriverId?: number | null
}

/** What staff read about an event. */
export function staffNewsOf(job: EventJob<StaffEvent>): StaffNews[] {
  const facts: EventFacts = job
  return kinds.flatMap((kind) => {
    const { on, when, hasStatus, driver } = staffMessages[kind]
    if (!on.includes(job.event) || when?.(facts) === false) return []
    const { to: status, driverId, formerDriverId } = facts
    const drivers = driver === 'former' ? { driverId: null, formerDriverId } : driver && { driverId }
    return [{ kind, ...(hasStatus && { status }), ...drivers }]
  })
}
