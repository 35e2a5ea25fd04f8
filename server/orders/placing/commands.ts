import { randomInt } from 'node:crypto'
import { newOrderId } from '@qatra/contract/orders/order-id'
import { type Ctx, userOf } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { allInOrder } from '../../database/transaction.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/secrets.ts'
import { countPlaced, type OrderChannel } from './metrics.ts'
import { type OrderDraft, writeOrder } from './write.commands.ts'

/** What an order is made of: a customer's cart, or the lines of a sales agent. */
export interface OrderSource<Inputs> {
  channel: OrderChannel
  /** SHA-256 of the parsed input: requests with one idempotency key are equal if this is. */
  fingerprint: string
  /** Locks, then reads, everything that the rules depend on. */
  read: () => Promise<Inputs>
  /**
   * Checks the rules and makes the draft; may create or update the customer.
   * @throws the AppError of the first violated rule
   */
  prepareDraft: (inputs: Inputs) => Promise<OrderDraft>
}

/**
 * Places an order in the caller's transaction: locks and reads, prepares the draft, writes. Runs for `ctx.actor` and does not
 * authenticate. An idempotency key returns its first order, with `draft` null, and is bound only by a placed order: an
 * error rolls its row back.
 *
 * Lock order: user, the user's carts, calendar, idempotency key, new rows. Sign-in and erasure lock the user before the carts too.
 * Products and vendor are not locked: the order is placed at the terms of the moment when they were read, and a
 * concurrent change of them applies to the next order.
 */
export async function placeOrder<Inputs>(
  ctx: Ctx,
  { channel, fingerprint, read, prepareDraft }: OrderSource<Inputs>,
): Promise<{ id: string; draft: OrderDraft | null }> {
  const id = newOrderId(randomInt)
  const [inputs, known] = await allInOrder([read(), bindKey(ctx, id, fingerprint)])
  if (known !== null) return { id: known, draft: null }
  const draft = await prepareDraft(inputs)
  await writeOrder(ctx, id, draft)
  ctx.afterCommit(() => countPlaced(channel, draft.totals.total))
  return { id, draft }
}

const bindKeySql = statement(
  'order-key-bind',
  `insert into order_keys (user_id, key, order_id, fingerprint) values ($1, $2, $3, $4)
   on conflict do nothing returning order_id as "orderId"`,
)
const boundKeySql = statement(
  'order-key-bound',
  'select order_id as "orderId", fingerprint from order_keys where user_id = $1 and key = $2',
)

/**
 * The order that the key already placed; null if the key is free or absent. Waits for a concurrent transaction with the
 * same key.
 */
async function bindKey(ctx: Ctx, orderId: string, fingerprint: string): Promise<string | null> {
  const { idempotencyKey } = ctx.client
  if (idempotencyKey === null) return null
  const owner = [userOf(ctx).id, sha256(idempotencyKey)]
  const bound = await run(ctx.db, bindKeySql, [...owner, orderId, fingerprint])
  if (bound.length > 0) return null
  const [known] = await run<{ orderId: string; fingerprint: string }>(ctx.db, boundKeySql, owner)
  if (!known) throw new AppError('UNAVAILABLE')
  if (known.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return known.orderId
}
