import { listAudit } from '@qatra/contract/audit'
import { exportAccount } from '@qatra/contract/users/auth'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { getConnection } from '@qatra/contract/whatsapp/connection/connection'
import * as api from '@qatra/contract/whatsapp/connection/setup'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { followWhatsappKeys } from '../providers/whatsapp-cloud/keys.queries.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import type { Visitor } from '../test/visitor.ts'
import { problemsOfKeys } from './rules.ts'

const stepOf = (setup: api.WhatsappSetup, key: api.WhatsappStepKey) => setup.steps.find((one) => one.key === key)

describe('keys that are entered', () => {
  let meta: MetaServer
  let bare: TestShop
  let owner: Visitor
  beforeAll(async () => {
    meta = await startMeta()
    const { whatsapp } = readConfig({ NODE_ENV: 'test' })
    const given = { ...whatsapp, provider: 'cloud' as const, graphUrl: meta.graphUrl }
    bare = await startShop({ simulator: false, publicUrl: 'https://qatra.example', whatsapp: given })
    owner = await bare.visitor().signInAs('+97336000001')
  })
  afterAll(() => meta.stop())
  beforeEach(() => meta.reset())
  const keys = () => ({
    token: meta.token,
    phoneNumberId: meta.phoneNumberId,
    businessAccountId: meta.businessId,
    appSecret: meta.appSecret,
  })
  const save = (body: Partial<Record<api.WhatsappKey, string | null>>) => owner.call(api.saveWhatsappKeys, { body })
  const send = () =>
    gatewaysOf(bare.app).messages?.send({
      to: { phone: '+97336000006', businessScopedId: null },
      message: { type: 'text', text: 'مرحبا' },
      reference: '1',
    })

  it.each([
    ['an unknown token', { token: 'EAAG-of-somebody-else' }, 'token', 'TOKEN_INVALID'],
    ['the number in place of its id', { phoneNumberId: '97317000000' }, 'phoneNumberId', 'NOT_FOUND'],
    ['another account', { businessAccountId: '4242424242' }, 'businessAccountId', 'NOT_FOUND'],
    ['the secret of another app', { appSecret: 'another-secret' }, 'appSecret', 'WRONG_SECRET'],
  ])('are tried at Meta: %s is refused beside its field, and nothing is stored', async (_, wrong, name, problem) => {
    const { status, refusal } = await save({ ...keys(), ...wrong })
    expect([status, refusal.code]).toEqual([422, 'WHATSAPP_KEYS_REFUSED'])
    expect(refusal.details['problems']).toEqual([expect.objectContaining({ name, problem })])
    expect(await bare.query('select 1 from whatsapp_keys')).toEqual([])
  })

  it('are not tried in part, nor stored while Meta is silent', async () => {
    const { refusal } = await save({ token: meta.token })
    expect(refusal.details['problems']).toMatchObject([
      { name: 'phoneNumberId', problem: 'MISSING' },
      { name: 'appSecret', problem: 'MISSING' },
    ])
    meta.fail(503)
    expect((await save(keys())).refusal.details['problems']).toMatchObject([{ name: 'token', problem: 'META_SILENT' }])
    expect(await send()).toMatchObject({ ok: false, kind: 'stopped', error: { code: 'NOT_CONFIGURED' } })
  })

  it('are sealed, answered by their end alone, and used by every process without a restart', async () => {
    const base = { ...bare.app, config: { ...bare.app.config } }
    const other = await followWhatsappKeys(base)
    const { body } = await save(keys())
    expect(body.keys.map(({ name, source, ending }) => [name, source, ending])).toEqual([
      ['token', 'page', meta.token.slice(-4)],
      ['phoneNumberId', 'page', meta.phoneNumberId.slice(-4)],
      ['businessAccountId', 'page', meta.businessId.slice(-4)],
      ['appSecret', 'page', meta.appSecret.slice(-4)],
      ['verifyToken', 'page', expect.any(String)],
    ])
    expect(stepOf(body, 'token')?.state).toBe('done')
    expect(await send()).toMatchObject({ ok: true })
    await until('the other process', async () => other.current().token === meta.token)
    const verifyToken = other.current().verifyToken ?? ''
    other.stop()
    const path = '/api/webhooks/whatsapp?hub.mode=subscribe&hub.challenge=42&hub.verify_token='
    expect((await bare.visitor().send('GET', path + verifyToken)).status).toBe(200)
    const stored = JSON.stringify([body, await bare.query('select * from whatsapp_keys, audit_log')])
    expect(stored).toContain('businessAccountId')
    for (const secret of [meta.token, meta.appSecret, verifyToken]) expect(stored).not.toContain(secret)
  })

  it('can be replaced one by one, and messages go on', async () => {
    meta.tokens.add('EAAG-the-next-token')
    expect((await save({ token: 'EAAG-the-next-token' })).status).toBe(200)
    meta.tokens.delete(meta.token)
    expect(await send()).toMatchObject({ ok: true })
    expect((await owner.call(api.checkWhatsapp)).body.keys[0]).toMatchObject({ source: 'page', ending: 'oken' })
    meta.tokens.add(meta.token)
  })

  it('are in no answer, file or history, and closed to others and during impersonation', async () => {
    const admin = await makeVisitor(bare, { role: 'vendor_admin', vendorId: 1 })
    const helper = await makeVisitor(bare, { role: 'super_admin' })
    await helper.call(startImpersonation, { params: { userId: String(admin.id) }, body: { reason: 'to help' } })
    for (const who of [admin, helper]) {
      expect((await who.call(api.getWhatsappSetup)).status).toBe(403)
      expect((await who.call(api.saveWhatsappKeys, { body: { token: null } })).status).toBe(403)
    }
    const { body: file } = await owner.send('GET', '/api/admin/audit.csv')
    const { body: history } = await owner.call(listAudit, { query: { limit: 100 } })
    const answers = [(await owner.call(getConnection)).body, (await owner.call(exportAccount)).body, history, file]
    expect(String(file)).toContain('appSecret')
    for (const secret of [meta.appSecret, 'EAAG-the-next-token']) expect(JSON.stringify(answers)).not.toContain(secret)
  })

  it('say so if they were sealed with another secret, and count as missing', async () => {
    await bare.query(`update whatsapp_keys set sealed = 'x' || sealed where name = 'token'`)
    await until('the gap', async () => bare.app.config.whatsapp.token === null)
    const { body } = await owner.call(api.getWhatsappSetup)
    expect(body?.keys[0]).toMatchObject({ name: 'token', ending: null, isUnreadable: true })
  })

  it('can be removed, readable or not, without asking Meta; then nothing uses them', async () => {
    meta.fail(503)
    const remove = (...names: api.WhatsappKey[]) => save(Object.fromEntries(names.map((name) => [name, null])))
    const { body } = await remove('token', 'verifyToken')
    const none = { source: null, ending: null, isUnreadable: false, by: null, at: null }
    expect(body.keys.filter(({ source }) => source === null)).toEqual([
      { name: 'token', ...none },
      { name: 'verifyToken', ...none },
    ])
    expect(stepOf(body, 'token')?.problem).toBe('NOT_SET')
    expect(await send()).toMatchObject({ ok: false, error: { code: 'NOT_CONFIGURED' } })
    const { items } = (await owner.call(listAudit, { query: { resource: 'connection' } })).body
    expect(items[0]?.changes).toEqual([{ field: 'keys', from: ['token', 'verifyToken'], to: null }])
    // A new one is tried again, with those that stayed.
    meta.reset()
    expect((await save({ token: meta.token })).body.keys.map(({ source }) => source)).toEqual(Array(5).fill('page'))
  })

  it('belong together: a number of another account is refused', () => {
    const answered = <T>(value: T) => ({ kind: 'answered' as const, value })
    const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging']
    const trial = {
      token: answered({ appId: '1', isValid: true, expiresAt: null, scopes }),
      number: answered({ phone: '', name: null, status: null }),
      account: answered({ name: null, review: null, business: null }),
      secret: answered(null),
      numbers: answered(['2', '3']),
    }
    expect(problemsOfKeys(trial, '3')).toEqual([])
    expect(problemsOfKeys(trial, '4')).toMatchObject([{ name: 'businessAccountId', problem: 'OTHER_ACCOUNT' }])
    const narrow = { ...trial, token: answered({ ...trial.token.value, scopes: scopes.slice(1) }) }
    expect(problemsOfKeys(narrow, '3')).toMatchObject([{ problem: 'TOKEN_SCOPES', detail: scopes[0] }])
  })
})
