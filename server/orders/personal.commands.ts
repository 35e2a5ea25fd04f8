import { and, desc, eq, getTableColumns, inArray, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { byWhom, type PersonalData } from '../database/personal-data.ts'
import { cancelOrdersBeforeErasure } from './status/commands.ts'
import { ERASED } from './status/rules.ts'
import { orderAuditHistory, orderItems, orderKeys, orders, receipts } from './tables.ts'

/** The export omits staff ids and the state of the older system. */
const { placedBy, assignedDriverId, searchText, legacyBagId, legacyTransactionId, lastSyncAt, ...more } =
  getTableColumns(orders)
const { syncStatus, syncErrors, version, ...orderColumns } = more

export const orderPersonalData: PersonalData = {
  tables: {
    orders: { exported: 'orders', erased: 'open ones cancelled; name, phone, address, place and notes taken out' },
    order_items: { exported: 'orderItems', erased: 'reasons of agreed prices taken out' },
    order_audit_history: { exported: 'orderHistory', erased: 'notes taken out; ids, values and times stay' },
    order_keys: { exported: 'no: keys and hashes against double orders', erased: 'deleted' },
    receipts: { exported: 'receipts', erased: 'no: number, seller, VAT number of a business and day, required by law' },
  },
  async export({ db }, person) {
    const most = person.maxRows
    const own = await db
      .select(orderColumns)
      .from(orders)
      .where(eq(orders.userId, person.id))
      .orderBy(desc(orders.createdAt))
      .limit(most)
    const ids = own.map((order) => order.id)
    const items = await db
      .select()
      .from(orderItems)
      .where(inArray(orderItems.orderId, ids))
      .orderBy(desc(orderItems.id))
      .limit(most)
    const history = await db
      .select()
      .from(orderAuditHistory)
      .where(inArray(orderAuditHistory.orderId, ids))
      .orderBy(desc(orderAuditHistory.id))
      .limit(most)
    return {
      orders: own.map((order) => ({ ...order, moneyUnit: 'fils' })),
      orderItems: items,
      // A change of driver names only staff.
      orderHistory: history
        .filter(({ fieldChanged }) => fieldChanged !== 'assignedDriverId')
        .map(({ changedBy, onBehalfOf: _, ...row }) => ({ ...row, by: byWhom(changedBy, person) })),
      receipts: await db.select().from(receipts).where(inArray(receipts.orderId, ids)).limit(most),
    }
  },
  erase: (ctx, { id }) => erasePersonInOrders(ctx, id),
}

/**
 * Replaces name, phone and address in the person's orders by a placeholder; items and amounts stay. Needs an erasing
 * transaction (`qatra.erasing`), which may clear notes in the history.
 */
async function erasePersonInOrders(ctx: Ctx, userId: number): Promise<void> {
  await cancelOrdersBeforeErasure(ctx, userId)
  const ofUser = eq(orders.userId, userId)
  await ctx.db
    .update(orders)
    .set({
      customerName: ERASED,
      referral: null,
      phone: ERASED,
      address: ERASED,
      addressParts: null,
      instructions: null,
      receiverName: null,
      receiverPhone: null,
      lat: 0,
      lng: 0,
      pinSource: null,
      syncErrors: null,
      updatedAt: ctx.now,
    })
    .where(ofUser)
  const orderIds = ctx.db.select({ id: orders.id }).from(orders).where(ofUser)
  await ctx.db
    .update(orderItems)
    .set({ priceReason: null })
    .where(and(inArray(orderItems.orderId, orderIds), isNotNull(orderItems.priceReason)))
  await ctx.db
    .update(orderAuditHistory)
    .set({ notes: null })
    .where(and(inArray(orderAuditHistory.orderId, orderIds), isNotNull(orderAuditHistory.notes)))
  await ctx.db.delete(orderKeys).where(eq(orderKeys.userId, userId))
}
