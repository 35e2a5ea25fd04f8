import type { ConversationCart } from '@qatra/contract/whatsapp/inbox/cart'
import { letBotAnswer } from '../conversations/conversations.commands.ts'
import { requireReachedContact } from '../conversations/policy.ts'
import { queueMessage } from '../conversations/sending.commands.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { saveSession } from './commands.ts'
import { describeCartOf, isAwaitingYes, requireCustomer } from './customer-cart.ts'
import { askForConfirmation } from './dialogue/dialogue.ts'
import { runConversation } from './dialogue/turn-context.ts'
import { createIntentRunner, type Parts, setQuantityOf } from './intent-runner.commands.ts'
import type { KnownShop } from './knowledge/snapshot.queries.ts'
import { lockContact } from './queries.ts'

/** Locks the conversation, as a turn of the bot does, and reads its customer. */
async function lockCustomer(ctx: Ctx, catalogue: KnownShop, idOrPhone: string) {
  const { id: contactId } = await requireReachedContact(ctx, idOrPhone)
  await lockContact(ctx.db, { messageId: 0, contactId })
  return requireCustomer(ctx, catalogue, String(contactId))
}

/** Changes the customer's cart, on the customer's behalf. */
export async function changeCartOf(
  ctx: Ctx,
  catalogue: KnownShop,
  { contact, itemId, quantity }: { contact: string; itemId: number; quantity: number },
): Promise<ConversationCart> {
  const customer = await lockCustomer(ctx, catalogue, contact)
  const before = customer.cart.items.find(({ id }) => id === itemId)
  if (!customer.account || !before) throw new AppError('CART_ITEM_NOT_FOUND')
  const cart = await setQuantityOf(ctx, catalogue, customer, { itemId, quantity, now: ctx.now })
  if (before.quantity !== quantity) {
    await emit(ctx, {
      name: 'conversation.cart-changed',
      action: 'cart-changed',
      resource: 'conversation',
      id: customer.contactId,
      changes: [{ field: 'quantity', from: `${before.quantity} × ${before.name}`, to: `${quantity} × ${before.name}` }],
      onBehalfOf: customer.account.id,
    })
  }
  return describeCartOf(ctx, catalogue, { memory: customer.memory, cart })
}

/**
 * The bot shows the customer the cart with a button to confirm it, or asks for what is missing. Does nothing while the
 * customer can confirm the same cart. The bot stays paused if the summary is complete, since it takes a yes to it. The
 * conversation keeps its assignee.
 */
export async function sendCart(
  ctx: Ctx,
  parts: Parts,
  catalogue: KnownShop,
  contact: string,
): Promise<ConversationCart> {
  const customer = await lockCustomer(ctx, catalogue, contact)
  const { contactId, memory, person, account, language, cart } = customer
  if (cart.items.length === 0) throw new AppError('CART_EMPTY')
  if (isAwaitingYes(memory, cart, ctx.now)) return describeCartOf(ctx, catalogue, customer)
  const { now } = ctx
  // Ids of messages are positive.
  const token = -now.getTime()
  const asked = askForConfirmation(memory, token, { now, catalogue, person, cart })
  const turn = { parts, catalogue, customer: { contactId, person, account, language }, now }
  const result = await runConversation(asked, createIntentRunner(ctx, turn))
  for (const [place, message] of result.replies.entries()) {
    await queueMessage(ctx, {
      to: { contactId },
      message,
      dedupeKey: `cart:${contactId}:${token}:${place}`,
      by: { type: 'bot' },
    })
  }
  await saveSession(ctx, contactId, null, result.memory)
  if (result.memory.state !== 'confirm') await letBotAnswer(ctx, contactId, userOf(ctx).id)
  await emit(ctx, {
    name: 'conversation.cart-sent',
    action: 'cart-sent',
    resource: 'conversation',
    id: contactId,
  })
  return describeCartOf(ctx, catalogue, await requireCustomer(ctx, catalogue, String(contactId)))
}
