import type { Catalogue } from '../catalogue/queries.ts'
import { sendWaiting } from '../conversations/sending.jobs.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { answerNext, BOT_TURN, handOverAfterError, purgeBotTurns } from './commands.ts'

interface BotTurn {
  messageId: number
  contactId: number
}

/** Attempts per message; then it is handed to staff. */
const RETRIES = 3

export function botJobs(app: App, catalogue: ReferenceData<Catalogue>) {
  const options = { isUrgent: true, concurrency: 4, retryLimit: RETRIES, retryDelay: 1, expireInSeconds: 60 }
  app.queue.handle<BotTurn>(BOT_TURN, { ...options, on: ['message.received'] }, async ({ data, retryCount }) => {
    try {
      await answerAll(app, catalogue, data)
    } catch (error) {
      if (retryCount < RETRIES) throw error
      app.log.error({ err: error, messageId: data.messageId }, 'the bot failed on a message')
      await runJobTransaction(app.pool, (ctx) => handOverAfterError(ctx, data))
    }
  })
  app.queue.handle('old-bot-talk', { every: '20 4 * * *' }, () => purgeBotTurns(app))
}

/** Processes a contact's messages in order; each reply leaves before the next message is processed. */
async function answerAll(app: App, catalogue: ReferenceData<Catalogue>, job: BotTurn): Promise<void> {
  for (;;) {
    const processed = await runJobTransaction(app.pool, (ctx) => answerNext(ctx, app, catalogue.current(), job))
    if (!processed) return
    // On a failure here the queue's own job sends it.
    if (processed.isAnswered && app.config.whatsapp.provider !== 'web')
      await sendWaiting(app, processed.contactId).catch((error: unknown) =>
        app.log.info({ err: error }, 'the queue sends the reply of the bot later'),
      )
  }
}
