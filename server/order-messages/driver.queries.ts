import type { Lang } from '@qatra/contract/lib/lang'
import { type Db, run, statement } from '../database/db.ts'

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
