import type { Lang } from '@qatra/contract/lib/lang'
import { amountPaid, type CashBill, cashDue } from '@qatra/contract/orders/cash'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { type Db, run, statement } from '../database/db.ts'
import { receivedSql } from '../orders/queries.ts'
import type { TemplateMessage } from '../providers/message.ts'
import { devicesOf } from '../push/queries.ts'
import type { OrderFacts } from './message.ts'

/** The delivered items of the order `o` as an item list, if less was delivered than ordered. */
export const partlyDelivered = `(
     select json_agg(json_build_object('name', name, 'nameAr', name_ar, 'size', size, 'quantity', quantity,
         'inventoryUnit', inventory_unit, 'inventoryUnitAr', inventory_unit_ar,
         'unitsPerInventoryUnit', units_per_inventory_unit) order by id)
       filter (where quantity > 0)
     from order_items where order_id = o.id having count(ordered_quantity) > 0)`

export interface OrderUpdate extends OrderFacts {
  status: OrderStatus
  vendor_id: number
  phone: string
  now: Date
  user_id: number
  /** The customer has a device for notifications, or this news has gone that way before. */
  goes_by_push: boolean
}

const billOf = `o.payment_method as "paymentMethod", o.payment_status as "paymentStatus", ${receivedSql('o')} as received`

const withPayment = <T extends CashBill>(row: T) => ({
  ...row,
  cash_due: cashDue(row),
  is_paid: amountPaid(row) >= row.total,
})

// The lock and the condition on the phone prevent messages to a person whose account is being erased.
const orderSql = statement(
  'order-to-tell',
  `select now() as now, o.id, o.status, o.vendor_id, o.vendor_name, o.vendor_name_ar, o.total, ${billOf}, o.promised_date as "promisedDate", u.phone, u.language,
     ${partlyDelivered} as delivered_items,
     u.id as user_id, exists (select ${devicesOf('u.id')})
       or exists (select from whatsapp_messages where dedupe_key = $2) as goes_by_push
   from orders o join users u on u.id = o.user_id
   where o.id = $1 and o.phone <> '—' and u.is_verified and u.is_active and u.erased_at is null
     and u.notification_enabled and 'order_updates' = any (u.notification_types)
   for share of o`,
)

/** The locked order with its customer's phone; null if the customer is erased, not verified or has order updates off. */
export async function findOrderUpdate(db: Db, orderId: string, pushKey = ''): Promise<OrderUpdate | null> {
  const [row] = await run<OrderUpdate & CashBill>(db, orderSql, [orderId, pushKey])
  return row ? withPayment(row) : null
}

// The keys are those of `newsKey` and `pushKey`.
const onlyAddressSql = statement(
  'news-only-address',
  `with edits as (
     select field_changed as field, row_number() over (order by id) as number from order_audit_history
     where order_id = $1 and field_changed in ('items', 'address'))
   select coalesce(bool_and(field = 'address'), false) as "isOnly" from edits
   where number > coalesce((
     select max(e.number) from edits e where exists (
       select from whatsapp_messages
       where dedupe_key in ('order:' || $1 || ':edit-' || e.number, 'order:' || $1 || ':edit-' || e.number || ':push'))), 0)`,
)

/** Whether the edits that no message has announced changed nothing but the address. */
export async function isOnlyAddress(db: Db, orderId: string): Promise<boolean> {
  const [row] = await run<{ isOnly: boolean }>(db, onlyAddressSql, [orderId])
  return row?.isOnly ?? false
}

const closedSql = statement(
  'news-window-closed',
  `select contact_id, dedupe_key, payload -> 'template' as template from whatsapp_messages
   where id = $1 and direction = 'outgoing' and status = 'failed' and errors -> -1 ->> 'kind' = 'window'
     and payload -> 'template' is not null and contact_id is not null and dedupe_key is not null`,
)
/** Free text that the provider refused because the service window is closed, with the template to send instead. */
export async function findClosedWindow(db: Db, messageId: number) {
  const [row] = await run<{ contact_id: number; dedupe_key: string; template: TemplateMessage }>(db, closedSql, [
    messageId,
  ])
  return row ?? null
}

interface NewsMissed {
  dedupe_key: string
  content: string
  phone: string
  language: Lang
}

// A newer message of the same order or invitation has its own fallback.
const missedSql = statement(
  'news-missed',
  `select m.dedupe_key, m.content, m.to_number as phone, coalesce(u.language, 'ar') as language
   from whatsapp_messages m left join users u on u.phone = m.to_number
   where m.id = $1 and m.channel = 'whatsapp' and m.direction = 'outgoing' and m.to_number is not null
     and m.dedupe_key ~ '^(order|confirmation|invitation):' and m.status not in ('delivered', 'read')
     and not exists (
       select from whatsapp_messages n
       where n.contact_id = m.contact_id and n.id > m.id and n.channel in ('whatsapp', 'push')
         and split_part(n.dedupe_key, ':', 1) in ('order', 'invitation')
         and split_part(n.dedupe_key, ':', 2) = split_part(m.dedupe_key, ':', 2))`,
)

/** Message that WhatsApp did not deliver and that is still the newest of its order or invitation. */
export async function findNewsMissed(db: Db, messageId: number): Promise<NewsMissed | null> {
  const [row] = await run<NewsMissed>(db, missedSql, [messageId])
  return row ?? null
}

export interface OrderForMessage extends OrderFacts {
  status: OrderStatus
  phone: string
}

const confirmSql = statement(
  'order-to-confirm',
  `select o.id, o.status, o.vendor_name, o.vendor_name_ar, o.total, ${billOf}, o.promised_date as "promisedDate", o.phone,
     ${partlyDelivered} as delivered_items,
     coalesce(u.language, 'ar') as language
   from orders o left join users u on u.id = o.user_id and u.erased_at is null
   where o.id = $1 and o.phone <> '—' for share of o`,
)

/** The order with its phone and its owner's language, locked against a concurrent erasure. */
export async function findOrderForMessage(db: Db, orderId: string): Promise<OrderForMessage | null> {
  const [row] = await run<OrderForMessage & CashBill>(db, confirmSql, [orderId])
  return row ? withPayment(row) : null
}

export interface DriverUpdate {
  phone: string
  language: Lang
  /** Orders on the driver's list that are neither delivered nor cancelled. */
  open_orders: number
}

// Orders assigned before the last message are included in its count.
const driverSql = statement(
  'driver-to-tell',
  `select u.phone, u.language,
     (select count(*)::integer from orders w
      where w.assigned_driver_id = u.id and w.vendor_id = u.vendor_id
        and w.status in ('new', 'in-progress', 'shipped')) as open_orders
   from orders o join users u on u.id = o.assigned_driver_id and u.vendor_id = o.vendor_id and u.role = 'driver'
   where o.id = $1 and u.id = $2 and o.status in ('new', 'in-progress', 'shipped')
     and u.is_active and u.erased_at is null and u.notification_enabled
     and not exists (
       select from whatsapp_messages m
       where m.to_number = u.phone and m.dedupe_key like 'driver:%' and m.status <> 'failed'
         and m.created_at > (select max(h.changed_at) from order_audit_history h
           where h.order_id = o.id and h.field_changed = 'assignedDriverId'))`,
)

/** Driver of an order; null if the order was reassigned, is finished or was reported already. */
export async function findDriverUpdate(db: Db, orderId: string, driverId: number): Promise<DriverUpdate | null> {
  const [row] = await run<DriverUpdate>(db, driverSql, [orderId, driverId])
  return row ?? null
}

const remindedSql = statement(
  'customer-reminded',
  `select from users u where u.id = $1 and u.reminders and not exists (
     select from orders o where o.user_id = u.id and o.status in ('new', 'in-progress', 'shipped'))`,
)

/** Whether the customer asks for reminders and has no open order. */
export const mayBeReminded = async (db: Db, userId: number): Promise<boolean> =>
  (await run(db, remindedSql, [userId])).length > 0
