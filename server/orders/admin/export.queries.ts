import type { Readable } from 'node:stream'
import { bahrainDate, bahrainTime } from '@qatra/contract/calendar'
import type { Lang } from '@qatra/contract/lang'
import type { AdminOrder } from '@qatra/contract/orders-admin'
import { formatSize } from '@qatra/contract/sizes'
import { and, desc, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { csvFile } from '../../lib/csv.ts'
import { type Translator, translatorFor } from '../../lib/translate.ts'
import { orders } from '../tables.ts'
import { type Filters, matching } from './filters.queries.ts'
import { readAdminOrders } from './order.queries.ts'

const BATCH = 200

const columns = [
  'id',
  'placedDay',
  'placedTime',
  'promised',
  'status',
  'vendor',
  'customer',
  'phone',
  'area',
  'address',
  'items',
  'subtotal',
  'fee',
  'vat',
  'total',
  'method',
  'payment',
  'driver',
  'instructions',
] as const

/** All matching orders, newest first, read while the file is sent. */
export function exportOrders(ctx: Ctx, filters: Filters, lang: Lang): Promise<Readable> {
  const where = matching(ctx, filters)
  const t = translatorFor(lang)
  async function* rows() {
    let last: AdminOrder | undefined
    do {
      const batch: AdminOrder[] = await nextBatch(ctx, where, last)
      for (const order of batch) yield rowOf(order, t, lang)
      last = batch.length === BATCH ? batch.at(-1) : undefined
    } while (last)
  }
  return csvFile(
    columns.map((column) => t(`orderFile.${column}`)),
    rows(),
  )
}

async function nextBatch(ctx: Ctx, where: ReturnType<typeof matching>, last: AdminOrder | undefined) {
  const before = last && sql`(${orders.createdAt}, ${orders.id}) < (${last.createdAt}::timestamptz, ${last.id})`
  const ids = await ctx.db
    .select({ id: orders.id })
    .from(orders)
    .where(and(where, before))
    .orderBy(sql`${orders.createdAt} desc nulls last`, desc(orders.id))
    .limit(BATCH)
  return readAdminOrders(
    ctx,
    ids.map(({ id }) => id),
  )
}

function rowOf(order: AdminOrder, t: Translator, lang: Lang) {
  const named = (name: string | null, nameAr: string | null) => (lang === 'ar' && nameAr?.trim() ? nameAr : name)
  const placed = new Date(order.createdAt)
  const items = order.items.map(
    (item) => `${item.quantity} × ${named(item.name, item.nameAr)} ${formatSize(item.size, lang)}`,
  )
  const cells: Record<(typeof columns)[number], string | number | null> = {
    id: order.id,
    placedDay: bahrainDate(placed),
    placedTime: bahrainTime(placed),
    promised: order.promisedDate,
    status: t(`orderFile.status.${order.status}`),
    vendor: named(order.vendorName, order.vendorNameAr),
    customer: order.customerName,
    phone: order.phone.replace(/^\+/, ''),
    area: named(order.areaName, order.areaNameAr),
    address: order.address,
    items: items.join('; '),
    subtotal: order.subtotal.toFixed(3),
    fee: order.deliveryFee.toFixed(3),
    vat: order.productVAT.toFixed(3),
    total: order.total.toFixed(3),
    method: t(`orderFile.method.${order.paymentMethod}`),
    payment: t(`orderFile.payment.${order.paymentStatus}`),
    driver: order.driver?.name ?? null,
    instructions: order.instructions,
  }
  return columns.map((column) => cells[column])
}
