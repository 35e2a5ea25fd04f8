import { awaitDatabase } from '../database/db.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import type { FailureKind, Outcome } from '../providers/provider.ts'
import { claimMessage, type NewMessage, recordOutcome } from './commands.ts'
import { findStatus } from './queries.ts'

type Parts = Pick<App, 'db' | 'pool' | 'log'>

/** A message by one channel, for what cannot wait as a row: secrets, and what another channel takes over. */
export interface Delivery {
  message: NewMessage
  /** Calls the provider; it returns our reference with receipts. */
  call: (reference: string) => Promise<Outcome>
}

/** Stores the outcome of a call that was made, however long the database is away. */
export async function storeOutcome({ pool, log }: Parts, id: number, outcome: Outcome): Promise<'sent' | FailureKind> {
  await awaitDatabase(() => runJobTransaction(pool, (ctx) => recordOutcome(ctx, id, outcome)))
  if (outcome.ok) return 'sent'
  log.warn({ kind: outcome.kind, errorCode: outcome.error.code }, 'message not sent')
  return outcome.kind
}

/**
 * Sends by the first channel that accepts the message; null: that channel does not reach the person. A crash after a
 * claim leaves it, and it is never repeated; what was claimed before counts as sent unless it failed, or its outcome is
 * unknown: then the next channel is tried.
 * @returns whether one accepted it; throws if a busy one may later and none after it may have sent it, so that the queue
 * tries again
 */
export async function deliverByFirst(
  app: Parts,
  channels: readonly (() => Promise<Delivery | null> | Delivery | null)[],
): Promise<boolean> {
  let isBusy = false
  for (const open of channels) {
    const delivery = await open()
    if (!delivery) continue
    const result = await deliver(app, delivery)
    if (result === 'sent') return true
    if (result === 'busy') isBusy = true
    if (result === 'unknown') isBusy = false
  }
  if (isBusy) throw new Error('The providers are busy')
  return false
}

async function deliver(app: Parts, { message, call }: Delivery): Promise<'sent' | FailureKind> {
  const id = await claimMessage(app, message)
  if (id !== null) return storeOutcome(app, id, await call(String(id)))
  const status = await findStatus(app.db, message.dedupeKey)
  if (status === 'unknown') return 'unknown'
  return status === 'failed' ? 'undeliverable' : 'sent'
}
