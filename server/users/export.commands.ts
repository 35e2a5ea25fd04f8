import { eq, getTableColumns, inArray, or } from 'drizzle-orm'
import { knownDevices, loginCodes, sessions } from '../auth/tables.ts'
import { cartItems, carts } from '../cart/tables.ts'
import { contacts, simulatedMessages, whatsappConversationThreads, whatsappMessages } from '../channel/tables.ts'
import { customerNotes, customerTags } from '../customers/tables.ts'
import { magicLinks } from '../links/tables.ts'
import { orderAuditHistory, orderItems, orders } from '../orders/tables.ts'
import { type Ctx, userOf } from '../platform/context.ts'
import { auditLog } from '../platform/tables.ts'
import { listEventsOf } from '../whatsapp/webhook/person.commands.ts'
import { describeUser } from './queries.ts'
import { users } from './tables.ts'

/** Everything stored about the person, by table. Hashes of cookies, codes and tokens are keys, not data, and stay out. */
export async function exportAccount(ctx: Ctx): Promise<Record<string, unknown>> {
  const { db } = ctx
  const { id, phone } = userOf(ctx)
  const [row] = await db.select().from(users).where(eq(users.id, id))
  if (!row) throw new Error('A session has its user')
  const mine = await db.select().from(orders).where(eq(orders.userId, id)).orderBy(orders.createdAt)
  const orderIds = mine.map((order) => order.id)
  const own = await db.select().from(carts).where(eq(carts.userId, id))
  const cartIds = own.map((cart) => cart.id)
  const [contact] = await db.select().from(contacts).where(eq(contacts.phone, phone))

  const { id: sessionHash, ...sessionColumns } = getTableColumns(sessions)
  const { codeHash, ...codeColumns } = getTableColumns(loginCodes)
  const { id: deviceHash, ...deviceColumns } = getTableColumns(knownDevices)
  const { token, ...linkColumns } = getTableColumns(magicLinks)
  const { sealedBody, sealedParts, ...simulatedColumns } = getTableColumns(simulatedMessages)
  const isOwnMessage = or(
    eq(whatsappMessages.toNumber, phone),
    eq(whatsappMessages.fromNumber, phone),
    contact ? eq(whatsappMessages.contactId, contact.id) : undefined,
  )
  return {
    exportedAt: ctx.now.toISOString(),
    user: {
      ...describeUser(row),
      isActive: row.isActive,
      consentSource: row.consentSource,
      consentAt: row.consentAt,
      lastLoginAt: row.lastLoginAt,
      lastActiveAt: row.lastActiveAt,
      updatedAt: row.updatedAt,
    },
    orders: mine.map((order) => ({ ...order, moneyUnit: 'fils' })),
    orderItems: await db.select().from(orderItems).where(inArray(orderItems.orderId, orderIds)),
    orderHistory: await db.select().from(orderAuditHistory).where(inArray(orderAuditHistory.orderId, orderIds)),
    carts: own,
    cartItems: await db.select().from(cartItems).where(inArray(cartItems.cartId, cartIds)),
    sessions: await db.select(sessionColumns).from(sessions).where(eq(sessions.userId, id)),
    devices: await db.select(deviceColumns).from(knownDevices).where(eq(knownDevices.phone, phone)),
    codes: await db.select(codeColumns).from(loginCodes).where(eq(loginCodes.phone, phone)),
    links: await db.select(linkColumns).from(magicLinks).where(eq(magicLinks.phone, phone)),
    customerNotes: await db.select().from(customerNotes).where(eq(customerNotes.userId, id)),
    customerTags: await db.select().from(customerTags).where(eq(customerTags.userId, id)),
    contacts: contact ? [contact] : [],
    messages: await db.select().from(whatsappMessages).where(isOwnMessage),
    conversations: await db
      .select()
      .from(whatsappConversationThreads)
      .where(eq(whatsappConversationThreads.contactId, contact?.id ?? 0)),
    webhookEvents: await listEventsOf(ctx, phone, 10_000),
    simulatedMessages: await db
      .select(simulatedColumns)
      .from(simulatedMessages)
      .where(eq(simulatedMessages.phone, phone)),
    audit: await db
      .select()
      .from(auditLog)
      .where(or(eq(auditLog.userId, id), eq(auditLog.onBehalfOf, id))),
  }
}
