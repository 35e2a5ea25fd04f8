import type { Readable } from 'node:stream'
import { bahrainDate, bahrainTime } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import { plainAmount } from '@qatra/contract/lib/money'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { formatSize } from '@qatra/contract/products/sizes'
import { itemText } from '@qatra/contract/products/unit-text'
import { and, desc, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { csvFile } from '../../lib/csv.ts'
import { translatorFor } from '../../lib/translate.ts'
import { orders } from '../tables.ts'
import { type Filters, matching, resolved } from './filters.queries.ts'
import { readAdminOrders } from './order.queries.ts'

const BATCH = 200

/** All matching orders, newest first, read while the file is sent. */
export async function exportOrders(ctx: Ctx, filters: Filters, lang: Lang): Promise<Readable> {
  const where = matching(ctx, await resolved(ctx, filters))
  const t = translatorFor(lang)
  const named = (name: string | null, nameAr: string | null) => (lang === 'ar' && nameAr?.trim() ? nameAr : name)
  return csvFile({
    rows: readOrders(ctx, where),
    columns: {
      id: ({ id }) => id,
      placedDay: ({ createdAt }) => bahrainDate(new Date(createdAt)),
      placedTime: ({ createdAt }) => bahrainTime(new Date(createdAt)),
      promised: ({ promisedDate }) => promisedDate,
      status: ({ status }) => t(`orderFile.status.${status}`),
      vendor: ({ vendorName, vendorNameAr }) => named(vendorName, vendorNameAr),
      customer: ({ customerName }) => customerName,
      phone: ({ phone }) => phone.replace(/^\+/, ''),
      area: ({ areaName, areaNameAr }) => named(areaName, areaNameAr),
      address: ({ address }) => address,
      items: ({ items }) =>
        items
          .filter(({ quantity }) => quantity > 0)
          .map((item) =>
            itemText({ t, lang }, item, {
              count: item.quantity,
              name: `${named(item.name, item.nameAr)} ${formatSize(item.size, lang)}`,
            }),
          )
          .join('; '),
      subtotal: ({ subtotal }) => plainAmount(subtotal),
      fee: ({ deliveryFee }) => plainAmount(deliveryFee),
      vat: ({ productVAT }) => plainAmount(productVAT),
      total: ({ total }) => plainAmount(total),
      method: ({ paymentMethod }) => t(`orderFile.method.${paymentMethod}`),
      payment: ({ paymentStatus }) => t(`orderFile.payment.${paymentStatus}`),
      driver: ({ driver }) => driver?.name ?? null,
      instructions: ({ instructions }) => instructions,
    },
    titleOf: (column) => t(`orderFile.${column}`),
  })
}

async function* readOrders(ctx: Ctx, where: ReturnType<typeof matching>) {
  let last: AdminOrder | undefined
  do {
    const batch: AdminOrder[] = await nextBatch(ctx, where, last)
    yield* batch
    last = batch.length === BATCH ? batch.at(-1) : undefined
  } while (last)
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
