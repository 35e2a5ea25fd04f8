import { getAccount } from '@qatra/contract/whatsapp/connection/account'
import { getConnection } from '@qatra/contract/whatsapp/connection/connection'
import * as api from '@qatra/contract/whatsapp/connection/setup'
import { listTemplates, syncTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import type { Visitor } from '../test/visitor.ts'

const ADDRESS = 'https://qatra.example/api/webhooks/whatsapp'
let meta: MetaServer
let shop: TestShop
let boss: Visitor
beforeAll(async () => {
  meta = await startMeta()
  shop = await startShop({
    simulator: false,
    publicUrl: 'https://qatra.example',
    whatsapp: {
      ...readConfig({ NODE_ENV: 'test' }).whatsapp,
      provider: 'cloud',
      token: meta.token,
      phoneNumberId: meta.phoneNumberId,
      businessAccountId: meta.businessId,
      appSecret: meta.appSecret,
      verifyToken: 'verify-token-of-the-test',
      graphUrl: meta.graphUrl,
    },
  })
  boss = await shop.visitor().signInAs('+97336000001')
})
afterAll(() => meta.stop())
beforeEach(async () => {
  meta.reset()
  meta.templates.length = 0
  Object.assign(meta.app, { webhook: null, isSubscribed: false, expiresAt: 0, numberStatus: 'CONNECTED' })
  meta.app.scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
  await shop.query('truncate whatsapp_account, template_submissions, whatsapp_webhook_events')
  await shop.query('delete from whatsapp_templates')
})

const check = async () => (await boss.call(api.checkWhatsapp)).body
const stepOf = (setup: api.WhatsappSetup | null, key: api.WhatsappStepKey) =>
  setup?.steps.find((one) => one.key === key)
const connection = async () => (await boss.call(getConnection)).body
const submit = async () => (await boss.call(api.submitTemplates)).body
const setup = async () => (await boss.call(api.getWhatsappSetup)).body
const created = () =>
  meta.requests.filter(({ path, method }) => method === 'POST' && path.endsWith('/message_templates')).length
const heard = () =>
  shop.query(
    `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, status) values ('w1', 'message', '{}', 'processed')`,
  )
const settled = () =>
  until('the submissions', async () => !(await setup())?.templates.some(({ submission }) => submission === 'waiting'))

describe('the connection through the Cloud API', () => {
  it('is connected only after Meta confirmed token and number', async () => {
    expect(await connection()).toMatchObject({ state: 'loading', provider: 'cloud' })
    expect(stepOf(await setup(), 'token')).toMatchObject({ state: 'unknown' })
    await check()
    // Sending is confirmed; that events arrive is known with the first one.
    expect(await connection()).toMatchObject({ state: 'unheard', phone: '+97317000000', error: null })
    await heard()
    expect(await connection()).toMatchObject({ state: 'connected', phone: '+97317000000', error: null })
  })

  it('is not connected after Meta refused the token, and says why', async () => {
    meta.fail(401, 190)
    const body = await check()
    expect(stepOf(body, 'token')).toMatchObject({ state: 'todo', problem: 'META_REFUSED' })
    expect(await connection()).toMatchObject({ state: 'error', error: expect.stringContaining('190') })
  })

  it('stays connected for a while if Meta is silent, but not for hours', async () => {
    await heard()
    await check()
    meta.fail(503)
    await check()
    expect((await connection()).state).toBe('connected')
    await shop.query(`update whatsapp_account set answered_at = now() - interval '3 hours'`)
    await check()
    expect(await connection()).toMatchObject({ state: 'error', error: 'META_SILENT' })
  })

  it('does not count answers that were given for other settings', async () => {
    await check()
    await shop.query(`update whatsapp_account set settings = 'another token'`)
    expect((await connection()).state).toBe('loading')
    expect((await setup())?.checkedAt).toBeNull()
  })
})

describe('quality and limit of the number', () => {
  it('are what Meta answers, until a webhook reports newer ones', async () => {
    const account = async () => (await boss.call(getAccount)).body
    expect(await account()).toMatchObject({ tier: null, isFlagged: null })
    await check()
    expect(await account()).toMatchObject({ tier: 'TIER_1K', isFlagged: false })
    const report = (minutes: number, tier: string) =>
      shop.query(
        `with e as (insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload)
           values ($2, 'account', '{}') returning id)
         insert into whatsapp_account_notices (webhook_event_id, field, event, severity, tier, is_flagged, at)
         select id, 'phone_number_quality_update', 'FLAGGED', 'warning', $2, true, now() + $1 * interval '1 minute' from e`,
        [minutes, tier],
      )
    await report(-60, 'TIER_250')
    expect(await account()).toMatchObject({ tier: 'TIER_1K', isFlagged: false })
    await report(1, 'TIER_2K')
    expect(await account()).toMatchObject({ tier: 'TIER_2K', isFlagged: true })
  })
})

describe('the steps', () => {
  it('name what is missing at Meta', async () => {
    meta.app.scopes = ['whatsapp_business_messaging']
    meta.app.numberStatus = 'FLAGGED'
    meta.app.businessVerification = 'not_verified'
    const body = await check()
    expect(body.steps.map(({ key, state, problem }) => [key, state, problem])).toEqual([
      ['token', 'todo', 'TOKEN_SCOPES'],
      ['number', 'todo', 'NUMBER_STATUS'],
      ['account', 'done', null],
      ['webhook', 'todo', 'NO_WEBHOOK'],
      ['fields', 'todo', 'FIELDS_MISSING'],
      ['subscription', 'todo', 'NOT_SUBSCRIBED'],
      ['heard', 'todo', 'NEVER_HEARD'],
      ['business', 'todo', 'NOT_VERIFIED'],
      ['templates', 'todo', 'TEMPLATES_MISSING'],
    ])
    meta.app.businessVerification = 'verified'
    expect(stepOf(body, 'token')?.detail).toBe('whatsapp_business_management')
  })

  it('warn of a token that expires within a week', async () => {
    meta.app.expiresAt = Math.floor(Date.now() / 1000) + 3 * 86_400
    expect(stepOf(await check(), 'token')).toMatchObject({ state: 'todo', problem: 'TOKEN_EXPIRES' })
  })

  it('show the webhook address and verify token, and when it was last heard', async () => {
    await shop.query(
      `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload) values ('heard', 'unknown', '{}')`,
    )
    const body = await check()
    expect(body.webhook).toMatchObject({ address: ADDRESS, verifyToken: 'verify-token-of-the-test' })
    expect(body.webhook.heardAt).not.toBeNull()
    expect(stepOf(body, 'heard')?.state).toBe('done')
  })

  it('are registered at Meta by one press, in its format', async () => {
    const { body } = await boss.call(api.subscribeWhatsapp)
    expect(meta.app.webhook?.callbackUrl).toBe(ADDRESS)
    for (const field of ['message_template_status_update', 'business_capability_update', 'user_id_update'])
      expect(meta.app.webhook?.fields).toContain(field)
    for (const key of ['webhook', 'fields', 'subscription'] as const) expect(stepOf(body, key)?.state).toBe('done')
    meta.app.webhook = { callbackUrl: 'https://elsewhere.example', fields: ['messages'] }
    const after = await check()
    expect(stepOf(after, 'webhook')).toMatchObject({ problem: 'OTHER_ADDRESS', detail: 'https://elsewhere.example' })
    expect(stepOf(after, 'fields')?.detail).not.toContain('messages,')
  })

  it('list and register the messages of the shop’s own phone', async () => {
    meta.app.webhook = { callbackUrl: ADDRESS, fields: ['messages'] }
    const before = await check()
    expect(before.webhook.fields).toContain('smb_message_echoes')
    expect(stepOf(before, 'fields')?.detail).toContain('smb_message_echoes')
    await boss.call(api.subscribeWhatsapp)
    expect(meta.app.webhook?.fields).toContain('smb_message_echoes')
  })

  it('return Meta’s words if it refuses the webhook', async () => {
    meta.decide((body) => ('callback_url' in body ? { status: 400, code: 2200 } : null))
    const { status, refusal } = await boss.call(api.subscribeWhatsapp)
    expect([status, refusal.code]).toEqual([422, 'META_REFUSED'])
    expect(JSON.stringify(refusal.details)).toContain('2200')
    expect(meta.app.isSubscribed).toBe(false)
  })

  it('never contain the access token or the secret of the app', async () => {
    await boss.call(api.subscribeWhatsapp)
    meta.fail(401, 190)
    await check()
    const answers = JSON.stringify([
      await setup(),
      await connection(),
      await shop.query('select * from whatsapp_account'),
    ])
    for (const secret of [meta.token, meta.appSecret]) expect(answers).not.toContain(secret)
  })
})

describe('the needed templates', () => {
  it('are submitted in both languages by one press, and their state is followed', async () => {
    const body = await submit()
    expect(new Set(body.templates.map(({ submission }) => submission))).toEqual(new Set(['waiting']))
    await settled()
    const names = new Set(meta.templates.map(({ name, language }) => `${name} ${language}`))
    expect(names.size).toBe(body.templates.length)
    expect(names).toContain('order_delivered ar')
    expect(names).toContain('login_code en')
    expect((await setup())?.templates.every(({ status }) => status === 'PENDING')).toBe(true)
    expect(stepOf(await check(), 'templates')?.state).toBe('waiting')
    for (const one of meta.templates) one.status = 'APPROVED'
    await boss.call(syncTemplates)
    expect(stepOf(await check(), 'templates')?.state).toBe('done')
  })

  it('are submitted once by several presses at the same time', async () => {
    meta.requests.length = 0
    const bodies = await Promise.all([submit(), submit(), submit()])
    await settled()
    await submit()
    await settled()
    expect(created()).toBe(bodies[0]?.templates.length)
  })

  it('that exist are left alone, also if another process submitted them meanwhile', async () => {
    const { body } = await boss.call(api.getWhatsappSetup)
    const [first, ...others] = body?.templates ?? []
    if (!first) throw new Error('There are needed templates')
    const one = { ...first, id: '1', status: 'APPROVED', components: [], rejected_reason: 'NONE' }
    meta.templates.push(one)
    meta.requests.length = 0
    // Its list comes before the other process has submitted the second one.
    meta.decide((input) => {
      const [second] = others
      if (input['name'] === second?.name && input['language'] === second?.language && meta.templates.length < 99)
        meta.templates.push({ ...one, ...second, id: '2', status: 'PENDING' })
      return null
    })
    await submit()
    await settled()
    expect(created()).toBe(others.length)
    expect(
      (await setup())?.templates.find(({ name, language }) => name === first.name && language === first.language),
    ).toMatchObject({ status: 'APPROVED' })
    expect((await setup())?.templates.filter(({ error }) => error !== null)).toEqual([])
  })

  it('that Meta refuses are shown with its error, and can be submitted again', async () => {
    meta.decide(({ name }) => (name === 'order_new' ? { status: 400, code: 100 } : null))
    await submit()
    await settled()
    const refused = (await setup())?.templates.filter(({ submission }) => submission === 'failed')
    expect(refused?.map(({ name, language }) => [name, language])).toEqual([
      ['order_new', 'ar'],
      ['order_new', 'en'],
    ])
    expect(refused?.[0]?.error).toContain('As configured')
    meta.reset()
    await submit()
    await settled()
    expect((await setup())?.templates.every(({ status }) => status === 'PENDING')).toBe(true)
  })

  it('are not submitted if Meta does not list what exists', async () => {
    meta.fail(500)
    const { refusal } = await boss.call(api.submitTemplates)
    expect(refusal.code).toBe('TEMPLATES_NOT_SYNCED')
    expect(await shop.query('select 1 from template_submissions')).toEqual([])
  })
})

describe('a synchronisation', () => {
  it('does not undo a status that arrived while the provider was asked', async () => {
    meta.templates.push(
      ...['one', 'two'].map((name) => ({
        id: name,
        name,
        language: 'en',
        category: 'MARKETING',
        status: 'APPROVED',
        rejected_reason: 'NONE',
        components: [{ type: 'BODY', text: 'Hi' }],
      })),
    )
    await boss.call(syncTemplates)
    meta.requests.length = 0
    meta.slowDown(() => 300)
    const syncing = boss.call(syncTemplates)
    await until('the question', async () => meta.requests.some(({ path }) => path.includes('/message_templates?')))
    await shop.query(
      `update whatsapp_templates set status = 'PAUSED', updated_at = clock_timestamp() where name = 'one'`,
    )
    await shop.query(
      `insert into whatsapp_templates (name, language, category, status) values ('new', 'en', 'UTILITY', 'PENDING')`,
    )
    await syncing
    const { body } = await boss.call(listTemplates)
    const statusOf = (wanted: string) => body.find(({ name }) => name === wanted)?.status
    expect([statusOf('one'), statusOf('two'), statusOf('new')]).toEqual(['PAUSED', 'APPROVED', 'PENDING'])
  })

  it('runs on a schedule', async () => {
    const rows = await shop.query<{ cron: string }>(`select cron from pgboss.schedule where name = 'sync-templates'`)
    expect(rows.map(({ cron }) => cron)).toEqual(['17 * * * *'])
    meta.templates.push({
      id: '9',
      name: 'written_at_meta',
      language: 'ar',
      category: 'UTILITY',
      status: 'APPROVED',
      rejected_reason: 'NONE',
      components: [{ type: 'BODY', text: 'Hi' }],
    })
    await shop.app.queue.send('sync-templates', {})
    await until('the template', async () =>
      (await boss.call(listTemplates)).body.some(({ name }) => name === 'written_at_meta'),
    )
  })
})

describe('keys of the environment', () => {
  it('cannot be replaced on the page', async () => {
    const { refusal } = await boss.call(api.saveWhatsappKeys, { body: { token: 'EAAG-the-next-token' } })
    expect(refusal.code).toBe('WHATSAPP_KEYS_FROM_SERVER')
    expect((await setup())?.keys.map(({ source }) => source)).toEqual(Array(5).fill('server'))
  })
})

describe('the simulator', () => {
  let simulated: TestShop
  beforeAll(async () => {
    simulated = await startShop()
  })
  it('never has a step that is done, and says that it is one', async () => {
    const visitor = await simulated.visitor().signInAs('+97336000001')
    const { body } = await visitor.call(api.subscribeWhatsapp)
    expect(body.provider).toBe('simulator')
    const states = new Set(body.steps.map(({ state }) => state))
    expect(states).not.toContain('done')
    expect(stepOf(body, 'token')?.state).toBe('simulated')
    expect((await visitor.call(getConnection)).body.state).toBe('simulated')
    // It uses no keys.
    expect((await visitor.call(api.saveWhatsappKeys, { body: { token: null } })).refusal.code).toBe('NOT_CLOUD_API')
  })

  it('approves a submitted template by a webhook', async () => {
    const visitor = await simulated.visitor().signInAs('+97336000001')
    const { body } = await visitor.call(api.submitTemplates)
    expect(body.templates.filter(({ status }) => status === null).map(({ name }) => name)).toEqual([
      'login_code',
      'login_code',
    ])
    await until('the approval', async () => {
      const { body: now } = await visitor.call(api.getWhatsappSetup)
      return now?.templates.every(({ status }) => status === 'APPROVED') ?? false
    })
  })

  it('has no set-up with a linked device', async () => {
    const linked = await startShop({
      simulator: false,
      whatsapp: { ...shop.app.config.whatsapp, provider: 'web' },
    })
    const visitor = await linked.visitor().signInAs('+97336000001')
    expect((await visitor.call(api.getWhatsappSetup)).body).toBeNull()
    expect((await visitor.call(api.checkWhatsapp)).refusal.code).toBe('NOT_CLOUD_API')
  })
})
