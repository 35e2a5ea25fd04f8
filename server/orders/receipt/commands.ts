import { eq, type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Catalogue } from '../../catalogue/queries.ts'
import { takeNumberLock } from '../../database/advisory-lock.ts'
import type { Ctx } from '../../database/context.ts'
import { type Db, run, statement } from '../../database/db.ts'
import { runJobTransaction } from '../../database/transaction.ts'
import { publish } from '../../jobs/domain-events.ts'
import type { QueueName } from '../../jobs/queues.ts'
import { AppError } from '../../lib/errors.ts'
import { lockOrderRow, type OrderItemRow, type OrderRow } from '../queries.ts'
import { orders } from '../tables.ts'
import { findReceipt, findReceiptOrder, listItems, paperCopy, type ReceiptOrder } from './queries.ts'
import { creditNotes, receipts, type Seller } from './tables.ts'

type Receipt = NonNullable<ReceiptOrder['receipt']>

interface NewReceipt extends ReturnType<typeof paperCopy> {
  orderId: string
  vendorId: number
  seller: Seller
  buyerVatNumber: string | null
}

/**
 * Gives a delivered order its number, in the transaction of the delivery. A test order gets none; one that has a valid
 * number keeps it.
 */
export async function numberDelivered(ctx: Pick<Ctx, 'db'>, catalogue: Pick<Catalogue, 'settings'>, orderId: string) {
  const found = await findReceiptOrder(ctx, catalogue, orderId)
  if (!found || found.order.isTest || found.receipt) return
  const { order, items, bottles, seller, buyerVatNumber } = found
  await issueReceipt(ctx.db, {
    orderId,
    vendorId: order.vendorId,
    seller,
    buyerVatNumber,
    ...paperCopy(order, items, bottles),
  })
}

const BATCH = 100

// The order is locked before the number, as a delivery does. In the order of the numbers' locks and of the deliveries.
const unnumberedSql = statement(
  'orders-unnumbered',
  `select o.id from orders o
   where o.status = 'delivered' and not o.is_test and not exists (select from receipts r where r.order_id = o.id
     and not exists (select from credit_notes c where c.vendor_id = r.vendor_id and c.invoice_number = r.number))
   order by o.vendor_id, o.delivered_at, o.id limit ${BATCH}
   for no key update of o skip locked`,
)

/** Numbers the delivered orders that have no number: those delivered before deliveries gave numbers. */
export async function numberUnnumbered(pool: pg.Pool, catalogue: Pick<Catalogue, 'settings'>): Promise<void> {
  for (let numbered = BATCH; numbered === BATCH; )
    numbered = await runJobTransaction(pool, async (ctx) => {
      const found = await run<{ id: string }>(ctx.db, unnumberedSql)
      for (const { id } of found) await numberDelivered(ctx, catalogue, id)
      return found.length
    })
}

const undeliveredSql = statement(
  'orders-numbered-undelivered',
  `select o.id from orders o join receipts r on r.order_id = o.id
   where o.status <> 'delivered'
     and not exists (select from credit_notes c where c.vendor_id = r.vendor_id and c.invoice_number = r.number)
   order by o.vendor_id, r.number limit ${BATCH}
   for no key update of o skip locked`,
)

/** Credits the valid receipts of orders that are not delivered: an earlier version let them keep their number. */
export async function creditUndelivered(pool: pg.Pool): Promise<void> {
  for (let credited = BATCH; credited === BATCH; )
    credited = await runJobTransaction(pool, async (ctx) => {
      const found = await run<{ id: string }>(ctx.db, undeliveredSql)
      for (const { id } of found) {
        const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
        if (order) await creditReceipt(ctx.db, order, await listItems(ctx.db, id))
      }
      return found.length
    })
}

/** The day on which `bookSale` books the sale, or its end, in the same transaction. @param at default: now */
const openDay = (vendorId: number, at: string | null) =>
  sql<string>`first_open_cash_day(${vendorId}, timezone('Asia/Bahrain', coalesce(${at}::timestamptz, now()))::date)`

/**
 * Gives an order the vendor's next number, unless it has a valid one; repeated and concurrent calls return the same one.
 * Takes the last lock.
 */
export async function issueReceipt(db: Db, { orderId, vendorId, ...copy }: NewReceipt): Promise<Receipt> {
  // Serializes the vendor's numbers until the commit.
  await takeNumberLock(db, 'receipt-numbers', vendorId)
  const known = await findReceipt(db, orderId)
  if (known) return known
  const [issued] = await db
    .insert(receipts)
    .values({
      orderId,
      vendorId,
      number: sql`(select coalesce(max(number), 0) + 1 from receipts where vendor_id = ${vendorId})`,
      ...copy,
      day: openDay(vendorId, copy.bill.deliveredAt),
      issuedAt: sql`now()`,
    })
    .returning()
  if (!issued) throw new Error('An insert answers its row')
  return issued
}

/**
 * Credits the receipt of a delivery that is taken back, in the same transaction; does nothing if the order has none.
 * Takes the last lock.
 * @param order as it was delivered, with its items
 */
export async function creditReceipt(db: Db, order: OrderRow, items: readonly OrderItemRow[]): Promise<void> {
  const { id: orderId, vendorId } = order
  await takeNumberLock(db, 'receipt-numbers', vendorId)
  const receipt = await findReceipt(db, orderId)
  if (!receipt) return
  const copy = paperCopy(order, items)
  await db.insert(creditNotes).values({
    orderId,
    vendorId,
    number: sql`(select coalesce(max(number), 0) + 1 from credit_notes where vendor_id = ${vendorId})`,
    invoiceNumber: receipt.number,
    bill: receipt.bill ?? copy.bill,
    buyer: receipt.bill ? receipt.buyer : copy.buyer,
    day: openDay(vendorId, null),
    issuedAt: sql`now()`,
  })
}

/** The jobs are rows of the same database, written by requests that held the order's lock. */
const recentSql = statement(
  'receipt-asked-recently',
  `select from pgboss.job
   where name = $1 and data->>'id' = $2 and created_on > now() - interval '1 minute' limit 1`,
)

/**
 * Sends the receipt of a delivered order to its customer, at most once a minute. @throws ORDER_NOT_FOUND,
 * RECEIPT_NOT_READY, CUSTOMER_NOT_REACHABLE
 */
export async function requestReceipt(
  ctx: Ctx,
  typedId: string,
  { scope, isReachable = () => true }: { scope: SQL; isReachable?: (phone: string) => boolean },
): Promise<void> {
  const { id, phone, status } = await lockOrderRow(ctx, typedId, scope)
  if (status !== 'delivered') throw new AppError('RECEIPT_NOT_READY')
  if (!isReachable(phone)) throw new AppError('CUSTOMER_NOT_REACHABLE')
  if ((await run(ctx.db, recentSql, ['receipt-news' satisfies QueueName, id])).length > 0) return
  await publish(ctx, 'order.receipt-asked', { id, reference: `receipt:${id}:${ctx.now.getTime()}` })
}
