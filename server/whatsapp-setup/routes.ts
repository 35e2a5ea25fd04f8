import * as api from '@qatra/contract/whatsapp/connection/setup'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { AppError } from '../lib/errors.ts'
import { readProviderTemplates, storeTemplates } from '../templates/commands.ts'
import { webhookFields } from '../webhooks/fields.ts'
import { recordSubscription, requireCloudApi, storeFacts, submitMissing } from './commands.ts'
import { askAboutAccount, meta } from './meta.queries.ts'
import { readAccountCheck, readWhatsappSetup, webhookAddress } from './queries.ts'

export function whatsappSetupRoutes(app: App) {
  const { config } = app
  async function read(ctx: Ctx) {
    const setup = await readWhatsappSetup(ctx, config)
    if (!setup) throw new AppError('NOT_CLOUD_API')
    return setup
  }
  async function check(): Promise<void> {
    const found = await askAboutAccount(app)
    await inTransaction(app.pool, (db) => storeFacts({ db }, config, found))
  }

  serve(app, api.getWhatsappSetup, (ctx) => readWhatsappSetup(ctx, config))
  // Meta is called outside of transactions.
  const slow = { transaction: 'none' } as const
  serve(
    app,
    api.checkWhatsapp,
    async (ctx) => {
      requireCloudApi(config)
      await check()
      return read(ctx)
    },
    slow,
  )
  serve(
    app,
    api.subscribeWhatsapp,
    async (ctx) => {
      requireCloudApi(config)
      await check()
      const facts = (await readAccountCheck(app.db, config))?.facts
      const appId = facts?.token.kind === 'answered' ? facts.token.value.appId : null
      if (appId === null) throw new AppError('META_REFUSED', { reason: null })
      const calls = meta(app)
      // Meta calls the address before it answers.
      const webhook = await calls.setWebhook(appId, { address: webhookAddress(config), fields: webhookFields })
      const subscription = webhook.kind === 'answered' ? [await calls.subscribeApp()] : []
      await inTransaction(app.pool, (db) => recordSubscription({ ...ctx, db }, [webhook, ...subscription]))
      await check()
      return read(ctx)
    },
    slow,
  )
  serve(
    app,
    api.submitTemplates,
    async (ctx) => {
      requireCloudApi(config)
      const answer = await readProviderTemplates(app)
      await inTransaction(app.pool, async (db) => {
        await storeTemplates({ ...ctx, db }, answer)
        await submitMissing({ ...ctx, db }, config)
      })
      return read(ctx)
    },
    slow,
  )
}
