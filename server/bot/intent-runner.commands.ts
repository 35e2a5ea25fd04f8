import { type Cart, emptyCart } from '@qatra/contract/cart/cart'
import type { Lang } from '@qatra/contract/lib/lang'
import type { ActorUser } from '@qatra/contract/users/actor'
import { proveCode, sendCode } from '../auth/codes.commands.ts'
import { listOwnBottles } from '../bottles/queries.ts'
import { addToCart, clearCart, setQuantity, switchCart } from '../cart/commands.ts'
import { readCart } from '../cart/queries.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { saveVerifiedPhone, setOptOut } from '../conversations/contacts.commands.ts'
import { findContact } from '../conversations/contacts.queries.ts'
import { requestHandoff } from '../conversations/conversations.commands.ts'
import type { Ctx } from '../database/context.ts'
import type { JobContext } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { AppError, commitWrites } from '../lib/errors.ts'
import { MAX_ORDERS_PER_HOUR, placeCartOrder } from '../orders/checkout/commands.ts'
import { changeOwnAddress, editOwnItems } from '../orders/editing/commands.ts'
import { countRefused } from '../orders/placing/metrics.ts'
import { ownedBy } from '../orders/policy.ts'
import { requestCall, rescheduleOwnOrder } from '../orders/promise/commands.ts'
import { countEdits, listMyOrders } from '../orders/queries.ts'
import { requestReceipt } from '../orders/receipt/commands.ts'
import { reorder } from '../orders/reorder/commands.ts'
import { cancelOrder } from '../orders/status/commands.ts'
import { listAddressRows, pointOf } from '../users/address-book.queries.ts'
import { requestCollection } from '../orders/visits/commands.ts'
import { admitUser, updateProfile } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import type { Intent, Outcome, Person } from './dialogue/turn-context.ts'
import type { Account } from './queries.ts'

export type Parts = Pick<App, 'config' | 'log' | 'cookies' | 'print'>

/** The customer, as far as known. */
export interface Customer {
  contactId: number
  person: Person
  account: Account | null
  language: Lang
}

const SHOWN_ORDERS = 10

/**
 * Context with a customer's rights, also for staff who order for themselves. Each contact counts as a network of its
 * own for the limits of codes.
 */
function ctxOf({ db, afterCommit }: JobContext, customer: Customer, now: Date, idempotencyKey: string | null): Ctx {
  const { account, contactId, language } = customer
  const user: ActorUser | null = account && {
    id: account.id,
    phone: account.phone,
    name: account.name,
    role: 'customer',
    vendorId: null,
    permissions: [],
    language: account.language,
    isVerified: account.isVerified,
  }
  const network = [contactId >>> 16, contactId & 0xffff].map((part) => part.toString(16)).join(':')
  return {
    db,
    now,
    actor: { user, guestSession: null, impersonator: null, lang: language },
    client: {
      ip: `fd00:${network}::1`,
      isForwarded: false,
      userAgent: 'WhatsApp',
      sessionId: null,
      keyId: null,
      deviceToken: null,
      idempotencyKey,
      areaId: null,
    },
    afterCommit,
    // There is no browser.
    setCookie: () => {},
    setHeader: () => {},
  }
}

export const readCartOf = (job: JobContext, catalogue: Catalogue, customer: Customer, now: Date): Promise<Cart> =>
  customer.account === null ? Promise.resolve(emptyCart) : readCart(ctxOf(job, customer, now, null), catalogue)

/** Sets a quantity in the cart of a customer who has an account. */
export const setQuantityOf = (
  job: JobContext,
  catalogue: Catalogue,
  customer: Customer,
  { itemId, quantity, now }: { itemId: number; quantity: number; now: Date },
): Promise<Cart> => setQuantity(ctxOf(job, customer, now, null), catalogue, itemId, { quantity })

interface Turn {
  parts: Parts
  catalogue: Catalogue
  customer: Customer
  now: Date
}

/** Runs intents by the shop's commands. Returns their errors as outcomes. */
export function createIntentRunner(job: JobContext, turn: Turn): (intent: Intent) => Promise<Outcome> {
  return async (intent) => {
    await job.db.$client.query('savepoint intent')
    try {
      const outcome = await perform(job, turn, intent)
      await job.db.$client.query('release savepoint intent')
      return outcome
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (intent.do === 'place') countRefused('bot', error)
      if (!error.keepsWrites) await job.db.$client.query('rollback to savepoint intent')
      return { ok: false, code: error.code, details: error.details }
    }
  }
}

async function perform(job: JobContext, turn: Turn, intent: Intent): Promise<Outcome> {
  const { parts, catalogue, customer, now } = turn
  const ctx = (key: string | null = null) => ctxOf(job, customer, now, key)
  switch (intent.do) {
    case 'add': {
      await requireAccount(job, turn)
      const { productId, quantity } = intent
      return { ok: true, cart: await addToCart(ctx(), catalogue, parts.cookies, { productId, quantity }) }
    }
    case 'switch': {
      const { productId, quantity } = intent
      return { ok: true, cart: await switchCart(ctx(), catalogue, parts.cookies, { productId, quantity }) }
    }
    case 'set':
      return { ok: true, cart: await setQuantity(ctx(), catalogue, intent.itemId, intent) }
    case 'clear':
      return { ok: true, cart: await clearCart(ctx(), catalogue) }
    case 'place':
      return place(job, turn, intent)
    case 'orders':
      return { ok: true, orders: (await listMyOrders(ctx(), { page: 1, limit: SHOWN_ORDERS })).items }
    case 'bottles':
      return { ok: true, bottles: customer.account === null ? [] : await listOwnBottles(ctx()) }
    case 'collect': {
      const { date } = await requestCollection(ctx(), catalogue, intent)
      return { ok: true, date }
    }
    case 'again': {
      const result = await reorder(ctx(), intent.orderId)
      return { ok: true, result, cart: await readCart(ctx(), catalogue) }
    }
    case 'cancel':
      return { ok: true, order: await cancelOrder(ctx(), intent.orderId, null) }
    case 'reschedule': {
      const { orderId, date, version } = intent
      return { ok: true, order: await rescheduleOwnOrder(ctx(), orderId, { date, version }, { isAnnounced: true }) }
    }
    case 'edit-items': {
      const { orderId, items, expectedTotal, version } = intent
      const order = await editOwnItems(ctx(), orderId, { items: [...items], expectedTotal, version })
      return { ok: true, order, edit: (await countEdits(ctx(), order.id)).all }
    }
    case 'edit-address': {
      const order = await changeOwnAddress(ctx(), catalogue, intent.orderId, intent.input)
      return { ok: true, order, edit: (await countEdits(ctx(), order.id)).all }
    }
    case 'request-call':
      await requestCall(ctx(), intent.orderId)
      return { ok: true }
    case 'receipt':
      await requestReceipt(ctx(), intent.orderId, { scope: ownedBy(ctx().actor) })
      return { ok: true }
    case 'call-person':
      await requestHandoff(job, customer.contactId, intent.reason, intent.orderId ?? null)
      return { ok: true }
    case 'opt-out':
    case 'opt-in':
      await setOptOut(job, customer.contactId, { isOut: intent.do === 'opt-out', source: 'message', at: intent.at })
      return { ok: true, isOut: Boolean((await findContact(job.db, customer.contactId))?.opted_out_at) }
    case 'choose-language':
      customer.language = intent.language
      if (customer.account?.isActive) await updateProfile(ctx(), { language: intent.language })
      return { ok: true }
    case 'send-code':
      await sendCode(ctx(), parts, { phone: intent.phone, language: customer.language })
      return { ok: true }
    case 'check-code':
      return checkCode(job, turn, intent)
  }
}

/** Places the order by the site's command; the summary's token is the idempotency key. */
async function place(
  job: JobContext,
  { catalogue, customer, now, parts }: Turn,
  { token, body }: Extract<Intent, { do: 'place' }>,
): Promise<Outcome> {
  const ctx = ctxOf(job, customer, now, `bot ${customer.contactId} ${token}`)
  const maxPerHour = parts.config.rateLimits ? MAX_ORDERS_PER_HOUR : null
  const placed = await placeCartOrder(ctx, { channel: 'bot', catalogue, body, maxPerHour })
  return { ok: true, placed, cart: await readCart(ctx, catalogue) }
}

/** Account of the phone verified by the provider; created with the first cart item. */
async function requireAccount(job: JobContext, { customer, now }: Turn): Promise<void> {
  const { account, person, language } = customer
  if (account?.isVerified) return
  if (person.phone === null) throw new AppError('SIGNED_OUT')
  const admitted = await admitUser(ctxOf(job, customer, now, null), person.phone, language)
  if (!admitted) throw new AppError('FORBIDDEN')
  await setAccount(job, customer, admitted.row)
}

async function setAccount(job: JobContext, customer: Customer, row: UserRow): Promise<void> {
  const { id, phone, name, language, isVerified, isActive } = row
  customer.account = { id, phone, name, language, isVerified, isActive }
  const addresses = (await listAddressRows(job, id)).map((one) => {
    const { id, label, address, addressParts, pinSource, instructions: notes, receiverName, receiverPhone } = one
    const place = { point: pointOf(one), pinSource, address, addressParts, notes }
    return { id, label, ...place, receiverName, receiverPhone }
  })
  customer.person = { ...customer.person, phone, account: { name, isActive, addresses } }
}

/** Verifies a code; from then on the number and its account belong to the contact. */
async function checkCode(
  job: JobContext,
  { parts, catalogue, customer, now }: Turn,
  { phone, code }: Extract<Intent, { do: 'check-code' }>,
): Promise<Outcome> {
  const ctx = ctxOf(job, customer, now, null)
  await proveCode(ctx, parts, { phone, code })
  const admitted = await admitUser(ctx, phone, customer.language)
  if (!admitted) throw commitWrites(new AppError('FORBIDDEN'))
  customer.contactId = await saveVerifiedPhone(job, customer.contactId, phone)
  await setAccount(job, customer, admitted.row)
  return { ok: true, person: customer.person, cart: await readCart(ctxOf(job, customer, now, null), catalogue) }
}
