import { inTransaction, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { raiseAlert } from '../lib/alerts.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import type { MessageGateway } from '../providers/provider.ts'
import { noteOutcome } from './commands.ts'
import { claimNext, requeue, SENDING, sweepSending } from './sending.commands.ts'

/** Limit of "busy" answers of the provider. With 5 s doubled each time, some 20 minutes. */
const MAX_REFUSALS = 8

/** `isHere`: whether this process sends; the linked device sends in a process of its own. */
export function sendingJobs(
  app: App,
  gateway: MessageGateway | null = gatewaysOf(app).messages,
  { isHere = app.config.whatsapp.provider !== 'web' }: { isHere?: boolean } = {},
) {
  const options = {
    isUrgent: true,
    concurrency: isHere ? 4 : 0,
    retryLimit: MAX_REFUSALS + 1,
    retryDelay: 5,
    expireInSeconds: 120,
  }
  app.queue.handle<{ contactId: number }>(SENDING, options, ({ data }) =>
    gateway ? sendWaiting(app, data.contactId, gateway) : Promise.resolve(),
  )
  app.queue.handle('sweep-sending', { every: '* * * * *', retryLimit: 0 }, () =>
    runJobTransaction(app.pool, sweepSending),
  )
}

/**
 * Sends all waiting messages of a contact in order. Jobs that answer a customer may call it right after their commit;
 * the queue's own job then finds nothing left.
 */
export async function sendWaiting(
  app: App,
  contactId: number,
  gateway: MessageGateway | null = gatewaysOf(app).messages,
): Promise<void> {
  if (!gateway) return
  for (;;) {
    const next = await inTransaction(app.pool, (db) => claimNext({ db }, contactId))
    if (!next) return
    const { id, payload: message, phone, business_scoped_id: businessScopedId } = next
    const outcome = await gateway.send({ to: { phone, businessScopedId }, message, reference: String(id) })
    if (outcome.ok || (outcome.kind !== 'busy' && outcome.kind !== 'stopped') || next.refusals >= MAX_REFUSALS) {
      await runJobTransaction(app.pool, (ctx) => noteOutcome(ctx, id, outcome))
      if (!outcome.ok) app.log.warn({ kind: outcome.kind, errorCode: outcome.error.code }, 'message not sent')
      continue
    }
    if (outcome.kind === 'stopped') raiseAlert(app.log, 'channel-stopped')
    await requeue(app, id, { ...outcome.error, kind: outcome.kind })
    throw new Error('The provider is busy')
  }
}
