import type { Kind } from '@qatra/contract/notifications/kinds'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import type { EventJob } from '../jobs/events.ts'
import type { JobOf, MessageChannel, OrderNews, OrderText } from '../jobs/queues.ts'

type Variable = 'id' | 'vendor' | 'day' | 'total' | 'amount' | 'items'

export interface OrderTemplate {
  name: string
  /** Meaning of {{1}}, {{2}} … */
  variables: readonly Variable[]
  /** Opens the order's page, which shows the receipt. */
  hasReceipt?: boolean
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
  delivered: { name: 'order_delivered', variables: ['id', 'vendor'], hasReceipt: true },
  'delivered-partly': {
    name: 'order_delivered_partly',
    variables: ['id', 'vendor', 'items', 'total'],
    hasReceipt: true,
  },
  cancelled: { name: 'order_cancelled', variables: ['id', 'vendor'] },
  confirmation: { name: 'order_confirmation', variables: ['vendor', 'id', 'day', 'amount'] },
  rescheduled: { name: 'order_rescheduled', variables: ['vendor', 'id', 'day'] },
  edited: { name: 'order_edited', variables: ['vendor', 'id', 'amount'] },
  address: { name: 'order_address_changed', variables: ['vendor', 'id'] },
  attempted: { name: 'order_attempted', variables: ['id', 'vendor', 'day'], replies: ['nextDay', 'call'] },
  receipt: { name: 'order_receipt', variables: ['id', 'vendor'], hasDocument: true },
}

const isOrderText = (text: string): text is OrderText => text in orderTemplates
export const orderTexts = Object.keys(orderTemplates).filter(isOrderText)

type OrderEvent = JobOf<'order-messages' | 'receipt-news'>['event']
type EveryEvent = OrderEvent | JobOf<'conversation-notifications'>['event']

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

/** For the notification centre; those for whom its kind rings get it by Telegram too, or else by WhatsApp. */
export interface StaffNews {
  kind: Kind
  status?: OrderStatus
  /** The order's driver at the time; if omitted, the current driver. */
  driverId?: number | null
  formerDriverId?: number
}

interface Told {
  message?: ToCustomer | ToPhone | ToDriver
  staff?: readonly StaffNews[]
}

const everyWay = ['push', 'whatsapp', 'sms'] as const
/** Several changes of a customer's orders within this time are announced by one message. */
const SETTLE_SECONDS = 60
/** A driver who gets twenty orders at once gets one message. */
const DRIVER_SECONDS = 3
/** From this failed attempt on staff are asked to call the customer. */
const ATTEMPTS_BEFORE_CALL = 3

const moved = ({ to, version }: EventJob<'order.status-changed' | 'order.cancelled'>): Told => ({
  message: { to: 'customer', by: everyWay, kind: to, version },
  staff: [{ kind: to === 'cancelled' ? 'order-cancelled' : 'order-moved', status: to }],
})
const edited = ({ edit, editor }: EventJob<'order.items-changed' | 'order.address-changed'>, byStaff: Kind): Told => ({
  message: { to: 'customer', by: everyWay, kind: 'edited', version: edit, after: SETTLE_SECONDS },
  staff: [{ kind: editor === 'customer' ? 'order-edited' : byStaff }],
})
/** A reassigned order gives two notifications: one for each driver. */
const handedOver = ({
  driverId,
  formerDriverId,
}: EventJob<'order.driver-assigned' | 'order.driver-removed'>): StaffNews[] => [
  ...(formerDriverId === null ? [] : [{ kind: 'order-unassigned', driverId: null, formerDriverId } as const]),
  ...(driverId === null ? [] : [{ kind: 'order-assigned', driverId } as const]),
]
const changed = (): Told => ({ staff: [{ kind: 'conversation-changed' }] })

/** For each event the audience, the channels and the text. `contract/notifications/kinds.ts` says which staff. */
const messages: { [Event in EveryEvent]: (job: EventJob<Event>) => Told } = {
  'order.placed': ({ to, version }) => ({
    message: { to: 'customer', by: everyWay, kind: to, version },
    staff: [{ kind: 'order-placed', status: 'new' }],
  }),
  'order.status-changed': moved,
  'order.cancelled': moved,
  'order.rescheduled': ({ mover, version }) => ({
    message: { to: 'customer', by: everyWay, kind: 'rescheduled', version, after: SETTLE_SECONDS },
    staff: [{ kind: mover === 'customer' ? 'order-rescheduled' : 'order-day-changed' }],
  }),
  'order.attempted': ({ attempts }) => ({
    message: { to: 'customer', by: ['whatsapp', 'sms'], kind: 'attempted' },
    staff: [
      { kind: 'order-attempted' },
      ...(attempts >= ATTEMPTS_BEFORE_CALL ? [{ kind: 'order-needs-call' } as const] : []),
    ],
  }),
  'order.call-requested': () => ({ staff: [{ kind: 'order-needs-call' }] }),
  'order.items-changed': (job) => edited(job, 'order-items-changed'),
  'order.address-changed': (job) => edited(job, 'order-address-changed'),
  'order.payment-changed': () => ({ staff: [{ kind: 'order-payment-changed' }] }),
  'order.driver-assigned': (job) => ({
    message: { to: 'driver', by: ['whatsapp'], driverId: job.driverId, version: job.version, after: DRIVER_SECONDS },
    staff: handedOver(job),
  }),
  'order.driver-removed': (job) => ({ staff: handedOver(job) }),
  'order.driver-left': () => ({ staff: [{ kind: 'order-driver-left', driverId: null }] }),
  'order.confirmation-asked': ({ reference }) => ({
    message: { to: 'phone', by: ['whatsapp', 'sms'], text: 'confirmation', reference },
  }),
  'order.receipt-asked': ({ reference }) => ({
    message: { to: 'phone', by: ['whatsapp'], text: 'receipt', reference },
  }),
  'order.noted': () => ({}),
  // Jobs of an earlier version.
  'order.cash-not-booked': () => ({}),
  'order.terms-agreed': () => ({}),
  'message.received': ({ isAwaited }) => ({
    staff: [{ kind: isAwaited ? 'message-received' : 'conversation-changed' }],
  }),
  'conversation.waiting': () => ({ staff: [{ kind: 'conversation-waiting' }] }),
  'message.status-changed': changed,
  'conversation.changed': changed,
  'conversation.read': changed,
  'connection.changed': () => ({ staff: [{ kind: 'connection-changed' }] }),
  'account.alarm': () => ({ staff: [{ kind: 'account-alarm' }] }),
}

export const toldBy = <Event extends EveryEvent>(job: EventJob<Event>): Told => messages[job.event](job)
