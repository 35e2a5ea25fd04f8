import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { Page, PageQuery } from '@qatra/contract/lib/page'
import { shownPicture } from '@qatra/contract/media'
import { amountPaid, cashDue } from '@qatra/contract/orders/cash'
import type { HistoryAction, OrderField } from '@qatra/contract/orders/history'
import { parseOrderId } from '@qatra/contract/orders/order-id'
import { type OrderStatus, openStatuses, paymentStatusOf, type StepFacts } from '@qatra/contract/orders/order-status'
import type { Order, SyncError } from '@qatra/contract/orders/orders'
import { totalsInBhd } from '@qatra/contract/orders/totals'
import { and, asc, count, desc, eq, getTableColumns, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { balancesOf, moneyOf } from '../ledger/queries.ts'
import { AppError } from '../lib/errors.ts'
import { vendorBusiness, vendors } from '../vendors/tables.ts'
import { asksForDay, attemptFields, type HistoryRow, untriedAttempt } from './attempts.queries.ts'
import { abilities, cancellableUntil, isVendorStaffOf, ownedBy } from './policy.ts'
import { invoicesOf, readInvoices } from './receipt/queries.ts'
import { isOwn } from './status/rules.ts'
import { orderAuditHistory, orderItems, orderRatings, orders } from './tables.ts'

/** @throws ORDER_NOT_FOUND, the same for a foreign and an unknown order */
export async function requireOrder(ctx: Ctx, typedId: string, scope: SQL = ownedBy(ctx.actor)): Promise<Order> {
  const id = parseOrderId(typedId)
  const [found] = id === null ? [] : await readOrders(ctx, and(eq(orders.id, id), scope), { limit: 1, offset: 0 })
  if (!found) throw new AppError('ORDER_NOT_FOUND')
  return found
}

/** The plain row, for commands. */
export const requireOrderRow = async (ctx: Ctx, typedId: string, scope: SQL): Promise<OrderRow> =>
  requireFirst(await selectOrder(ctx, typedId, scope))

/** Locks the order until the transaction ends and returns its current row. */
export const lockOrderRow = async (ctx: Ctx, typedId: string, scope: SQL): Promise<OrderRow> =>
  requireFirst(await selectOrder(ctx, typedId, scope).for('update'))

function selectOrder({ db }: Ctx, typedId: string, scope: SQL) {
  const id = parseOrderId(typedId)
  return db
    .select()
    .from(orders)
    .where(id === null ? sql`false` : and(eq(orders.id, id), scope))
}

function requireFirst([row]: OrderRow[]): OrderRow {
  if (!row) throw new AppError('ORDER_NOT_FOUND')
  return row
}

/** @throws VERSION_CONFLICT if the client saw another version of the order */
export function requireVersion(order: Pick<OrderRow, 'version'>, seen: number | undefined): void {
  if (seen !== undefined && seen !== order.version) throw new AppError('VERSION_CONFLICT', { version: order.version })
}

export type OrderRow = typeof orders.$inferSelect
export type OrderItemRow = typeof orderItems.$inferSelect

/** The actor's own orders, newest first. */
export function listMyOrders(ctx: Ctx, { status, ...query }: PageQuery & { status?: 'open' }): Promise<Page<Order>> {
  const isOpen = status === 'open' ? inArray(orders.status, openStatuses) : undefined
  return pageOfOrders(ctx, and(ownedBy(ctx.actor), isOpen), query)
}

/** Newest first. */
export async function pageOfOrders(ctx: Ctx, scope: SQL | undefined, { page, limit }: PageQuery): Promise<Page<Order>> {
  const [items, [counted]] = await Promise.all([
    readOrders(ctx, scope, { limit, offset: (page - 1) * limit }),
    ctx.db.select({ total: count() }).from(orders).where(scope),
  ])
  return { items, page, limit, total: counted?.total ?? 0 }
}

/** The newest order in the scope. */
export async function findNewestOrder(ctx: Ctx, scope: SQL | undefined): Promise<Order | null> {
  const [found] = await readOrders(ctx, scope, { limit: 1, offset: 0 })
  return found ?? null
}

const vendorColumns = {
  tint: vendors.tint,
  emblem: vendors.emblem,
  whatsappLink: vendors.whatsappLink,
  contactNumber: vendors.contactNumber,
}
const isProcessed = sql<boolean>`coalesce(${vendorBusiness.processing}, true)`
const ratingColumns = { water: orderRatings.water, driver: orderRatings.driver, at: orderRatings.ratedAt }
type RatingRow = Pick<typeof orderRatings.$inferSelect, 'water' | 'driver'> & { at: Date }
type VendorLook = { [key in keyof typeof vendorColumns]: string | null }

/** `due` is for staff: answers are cut to the contract. */
export type OrderWithBalance = Order & { due: number }

const DAY_MS = 86_400_000

/** Newest first; five statements for any number of orders. */
export async function readOrders(
  ctx: Ctx,
  where: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<OrderWithBalance[]> {
  const rows = await ctx.db
    .select({ ...getTableColumns(orders), vendor: vendorColumns, processing: isProcessed, rating: ratingColumns })
    .from(orders)
    .innerJoin(vendors, eq(vendors.id, orders.vendorId))
    .leftJoin(vendorBusiness, eq(vendorBusiness.vendorId, orders.vendorId))
    .leftJoin(orderRatings, eq(orderRatings.orderId, orders.id))
    .where(where)
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(limit)
    .offset(offset)
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const [received, invoices, items, history] = await Promise.all([
    balancesOf(ctx, ids),
    readInvoices(ctx, ids),
    ctx.db.select().from(orderItems).where(inArray(orderItems.orderId, ids)).orderBy(asc(orderItems.id)),
    ctx.db
      .select({
        orderId: orderAuditHistory.orderId,
        action: orderAuditHistory.action,
        field: orderAuditHistory.fieldChanged,
        from: orderAuditHistory.oldValue,
        to: orderAuditHistory.newValue,
        at: orderAuditHistory.changedAt,
        by: sql<number | null>`coalesce(${orderAuditHistory.onBehalfOf}, ${orderAuditHistory.changedBy})`,
      })
      .from(orderAuditHistory)
      .where(
        and(
          inArray(orderAuditHistory.orderId, ids),
          // Bounds the months that are read; a day more, as clocks differ.
          gte(orderAuditHistory.changedAt, new Date(Math.min(...rows.map((row) => Number(row.createdAt))) - DAY_MS)),
          inArray(orderAuditHistory.fieldChanged, attemptFields),
        ),
      )
      .orderBy(asc(orderAuditHistory.id)),
  ])
  return rows.map((row) =>
    describe(ctx, row, {
      received: received.get(row.id) ?? 0,
      invoices: invoicesOf(invoices, row.id),
      items: items.filter((item) => item.orderId === row.id),
      history: history.filter((change) => change.orderId === row.id),
    }),
  )
}

export const readSyncErrors = (stored: string | null): SyncError[] =>
  stored ? (JSON.parse(stored) as SyncError[]) : [] // only `recordSync` writes it, in this shape

interface Parts {
  /** Fils. */
  received: number
  invoices: Pick<Order, 'invoiceNumber' | 'creditNotes'>
  items: OrderItemRow[]
  history: HistoryRow[]
}
/** Changes of these fields so far, and how many of them the customer made. */
async function countChanges({ db }: Pick<Ctx, 'db'>, orderId: string, fields: OrderField[]) {
  const { orderId: of, fieldChanged, changedBy, onBehalfOf } = orderAuditHistory
  const [counted] = await db
    .select({
      all: count(),
      own: sql<number>`count(*) filter (where coalesce(${onBehalfOf}, ${changedBy}) = ${orders.userId})::int`,
    })
    .from(orderAuditHistory)
    .innerJoin(orders, eq(orders.id, of))
    .where(and(eq(of, orderId), inArray(fieldChanged, fields)))
  return counted ?? { all: 0, own: 0 }
}

export const countEdits = (ctx: Pick<Ctx, 'db'>, orderId: string) => countChanges(ctx, orderId, ['items', 'address'])
export const countMoves = (ctx: Pick<Ctx, 'db'>, orderId: string) => countChanges(ctx, orderId, ['promisedDate'])

const closedAction: HistoryAction = 'day-closed'
const bhd = (stored: number) => toBhd(stored as Fils) // money columns hold fils
const iso = (at: Date | null) => at?.toISOString() ?? null

function describe(
  ctx: Ctx,
  row: OrderRow & StepFacts & { vendor: VendorLook; rating: RatingRow | null },
  { received, invoices, items, history }: Parts,
): OrderWithBalance {
  const {
    lat,
    lng,
    vendor,
    createdAt,
    updatedAt,
    deliveredAt,
    lastSyncAt,
    syncErrors,
    searchText: _,
    rating,
    announcedDate: _announced,
    paidToOffice: _paid,
    ...rest
  } = row
  const attempt = { asksForDay: asksForDay(history) }
  const steps = history.filter(({ field }) => field === 'status')
  const lastMove = history.findLast(({ field }) => field === 'promisedDate')
  const isStaff = isVendorStaffOf(ctx.actor, row)
  return {
    ...rest,
    // Staff ids and the state of the older system are only for staff.
    ...(!isStaff && {
      placedBy: null,
      assignedDriverId: null,
      legacyBagId: null,
      legacyTransactionId: null,
      syncStatus: null,
    }),
    vendorLogo: shownPicture(row.vendorLogo),
    vendorTint: vendor.tint,
    vendorEmblem: vendor.emblem,
    vendorWhatsappLink: vendor.whatsappLink,
    vendorContactNumber: vendor.contactNumber,
    mapCoordinates: { lat, lng },
    paymentStatus: paymentStatusOf(row.paymentStatus),
    payingWith: row.payingWith === null ? null : bhd(row.payingWith),
    ...totalsInBhd(row),
    amountPaid: bhd(amountPaid({ ...row, received })),
    due: balanceOf(row, received),
    cashDue: bhd(cashDue({ ...row, received })),
    items: items.map(({ orderId: _id, price, bottleDeposit, listPrice, priceReason, ...item }) => ({
      ...item,
      bottleDeposit: bottleDeposit === null ? null : bhd(bottleDeposit),
      imageUrl: shownPicture(item.imageUrl),
      price: bhd(price),
      // The list price and the agent's reason are for staff only.
      ...(isStaff && { listPrice: listPrice === null ? null : bhd(listPrice), priceReason }),
    })),
    ...invoices,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    deliveredAt: iso(deliveredAt),
    lastSyncAt: isStaff ? iso(lastSyncAt) : null,
    syncErrors: isStaff && syncErrors ? readSyncErrors(syncErrors) : null,
    cancellableUntil: cancellableUntil(createdAt).toISOString(),
    // A driver does not see who complained.
    rating:
      rating && (isOwn(ctx.actor, row) || ctx.actor.user?.role !== 'driver')
        ? { ...rating, at: rating.at.toISOString() }
        : null,
    // The history contains only valid statuses for the field `status`.
    steps: steps.map(({ to, at }) => ({ status: (to ?? 'new') as OrderStatus, at: at.toISOString() })),
    movedFrom: lastMove?.from ?? null,
    movedByClosure: lastMove?.action === closedAction,
    failedAttempts: history.filter(({ field }) => field === 'attempt').length,
    ...attempt,
    lastAttemptAt: iso(untriedAttempt(history, row.userId)?.at ?? null),
    can: abilities(ctx.actor, { ...row, ...attempt, ...invoices }, ctx.now),
  }
}

/** Fils received for an order. @param order alias */
export const receivedSql = (order: string) =>
  `coalesce((select sum(entry.amount) ${moneyOf(`${order}.id`)}), 0)::float8`

const billSql = statement(
  'order-bill',
  `select o.total::float8 as total, ${receivedSql('o')} as received from orders o where o.id = $1`,
)

/** Total of an order that the caller has locked, and what was received for it, in fils. */
export async function readBill({ db }: Pick<Ctx, 'db'>, orderId: string): Promise<{ total: number; received: number }> {
  const [row] = await run<{ total: number; received: number }>(db, billSql, [orderId])
  return row ?? { total: 0, received: 0 }
}

/** Fils that the customer owes for the order, paid or not: nothing once it is cancelled. */
export const owedFor = ({ status, total }: Pick<OrderRow, 'status' | 'total'>): number =>
  status === 'cancelled' ? 0 : total

/** BHD still to pay; negative: owed back. @param received fils */
export const balanceOf = (order: Pick<OrderRow, 'status' | 'total'>, received: number): number =>
  bhd(owedFor(order) - received)
