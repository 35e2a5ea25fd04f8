import type { Lang } from '@qatra/contract/lib/lang'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { type Db, run, statement } from '../database/db.ts'
import { partlyDelivered } from './customer.queries.ts'
import type { OrderFacts } from './message.ts'

export interface OrderToConfirm extends OrderFacts {
  status: OrderStatus
  phone: string
}

const confirmSql = statement(
  'order-to-confirm',
  `select o.id, o.status, o.vendor_name, o.vendor_name_ar, o.total, o.promised_date, o.phone,
     ${partlyDelivered} as delivered_items,
     coalesce(u.language, 'ar') as language
   from orders o left join users u on u.id = o.user_id and u.erased_at is null
   where o.id = $1 and o.phone <> '—' for share of o`,
)

/** The order with its phone and its owner's language, locked against a concurrent erasure. */
export async function findOrderToConfirm(db: Db, orderId: string): Promise<OrderToConfirm | null> {
  const [row] = await run<OrderToConfirm>(db, confirmSql, [orderId])
  return row ?? null
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
