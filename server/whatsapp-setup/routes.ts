import * as api from '@qatra/contract/whatsapp/connection/setup'
import { SAMPLE_BYTES, uploadTemplateSample } from '@qatra/contract/whatsapp/templates/templates'
import type { Ctx } from '../database/context.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveUpload } from '../http/uploads.ts'
import { AppError } from '../lib/errors.ts'
import { newToken } from '../lib/secrets.ts'
import { headingFile } from '../media/commands.ts'
import type { KeyChanges } from '../providers/whatsapp-cloud/keys.commands.ts'
import { readProviderTemplates, storeTemplates } from '../templates/commands.ts'
import { answered, requireAccount } from '../templates/writing.commands.ts'
import { webhookFields } from '../webhooks/fields.ts'
import { recordSubscription, requireCloudApi, storeFacts, storeKeys, submitMissing } from './commands.ts'
import { askAboutAccount, meta } from './meta.queries.ts'
import { readAccountCheck, readWhatsappSetup, webhookAddress } from './queries.ts'
import { missingKeys, problemsOfKeys } from './rules.ts'

/**
 * Stores new keys if Meta accepts them together with those that stay, and removes others without a try.
 * @throws NOT_CLOUD_API in the simulator, which uses none; WHATSAPP_KEYS_FROM_SERVER, WHATSAPP_KEYS_REFUSED
 */
async function changeKeys(app: App, ctx: Ctx, changes: KeyChanges): Promise<void> {
  const { config } = app
  const { whatsapp, secret, simulator } = config
  if (simulator) throw new AppError('NOT_CLOUD_API')
  const isFixed = (name: api.WhatsappKey) => whatsapp[name] !== null && !whatsapp.entered?.includes(name)
  if (api.whatsappKeys.some((name) => changes[name] !== undefined && isFixed(name)))
    throw new AppError('WHATSAPP_KEYS_FROM_SERVER')
  if (Object.values(changes).every((value) => value === null))
    return inTransaction(app.pool, (db) => storeKeys({ ...ctx, db }, secret, changes))
  const verifyToken = { ...whatsapp, ...changes }.verifyToken ?? newToken()
  const keys = verifyToken === whatsapp.verifyToken ? changes : { ...changes, verifyToken }
  const tried = { ...config, whatsapp: { ...whatsapp, ...keys } }
  const settings = tried.whatsapp
  const missing = missingKeys(settings)
  if (missing.length > 0) throw new AppError('WHATSAPP_KEYS_REFUSED', { problems: missing })
  const hasAccount = settings.businessAccountId !== null
  const [facts, numbers] = await Promise.all([
    askAboutAccount(app, settings),
    hasAccount ? meta(app, settings).numbers() : null,
  ])
  const { token, number, account, webhook } = facts
  const trial = { token, number, account: hasAccount ? account : null, secret: webhook, numbers }
  const problems = problemsOfKeys(trial, settings.phoneNumberId)
  if (problems.length > 0) throw new AppError('WHATSAPP_KEYS_REFUSED', { problems })
  await inTransaction(app.pool, async (db) => {
    await storeKeys({ ...ctx, db }, secret, keys)
    await storeFacts({ db }, tried, facts)
  })
}

export function whatsappSetupRoutes(app: App, { reload }: Pick<ReferenceData<unknown>, 'reload'>) {
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
    api.saveWhatsappKeys,
    async (ctx, { body }) => {
      requireCloudApi(config)
      if (Object.keys(body).length > 0) {
        await changeKeys(app, ctx, body)
        await reload()
      }
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
  serveUpload(
    app,
    uploadTemplateSample,
    async (ctx, { body }) => {
      requireAccount(app)
      const { bytes, mimeType } = await headingFile(ctx, body.bytes)
      const handle = answered(await meta(app).uploadSample({ bytes: new Uint8Array(bytes), mimeType }))
      return { format: mimeType === 'application/pdf' ? ('DOCUMENT' as const) : ('IMAGE' as const), handle }
    },
    { bytes: SAMPLE_BYTES },
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
