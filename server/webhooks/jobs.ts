import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { enqueueStranded, processEvent, recordFailure, TRIES } from './commands.ts'

export function webhookJobs(app: App) {
  const options = { isUrgent: true, concurrency: 4, retryLimit: TRIES - 1, retryDelay: 2, expireInSeconds: 30 }
  const work = async ({ data }: { data: { eventId: number } }) => {
    const { provider, phoneNumberId } = app.config.whatsapp
    const own = provider === 'cloud' ? phoneNumberId : null
    try {
      await runJobTransaction(app.pool, (ctx) => processEvent(ctx, data.eventId, own))
    } catch (error) {
      await recordFailure(app, data.eventId, error)
      throw error
    }
  }
  app.queue.handle('webhook-event', options, work)
  app.queue.handle('webhook-receipt', { ...options, isUrgent: false, concurrency: 2 }, work)
  app.queue.handle('stranded-webhook-events', { retryLimit: 0 }, () => runJobTransaction(app.pool, enqueueStranded))
}
