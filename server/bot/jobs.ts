import { saveMapPoint } from '../conversations/incoming.commands.ts'
import { sendWaiting } from '../conversations/sending.jobs.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { createMapLinkReader } from '../geocoding/map-link.gateway.ts'
import type { MapLinkReader } from '../geocoding/map-links.ts'
import type { App } from '../http/runtime.ts'
import type { JobOf } from '../jobs/queues.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { answerNext } from './commands.ts'
import { isGathered } from './gathering.ts'
import { handOverAfterError } from './hand-over.commands.ts'
import { eraseText } from './history.commands.ts'
import type { KnownShop } from './knowledge/snapshot.queries.ts'
import { suggestionFor } from './model/asking.ts'
import { findGathering, findMapLinks } from './queries.ts'

/** Attempts per message; then it is handed to staff. */
const RETRIES = 3
/** A turn that is another one each time the model has been asked is answered without it. */
const MAX_LOOKS = 3

export function botJobs(
  app: App,
  shop: () => KnownShop,
  readLink: MapLinkReader = createMapLinkReader({ log: app.log }),
) {
  const { botGatherSeconds } = app.config
  if (botGatherSeconds > 0) {
    const atOnce = { filter: isGathered, isUrgent: true, concurrency: 2, retryLimit: 0 }
    app.queue.handle('bot-typing', atOnce, ({ data }) =>
      data.isAwaited || !data.isForPerson ? Promise.resolve() : showTyping(app, data.messageId),
    )
  }
  const options = {
    delaySeconds: (message: { type: string }) => (isGathered(message) ? botGatherSeconds : 0),
    isUrgent: true,
    concurrency: 4,
    retryLimit: RETRIES,
    retryDelay: 1,
    expireInSeconds: 60,
  }
  app.queue.handle('bot-turn', options, async ({ data, retryCount }) => {
    try {
      await answerAll(app, { shop, readLink }, data)
    } catch (error) {
      if (retryCount < RETRIES) throw error
      app.log.error({ err: error, messageId: data.messageId }, 'the bot failed on a message')
      await runJobTransaction(app.pool, (ctx) => handOverAfterError(ctx, app, shop(), data))
    }
  })
}

/** Not for a message that staff will answer: it is read when they read it. */
async function showTyping(app: App, messageId: number): Promise<void> {
  const { messages } = gatewaysOf(app)
  const providerId = messages && (await findGathering(app.db, messageId))
  if (providerId) await messages.markRead(providerId, { isTyping: true })
}

/** Also runs while the bot is switched off: messages from before are deleted too. */
export function botHistoryJobs(app: App) {
  app.queue.handle('revoked-bot-talk', {}, async ({ data }) => {
    await eraseText(app, data)
  })
}

/** Reads the places of map links, before the transaction of the turn: another provider answers. */
export async function readMapLinks(app: Pick<App, 'db'>, contactId: number, readLink: MapLinkReader): Promise<void> {
  for (const { id, url } of await findMapLinks(app.db, contactId)) await saveMapPoint(app, id, await readLink(url))
}

/** Processes a contact's messages in order; each reply leaves before the next turn is processed. */
async function answerAll(
  app: App,
  { shop, readLink }: { shop: () => KnownShop; readLink: MapLinkReader },
  job: JobOf<'bot-turn'>,
): Promise<void> {
  for (let looks = 0; ; ) {
    await readMapLinks(app, job.contactId, readLink)
    const catalogue = shop()
    const looked = looks < MAX_LOOKS ? await suggestionFor(app, catalogue, job) : null
    const processed = await runJobTransaction(app.pool, (ctx) => answerNext(ctx, app, catalogue, { ...job, looked }))
    looks = processed === 'again' ? looks + 1 : 0
    if (processed === 'again') continue
    if (!processed) return
    // On a failure here the queue's own job sends it.
    if (processed.isAnswered && app.config.whatsapp.provider !== 'web')
      await sendWaiting(app, processed.contactId).catch((error: unknown) =>
        app.log.info({ err: error }, 'the queue sends the reply of the bot later'),
      )
  }
}
