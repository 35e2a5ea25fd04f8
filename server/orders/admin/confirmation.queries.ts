import type { Output } from '@qatra/contract/endpoint'
import type { getConfirmation } from '@qatra/contract/orders/confirmation'
import type { Ctx } from '../../database/context.ts'
import { type Db, run, statement } from '../../database/db.ts'
import { managedBy } from '../policy.ts'
import { requireOrderRow } from '../queries.ts'

const lastSql = statement(
  'order-last-confirmation',
  `select changed_at as at, new_value as reference from order_audit_history
   where order_id = $1 and action = 'confirmation' order by id desc limit 1`,
)

export async function findLastConfirmation(
  { db }: Ctx,
  orderId: string,
): Promise<{ at: Date; reference: string } | null> {
  const [row] = await run<{ at: Date; reference: string }>(db, lastSql, [orderId])
  return row ?? null
}

interface FoundMessage {
  status: 'queued' | 'unknown' | 'sent' | 'delivered' | 'read' | 'failed'
  /** The provider's last error. */
  problem: string | null
}

const messageSql = statement(
  'order-confirmation-message',
  `select status, errors -> -1 ->> 'text' as problem from whatsapp_messages where dedupe_key = $1`,
)

async function findMessage(db: Db, dedupeKey: string): Promise<FoundMessage | null> {
  const [row] = await run<FoundMessage>(db, messageSql, [dedupeKey])
  return row ?? null
}

/** The message's purpose, one per request: repeated runs of its job send it once. */
export const confirmationKey = (orderId: string, reference: string) => `confirmation:${orderId}:${reference}`

/** Delivery status of the last confirmation. */
export async function readConfirmation(ctx: Ctx, typedId: string): Promise<Output<typeof getConfirmation>> {
  const { id } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  const last = await findLastConfirmation(ctx, id)
  if (!last) return { status: 'none', at: null, problem: null }
  const message = await findMessage(ctx.db, confirmationKey(id, last.reference))
  // An unknown outcome counts as failed, so that it can be repeated; `problem` tells them apart.
  const status = message?.status === 'unknown' ? 'failed' : (message?.status ?? 'queued')
  return { status, at: last.at.toISOString(), problem: message?.problem ?? null }
}
