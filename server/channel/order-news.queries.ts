import type { Lang } from '@qatra/contract/lang'
import type { Fils } from '@qatra/contract/money'
import type { OrderStatus } from '@qatra/contract/order-status'
import { type Db, run, statement } from '../platform/db.ts'

export interface OrderToTell {
  status: OrderStatus
  vendor_name: string
  vendor_name_ar: string | null
  total: Fils
  promised_date: string
  phone: string
  language: Lang
}

const orderSql = statement(
  'order-to-tell',
  `select o.status, o.vendor_name, o.vendor_name_ar, o.total, o.promised_date, u.phone, u.language
   from orders o join users u on u.id = o.user_id
   where o.id = $1 and u.is_verified and u.is_active and u.erased_at is null
     and u.notification_enabled and 'order_updates' = any (u.notification_types)`,
)

/** The order with the phone of its customer; null where that one is not verified or wants no news. */
export async function findOrderToTell(db: Db, orderId: string): Promise<OrderToTell | null> {
  const [row] = await run<OrderToTell>(db, orderSql, [orderId])
  return row ?? null
}
