import type { Lang } from '@qatra/contract/lib/lang'
import { addFils, type Fils, fromBhd, timesFils, toBhd, vatOfLine, zeroFils } from '@qatra/contract/lib/money'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { buyerNames } from '@qatra/contract/orders/buyer'
import type { OrderItem } from '@qatra/contract/orders/orders'
import { charges, mapKeys, type SumKind, totalsKeys } from '@qatra/contract/orders/totals'
import { formatSize } from '@qatra/contract/products/sizes'
import { itemText } from '@qatra/contract/products/unit-text'
import { and, desc, sql } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { type Cell, dayCell, dayOfCell, moneyCell, type Table, tableOf, timeCell } from '../../lib/table-file.ts'
import { translatorFor } from '../../lib/translate.ts'
import { orders } from '../tables.ts'
import { type Filters, matching, resolved } from './filters.queries.ts'
import { readAdminOrders } from './queries.ts'

const BATCH = 200

/** A row of the exported file: an order, or one line of it with the amounts that the line adds to the total. */
interface FileRow {
  order: AdminOrder
  name: string
  item?: OrderItem
  net: Fils
  vat: Fils
}

/** Products that were handed over; then what else the order costs, so that the rows add up to its total. */
function linesOf(order: AdminOrder, nameOf: (line: OrderItem | SumKind) => string): FileRow[] {
  const goods = order.items
    .filter(({ quantity }) => quantity > 0)
    .map((item) => {
      const price = fromBhd(item.price)
      const vat = vatOfLine(price, item.quantity, item.vatPercentage)
      return { order, item, name: nameOf(item), net: timesFils(price, item.quantity), vat }
    })
  const others = [...charges, 'deposit' as const].map((kind) => {
    return { order, name: nameOf(kind), net: fromBhd(order[kind]), vat: zeroFils }
  })
  return [...goods, ...others.filter(({ net }) => net !== 0)]
}

/** All matching orders, newest first, read while the file is sent. */
export async function exportOrders(
  ctx: Ctx,
  filters: Filters,
  { lang, rows }: { lang: Lang; rows: 'orders' | 'lines' },
): Promise<Table> {
  const where = matching(ctx, await resolved(ctx, filters))
  const t = translatorFor(lang)
  const named = (name: string | null, nameAr: string | null) => (lang === 'ar' && nameAr?.trim() ? nameAr : name)
  const nameOf = (item: OrderItem) => `${named(item.name, item.nameAr)} ${formatSize(item.size, lang)}`
  const ofOrder = (cellOf: (order: AdminOrder) => Cell) => (row: FileRow) => cellOf(row.order)
  const ofItem = (cellOf: (item: OrderItem) => Cell) => (row: FileRow) => (row.item ? cellOf(row.item) : null)
  const sums = {
    items: ofOrder(({ items }) =>
      items
        .filter(({ quantity }) => quantity > 0)
        .map((item) => itemText({ t, lang }, item, { count: item.quantity, name: nameOf(item) }))
        .join('; '),
    ),
    ...mapKeys(totalsKeys, (key) => ofOrder((order) => moneyCell(order[key]))),
  }
  const lines = {
    product: ({ name }: FileRow) => name,
    quantity: ofItem(({ quantity }) => quantity),
    unit: ofItem(({ inventoryUnit, inventoryUnitAr }) => named(inventoryUnit, inventoryUnitAr)),
    price: ofItem(({ price }) => moneyCell(price)),
    net: ({ net }: FileRow) => moneyCell(toBhd(net)),
    vatRate: ofItem(({ vatPercentage }) => vatPercentage),
    vat: ({ vat }: FileRow) => moneyCell(toBhd(vat)),
    gross: ({ net, vat }: FileRow) => moneyCell(toBhd(addFils(net, vat))),
  }
  const wordOf = (line: OrderItem | SumKind) => (typeof line === 'string' ? t(`totals.${line}`) : nameOf(line))
  async function* rowsOf() {
    for await (const order of readOrders(ctx, where)) {
      if (rows === 'lines') yield* linesOf(order, wordOf)
      else yield { order, name: '', net: zeroFils, vat: zeroFils }
    }
  }
  return tableOf<FileRow>({
    lang,
    rows: rowsOf(),
    columns: {
      id: ofOrder(({ id }) => id),
      receipt: ofOrder(({ invoiceNumber }) => invoiceNumber),
      placedDay: ofOrder(({ createdAt }) => dayOfCell(createdAt)),
      placedTime: ofOrder(({ createdAt }) => timeCell(createdAt)),
      promised: ofOrder(({ promisedDate }) => dayCell(promisedDate)),
      deliveredDay: ofOrder(({ deliveredAt }) => dayOfCell(deliveredAt)),
      status: ofOrder(({ status }) => t(`orderFile.status.${status}`)),
      vendor: ofOrder(({ vendorName, vendorNameAr }) => named(vendorName, vendorNameAr)),
      customer: ofOrder(({ customerName }) => customerName),
      phone: ofOrder(({ phone }) => phone.replace(/^\+/, '')),
      area: ofOrder(({ areaName, areaNameAr }) => named(areaName, areaNameAr)),
      address: ofOrder(({ address }) => address),
      ...(rows === 'lines' ? lines : sums),
      method: ofOrder(({ paymentMethod }) => t(`orderFile.method.${paymentMethod}`)),
      payment: ofOrder(({ paymentStatus }) => t(`orderFile.payment.${paymentStatus}`)),
      driver: ofOrder(({ driver }) => driver?.name ?? null),
      instructions: ofOrder(({ instructions }) => instructions),
      ...mapKeys(buyerNames, (name) => ofOrder((order) => order[name])),
      payingWith: ofOrder(({ payingWith }) => (payingWith === null ? null : moneyCell(payingWith))),
    },
    titleOf: (column) => t(totalsKeys.some((key) => key === column) ? `totals.${column}` : `orderFile.${column}`),
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
