import { inTransaction, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { raiseAlert } from '../lib/alerts.ts'
import { safeFileName } from '../lib/file-name.ts'
import { endingOfMedia, sendableMedia } from '../media/picture.ts'
import { readMedia } from '../media/queries.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import type { Outgoing } from '../providers/message.ts'
import { failed, type MessageGateway, type OutboundFile } from '../providers/provider.ts'
import { referOrders } from './contacts.commands.ts'
import { storeOutcome } from './delivering.jobs.ts'
import { isMarketingLimit, REPEAT_AFTER_SECONDS, repeatMessage } from './repeating.commands.ts'
import { claimNext, requeue, sweepSending } from './sending.commands.ts'

/** Limit of "busy" answers of the provider. With 5 s doubled each time, some 20 minutes. */
const MAX_REFUSALS = 8
const FIRST_WAIT_SECONDS = 5

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
    retryDelay: FIRST_WAIT_SECONDS,
    expireInSeconds: 120,
  }
  app.queue.handle('send-messages', options, ({ data }) =>
    gateway ? sendWaiting(app, data.contactId, gateway) : Promise.resolve(),
  )
  app.queue.handle('repeat-messages', { filter: isMarketingLimit, delaySeconds: REPEAT_AFTER_SECONDS }, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => repeatMessage(ctx, data.messageId)),
  )
  // Batched, since few orders have an ad.
  app.queue.handleTogether('order-referrals', { batch: 50 }, (jobs) =>
    runJobTransaction(app.pool, (ctx) =>
      referOrders(
        ctx,
        jobs.map(({ data }) => data.id),
      ),
    ),
  )
  app.queue.handle('sweep-sending', { retryLimit: 0 }, () => runJobTransaction(app.pool, sweepSending))
}

/** The stored file of a message; null if it has none. */
async function fileOf({ db }: App, message: Outgoing): Promise<OutboundFile | 'gone' | null> {
  if (!('file' in message) || !message.file) return null
  const found = await readMedia(db, message.file.sha256)
  if (!found) return 'gone'
  const { bytes, mimeType } = await sendableMedia(found)
  return { bytes, mimeType, name: safeFileName(message.filename ?? null, message.type, endingOfMedia(mimeType)) }
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
    const { id, payload: message, phone, business_scoped_id: businessScopedId, context } = next
    const file = await fileOf(app, message).catch((error: unknown) => {
      app.log.warn({ err: error }, 'the file of a message could not be read')
      return 'unreadable' as const
    })
    const outbound = { to: { phone, businessScopedId }, message, reference: String(id), context }
    const outcome =
      file === 'gone'
        ? failed('undeliverable', 'FILE_GONE', 'The file was deleted')
        : file === 'unreadable'
          ? failed('busy', 'FILE_UNREADABLE', 'The file could not be read')
          : await gateway.send({ ...outbound, file })
    if (outcome.ok || (outcome.kind !== 'busy' && outcome.kind !== 'stopped') || next.refusals >= MAX_REFUSALS) {
      await storeOutcome(app, id, outcome)
      continue
    }
    if (outcome.kind === 'stopped') raiseAlert(app.log, 'channel-stopped')
    // Retry-After is the least; a limit that is hit again needs longer.
    const inSeconds = Math.max(outcome.retryAfter ?? 0, FIRST_WAIT_SECONDS * 2 ** next.refusals)
    const error = { ...outcome.error, kind: outcome.kind }
    return runJobTransaction(app.pool, (ctx) => requeue(ctx, id, { error, inSeconds }))
  }
}
