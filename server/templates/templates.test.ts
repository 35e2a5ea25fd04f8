import type { Fils } from '@qatra/contract/lib/money'
import * as api from '@qatra/contract/whatsapp/templates/templates'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import { driverNews, orderNews } from '../order-messages/message.ts'
import { startShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { fileForm } from '../test/fixtures/form.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import type { Visitor } from '../test/visitor.ts'
import { fetchTemplates } from './cloud.gateway.ts'

const shop = await startShop()
let boss: Visitor
beforeAll(async () => {
  boss = await shop.visitor().signInAs('+97336000001')
})
const listed = async () => (await boss.call(api.listTemplates)).body

describe('templates of the simulator', () => {
  it('exist without a sync, approved ones first, one of them without variables', async () => {
    const templates = await listed()
    expect(templates[0]?.status).toBe('APPROVED')
    expect(templates.some((one) => one.isSelectable && one.variables.length === 0)).toBe(true)
    expect(templates.find((one) => one.name === 'order_again' && one.language === 'ar')).toMatchObject({
      variables: [
        { key: '1', part: 'body', example: 'نورة' },
        { key: 'button', part: 'button' },
      ],
    })
    for (const status of ['PAUSED', 'REJECTED'])
      expect(templates.find((one) => one.status === status)?.isSelectable).toBe(false)
  })

  it.each(['ar', 'en'] as const)('are those that news goes by, with as many values, in %s', async (language) => {
    const order = { id: 'ABCD', vendor_name: 'Hayrat', vendor_name_ar: 'هيرات', total: 7400 as Fils, language }
    const kinds = ['new', 'in-progress', 'shipped', 'delivered', 'cancelled', 'confirmation'] as const
    const all = await listed()
    const facts = { ...order, promisedDate: '2026-11-22' }
    const delivered_items = [{ name: 'Hayrat', nameAr: 'هيرات', size: '500ml', quantity: 3, unitsPerInventoryUnit: 24 }]
    const messages = kinds.map((kind) => orderNews(facts, kind, 'http://localhost:3000'))
    const partly = orderNews({ ...facts, delivered_items }, 'delivered', 'http://localhost:3000')
    for (const { name, body, buttons = [] } of [...messages, partly, driverNews(language, 3, '/')]) {
      const template = all.find((one) => one.name === name && one.language === language)
      expect([name, template?.status]).toEqual([name, 'APPROVED'])
      const open = (part: string) => template?.variables.filter((one) => one.part === part).length
      expect([name, open('body'), open('button')]).toEqual([name, body.length, buttons.length])
    }
  })

  it('follow status changes by the provider and cannot be selected if not approved', async () => {
    const move = (status: string) =>
      runJobTransaction(shop.app.pool, (ctx) =>
        publish(ctx, 'template.changed', {
          providerId: null,
          name: 'water_reminder',
          language: 'en',
          field: 'status',
          to: status,
          reason: 'QUALITY',
          at: new Date().toISOString(),
        }),
      )
    const one = async () =>
      (await listed()).find(({ name, language }) => name === 'water_reminder' && language === 'en')
    await move('PAUSED')
    await until('the change', async () => (await one())?.status === 'PAUSED')
    expect(await one()).toMatchObject({ isSelectable: false, rejectedReason: 'QUALITY' })
    const { body } = await boss.call(api.listReplyTemplates)
    expect(body.filter(({ name, language }) => name === 'water_reminder' && language === 'en')).toEqual([])
    expect((await boss.call(api.syncTemplates)).body).toMatchObject({ added: 0, changed: 1, removed: 0 })
    expect(await one()).toMatchObject({ isSelectable: true, rejectedReason: null })
  })

  const draft = {
    name: 'winter_offer',
    language: 'en' as const,
    category: 'MARKETING' as const,
    header: '',
    headerSample: '',
    body: 'Hello {{1}}, winter prices are here. Delivered to your door.',
    samples: ['Noora'],
    footer: 'Send STOP to get no more offers',
    buttons: [{ type: 'URL' as const, text: 'Order', value: 'https://qatra.example/{{1}}', sample: 'a' }],
  }
  const named = async (name: string) => (await listed()).find((one) => one.name === name && one.language === 'en')
  const isIn = (name: string, status: string) => until(status, async () => (await named(name))?.status === status)

  it('are written here, reviewed, edited once a day and deleted, as Meta allows', async () => {
    const broken = await boss.call(api.writeTemplate, { body: { ...draft, body: '{{1}}, hello to you all' } })
    expect([broken.status, broken.refusal.details['problems']]).toEqual([422, { body: 'at-end' }])
    const { body: made } = await boss.call(api.writeTemplate, { body: draft })
    expect(made).toMatchObject({ status: 'PENDING', draft, fixed: { edit: 'status' } })
    expect((await boss.call(api.writeTemplate, { body: draft })).refusal.code).toBe('TEMPLATE_EXISTS')
    await isIn('winter_offer', 'APPROVED')
    expect(await named('winter_offer')).toMatchObject({ isSelectable: true, fixed: { edit: null, delete: null } })
    const params = { id: String(made.id) }
    const body = { ...draft, category: 'UTILITY' as const, name: 'other', footer: 'STOP ends the offers' }
    const edited = await boss.call(api.editTemplate, { params, body })
    // Name and kind of an approved template stay.
    expect(edited.body).toMatchObject({
      name: 'winter_offer',
      category: 'MARKETING',
      status: 'PENDING',
      footer: body.footer,
    })
    await isIn('winter_offer', 'APPROVED')
    expect((await boss.call(api.editTemplate, { params, body })).refusal.details).toEqual({ reason: 'edits' })
    const [campaign] = await shop.query<{ id: string }>(
      `insert into template_campaigns (name, template_name, language, status) values ('W', 'winter_offer', 'en', 'paused') returning id`,
    )
    expect((await boss.call(api.deleteTemplate, { params })).refusal.details).toEqual({ reason: 'campaign' })
    await shop.query('delete from template_campaigns where id = $1', [campaign?.id])
    expect((await boss.call(api.deleteTemplate, { params })).status).toBe(200)
    expect((await named('winter_offer'))?.status).toBe('DELETED')
    // The name is taken for 30 days: Meta's words reach the author.
    const again = await boss.call(api.writeTemplate, { body: draft })
    expect([again.refusal.code, String(again.refusal.details['reason'])]).toEqual([
      'META_REFUSED',
      expect.stringContaining('30 days'),
    ])
    const history = await shop.query<{ action: string }>(
      `select action from audit_log where resource = 'template' and resource_id = 'winter_offer en' order by id`,
    )
    expect(history.map(({ action }) => action)).toEqual(['created', 'updated', 'deleted'])
  })

  it('that Meta rejects say why, and may be edited without a limit', async () => {
    const service = { ...draft, name: 'winter_news', category: 'UTILITY' as const, footer: '' }
    const body = { ...service, body: 'Hello {{1}}, a discount of the winter waits for you.' }
    const { body: made } = await boss.call(api.writeTemplate, { body })
    await isIn('winter_news', 'REJECTED')
    const rejected = await named('winter_news')
    expect(rejected).toMatchObject({ rejectedReason: 'INCORRECT_CATEGORY', fixed: { edit: null } })
    const params = { id: String(made.id) }
    expect((await boss.call(api.editTemplate, { params, body })).body.status).toBe('PENDING')
    await isIn('winter_news', 'REJECTED')
    expect((await boss.call(api.editTemplate, { params, body: service })).status).toBe(200)
    await isIn('winter_news', 'APPROVED')
  })

  it('may have a PDF or a picture above them, of which Meta gets a sample at each review', async () => {
    const upload = (name: string, bytes: Buffer) =>
      boss.send('POST', api.uploadTemplateSample.path, fileForm(name, bytes))
    expect((await upload('a.txt', Buffer.from('prices'))).body).toMatchObject({ code: 'FILE_REFUSED' })
    const { body: sample } = await upload('prices.pdf', Buffer.from('%PDF-1.4\n%%EOF'))
    expect(sample).toMatchObject({ format: 'DOCUMENT' })
    const { handle } = sample as { handle: string }
    const body = { ...draft, name: 'winter_prices', headerSample: handle }
    const asPicture = await boss.call(api.writeTemplate, { body: { ...body, headerFormat: 'IMAGE' } })
    expect(asPicture.refusal.code).toBe('META_REFUSED')
    const { body: made } = await boss.call(api.writeTemplate, { body: { ...body, headerFormat: 'DOCUMENT' } })
    await isIn('winter_prices', 'APPROVED')
    const known = await named('winter_prices')
    expect(known).toMatchObject({ isSelectable: true, draft: { headerFormat: 'DOCUMENT', headerSample: '' } })
    const again = { params: { id: String(made.id) }, body: { ...body, headerFormat: 'DOCUMENT' as const } }
    const without = { ...again, body: { ...again.body, headerSample: '' } }
    expect((await boss.call(api.editTemplate, without)).refusal.details['problems']).toEqual({ headerSample: 'file' })
    expect((await boss.call(api.editTemplate, again)).status).toBe(200)
  })

  it('that the shop sends itself are neither written nor edited nor deleted here', async () => {
    const { refusal } = await boss.call(api.writeTemplate, { body: { ...draft, name: 'order_shipped' } })
    expect(refusal.details).toEqual({ reason: 'needed' })
    expect(await named('order_shipped')).toMatchObject({ fixed: { edit: 'needed', delete: 'needed' } })
    expect((await listed()).find(({ name }) => name === 'last_minutes')?.draft).toBeNull()
  })

  it('are kept and marked if the provider no longer lists them', async () => {
    await shop.query(
      `insert into whatsapp_templates (name, language, category, status) values ('old_one', 'en', 'UTILITY', 'APPROVED')`,
    )
    expect((await boss.call(api.syncTemplates)).body.removed).toBe(1)
    expect((await listed()).find(({ name }) => name === 'old_one')).toMatchObject({
      status: 'DELETED',
      isSelectable: false,
      syncedAt: null,
    })
    expect((await boss.call(api.syncTemplates)).body.removed).toBe(0)
  })
})

describe('templates of the Cloud API', () => {
  let meta: MetaServer
  beforeAll(async () => {
    meta = await startMeta()
  })
  afterAll(() => meta.stop())
  /** Answers the n-th page to `after=n`. */
  const serve = (pages: (object | null)[]) =>
    meta.be((response, { path }) => {
      const page = pages[Number(new URLSearchParams(path.split('?')[1]).get('after') ?? '0')]
      response.writeHead(page ? 200 : 500, { 'content-type': 'application/json' }).end(JSON.stringify(page ?? {}))
    })
  const config = () => ({
    ...readConfig({ NODE_ENV: 'test' }).whatsapp,
    token: 't',
    businessAccountId: '102290129340398',
    graphUrl: meta.graphUrl,
  })
  const one = (name: string) => ({
    id: `${name}1`,
    name,
    language: 'en_US',
    category: 'MARKETING',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Hi' }],
    rejected_reason: 'NONE',
    quality_score: { score: 'GREEN' },
  })
  const more = (after: number) => ({ paging: { cursors: { after: String(after) }, next: 'http://elsewhere.example/' } })

  it('are read page by page, only from the configured address', async () => {
    await serve([
      { data: [one('a')], ...more(1) },
      { data: [one('b')], paging: { cursors: { after: '9' } } },
    ])
    const found = await fetchTemplates(config())
    expect(found?.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(found?.[0]).toMatchObject({ quality: 'GREEN', rejectedReason: null })
    expect(meta.requests[0]?.path).toContain('/102290129340398/message_templates?')
  })

  it('are complete for an account with more than a page of them', async () => {
    await meta.be(null)
    const names = Array.from({ length: 130 }, (_, n) => `offer_${n}`)
    meta.templates.push(...names.map(one))
    const found = await fetchTemplates({ ...config(), token: meta.token })
    expect(found?.map(({ name }) => name)).toEqual(names)
  })

  it('are not returned if a page is missing', async () => {
    await serve([{ data: [one('a')], ...more(1) }, null])
    expect(await fetchTemplates(config())).toBeNull()
  })
})
