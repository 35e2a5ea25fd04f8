import type { Fils } from '@qatra/contract/lib/money'
import * as api from '@qatra/contract/whatsapp/templates/templates'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import { driverNews, orderNews } from '../order-messages/message.ts'
import { startShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
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
