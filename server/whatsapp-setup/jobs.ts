import { inTransaction, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { enqueue } from '../jobs/domain-events.ts'
import { needsSample, withSample } from '../order-messages/needed-templates.ts'
import { submitTemplate } from '../templates/provider.queries.ts'
import { saveSubmission, storeFacts, templateToSubmit } from './commands.ts'
import { askAboutAccount, meta } from './meta.queries.ts'

const TRIES = 5
/** An approval may arrive before the answer is stored, so that its webhook finds no template. */
const SYNC_AFTER_SECONDS = 60

export function whatsappSetupJobs(app: App) {
  const { simulator, whatsapp } = app.config
  // The simulator is asked by the page alone: its answers say nothing about Meta.
  const isChecked = !simulator && whatsapp.provider === 'cloud'
  app.queue.handle('whatsapp-account', { concurrency: 1, retryLimit: 0 }, async () => {
    if (!isChecked) return
    const found = await askAboutAccount(app)
    await inTransaction(app.pool, (db) => storeFacts({ db }, app.config, found))
  })
  const options = { concurrency: 1, retryLimit: TRIES - 1, retryDelay: 20, expireInSeconds: 60 }
  app.queue.handle('submit-template', options, async ({ data, retryCount }) => {
    const template = await templateToSubmit(app, app.config, data)
    if (!template) return
    const calls = meta(app)
    const sample = needsSample(template) ? await calls.uploadSample() : null
    const answer =
      sample?.kind === 'silent' || sample?.kind === 'refused'
        ? sample
        : await submitTemplate(app, sample ? withSample(template, sample.value) : template)
    if (answer.kind === 'silent' && retryCount < TRIES - 1) throw new Error('Meta did not answer')
    await runJobTransaction(app.pool, async (ctx) => {
      const isLast = await saveSubmission(ctx, template, answer)
      if (isLast && !simulator) await enqueue(ctx, 'sync-templates', {}, SYNC_AFTER_SECONDS)
    })
  })
}
