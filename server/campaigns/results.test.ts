import { getSettings, type MessagePrices, saveSettings } from '@qatra/contract/settings/settings'
import { previewCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import {
  duplicateCampaign,
  getCampaignResults,
  testCampaign,
} from '@qatra/contract/whatsapp/campaigns/campaign-results'
import * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import { uploadHeadingFile } from '@qatra/contract/whatsapp/templates/templates'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { runJobTransaction } from '../database/transaction.ts'
import { deleteOldRows } from '../jobs/retention.ts'
import { startShop } from '../test/app.ts'
import { inbox, newPhone, until } from '../test/fixtures/codes.ts'
import { fileForm } from '../test/fixtures/form.ts'
import { makeHousehold, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'
import { claimNextSend } from './sending.commands.ts'

const shop = await startShop({ hasBot: false })
let boss: Visitor & { id: number; phone: string }
beforeAll(async () => {
  boss = await makeVisitor(shop, { role: 'super_admin' })
})
const plain = { name: 'Reminder', templateName: 'water_reminder', language: 'ar' } as const
const phones = (count: number) => Array.from({ length: count }, newPhone)
const listOf = (all: readonly string[]) => all.map((phone) => ({ phone }))
const agreed = { consentSource: 'Form at the counter' }
const create = async (body: object) => boss.call(api.createCampaign, { body: { ...plain, ...body } as never })
const get = async (id: string) => (await boss.call(api.getCampaign, { params: { id } })).body
const results = async (id: string) => (await boss.call(getCampaignResults, { params: { id } })).body
const start = (id: string) => boss.call(api.startCampaign, { params: { id } })
const completed = (id: string) => until('the end', async () => (await get(id)).status === 'completed')

describe('a list', () => {
  it('is sent only after a declaration of consent, which stays with the campaign and in the audit log', async () => {
    const { body: made } = await create({ recipients: listOf(phones(2)) })
    expect((await start(made.id)).refusal.code).toBe('CAMPAIGN_CONSENT_MISSING')
    const change = (body: object) => boss.call(api.changeCampaign, { params: { id: made.id }, body })
    const { body: declared } = await change(agreed)
    expect(declared.consent).toMatchObject({ source: agreed.consentSource })
    const [entry] = await shop.query<{ user_id: number; new_values: object }>(
      `select user_id, new_values from audit_log where resource_id = $1 order by id desc limit 1`,
      [made.id],
    )
    expect(entry).toMatchObject({ user_id: boss.id, new_values: agreed })
    // Another list is not covered by it.
    expect((await change({ recipients: listOf(phones(1)) })).body.consent).toBeNull()
    expect((await start(made.id)).refusal.code).toBe('CAMPAIGN_CONSENT_MISSING')
    await change({ recipients: listOf(phones(1)), ...agreed })
    expect((await start(made.id)).body.status).toBe('running')
  })
})

it('a campaign is refused with a template that is not for marketing, new and changed', async () => {
  const recipients = listOf(phones(1))
  await shop.query(
    `insert into whatsapp_templates (name, language, category, status, components)
     select 'order_note', language, 'UTILITY', status, components from whatsapp_templates
     where name = 'water_reminder' and language = 'ar'`,
  )
  const refused = await create({ templateName: 'order_note', recipients })
  expect([refused.status, refused.refusal.code]).toEqual([422, 'TEMPLATE_NOT_MARKETING'])
  const { body } = await create({ recipients })
  const params = { id: body.id }
  const changed = await boss.call(api.changeCampaign, { params, body: { templateName: 'order_note' } })
  expect(changed.refusal.code).toBe('TEMPLATE_NOT_MARKETING')
  // Its template became another kind meanwhile.
  await shop.query(`update template_campaigns set template_name = 'order_note' where id = $1`, [body.id])
  expect((await boss.call(api.changeCampaign, { params, body: { name: 'Kept' } })).status).toBe(200)
})

describe('the file of a heading', () => {
  const upload = (name: string, bytes: Buffer) =>
    boss.send('POST', uploadHeadingFile.path, fileForm(name, bytes, { type: 'application/octet-stream' }))
  let shade = 0
  const picture = () =>
    sharp({ create: { width: 2_000, height: 40 + (shade += 1), channels: 4, background: 'transparent' } })
      .webp()
      .toBuffer()
  const urlOf = async (name: string, bytes: Buffer) => ((await upload(name, bytes)).body as { url: string }).url
  const served = (url: string) => shop.app.http.inject({ method: 'GET', url })
  const eid = { name: 'Eid', templateName: 'eid_coupon', language: 'ar', ...agreed }
  const valuesWith = (header: string) => ({ first_name: '{name}', header, code: 'EID10' })
  const withHeader = (header: string) =>
    create({ ...eid, recipients: listOf(phones(1)), globalVariables: valuesWith(header) })
  async function purgeLater() {
    await shop.query(`update media set public_until = public_until - interval '1 month'`)
    await deleteOldRows(shop.app, ({ table }) => table === 'media')
  }
  const missing = ({ refusal }: Awaited<ReturnType<typeof create>>) => [refusal.code, refusal.details['variables']]
  const noHeader = ['CAMPAIGN_VARIABLES_MISSING', [expect.objectContaining({ variable: 'header', count: 1 })]]

  it('is stored as a JPEG that WhatsApp fetches, and kept while a campaign has it', async () => {
    const url = await urlOf('eid.webp', await picture())
    const { headers, rawPayload } = await served(url)
    const stored = await sharp(rawPayload).metadata()
    expect([headers['content-type'], stored.format, stored.width]).toEqual(['image/jpeg', 'jpeg', 1_600])
    const { body: made } = await withHeader(url)
    await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [made.id])
    const claim = await runJobTransaction(shop.app.pool, (ctx) => claimNextSend(ctx, shop.app.config, made.id, 'w'))
    expect(claim).toMatchObject({ outbound: { message: { header: { type: 'image', link: url } } } })
    const unused = await urlOf('other.webp', await picture())
    await purgeLater()
    expect([(await served(url)).statusCode, (await served(unused)).statusCode]).toEqual([200, 404])
    // The copy needs it again.
    const copy = { params: { id: made.id }, body: { name: 'Eid again' } }
    expect((await boss.call(duplicateCampaign, copy)).status).toBe(200)
    expect(missing(await withHeader(unused))).toEqual(noHeader)
    expect(
      (await boss.call(testCampaign, { body: { ...eid, globalVariables: valuesWith(unused) } })).refusal.code,
    ).toBe('CAMPAIGN_VARIABLES_MISSING')
  })

  it('may be a PDF, which keeps its name, and not of another kind than the heading', async () => {
    const url = await urlOf('قائمة الأسعار.pdf', Buffer.from('%PDF-1.4\n%%EOF'))
    const { headers } = await served(url)
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'application/pdf',
      expect.stringMatching(/^attachment/),
    ])
    const { body: made } = await create({
      name: 'Prices',
      templateName: 'price_list',
      language: 'ar',
      recipients: listOf(phones(1)),
      globalVariables: { header: url, month: 'ديسمبر' },
    })
    await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [made.id])
    const claim = await runJobTransaction(shop.app.pool, (ctx) => claimNextSend(ctx, shop.app.config, made.id, 'w'))
    expect(claim).toMatchObject({
      outbound: { message: { header: { type: 'document', link: url, filename: 'قائمة الأسعار.pdf' } } },
    })
    expect(missing(await withHeader(url))).toEqual(noHeader)
  })

  it('is refused with its reason if WhatsApp would not show it', async () => {
    const { status, body } = await upload('prices.txt', Buffer.from('prices'))
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({
        code: 'FILE_REFUSED',
        details: { problem: 'kind', fields: { file: expect.any(String) } },
      }),
    ])
  })
})

describe('two languages in one campaign', () => {
  it('reach each person in their own, and people without a language in Arabic', async () => {
    const people = await Promise.all([1, 2].map(() => makeUser(shop, { role: 'customer' })))
    const [arabic = '', english = ''] = people.map(({ phone }) => phone)
    await shop.query(`update users set language = 'en' where phone = $1`, [english])
    const [unknown = ''] = phones(1)
    const body = {
      templateName: 'weekly_offer',
      language: 'en',
      globalVariables: { 1: '{name}', 2: 'half price' },
      secondLanguage: 'ar',
      secondVariables: { 1: '{name}', 2: 'نصف السعر' },
      recipients: listOf([arabic, english, unknown]),
    }
    const preview = await boss.call(previewCampaign, { body })
    expect(preview.body.samples.map(({ phone, language, values }) => [phone, language, values[2]])).toEqual([
      [arabic, 'ar', 'نصف السعر'],
      [unknown, 'ar', 'نصف السعر'],
      [english, 'en', 'half price'],
    ])
    const made = await create({ ...body, ...agreed })
    expect(made.body).toMatchObject({ language: 'en', secondLanguage: 'ar' })
    await start(made.body.id)
    await completed(made.body.id)
    const textTo = async (phone: string) => (await inbox(shop, phone)).map((message) => message.body).join()
    expect(await textTo(english)).toContain('half price')
    expect(await textTo(arabic)).toContain('نصف السعر')
    expect(await textTo(unknown)).toContain('نصف السعر')
  })

  it('need values and an approved template in both', async () => {
    const offer = {
      templateName: 'weekly_offer',
      language: 'ar',
      globalVariables: { 1: 'x', 2: 'y' },
      secondLanguage: 'en',
    }
    const recipients = listOf(phones(1))
    await shop.query(`insert into contacts (phone, language) values ($1, 'en')`, [recipients[0]?.phone])
    expect((await create({ ...offer, recipients })).refusal.code).toBe('CAMPAIGN_VARIABLES_MISSING')
    const absent = { templateName: 'summer_sale', language: 'ar', secondLanguage: 'en', recipients }
    expect((await create(absent)).refusal.code).toBe('TEMPLATE_NOT_AVAILABLE')
    expect((await create({ ...offer, secondLanguage: 'ar', recipients })).status).toBe(422)
  })
})

describe('a test message', () => {
  it('goes to the own phone in each language, and only so many an hour', async () => {
    const body = { templateName: 'weekly_offer', language: 'ar', globalVariables: { 1: '{name}', 2: 'خصم' } }
    const both = { ...body, secondLanguage: 'en', secondVariables: { 1: '{name}', 2: 'discount' } }
    const sent = await boss.call(testCampaign, { body: both })
    expect(sent.body).toEqual({ phone: boss.phone, messages: 2 })
    await until('both', async () => (await inbox(shop, boss.phone)).length === 2)
    expect((await boss.call(testCampaign, { body: { ...body, globalVariables: {} } })).refusal.code).toBe(
      'CAMPAIGN_VARIABLES_MISSING',
    )
    const send = () => boss.call(testCampaign, { body })
    for (let count = 2; count < 17; count += 1) expect((await send()).status).toBe(200)
    const atOnce = await Promise.all([send(), send(), send(), send(), send()])
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
  })
})

describe('the estimated cost', () => {
  it('counts messages by country and category at the prices in the settings', async () => {
    const recipients = [...listOf(phones(3)), { phone: '+966501234567' }, { phone: '+12025550123' }]
    const cost = async () => (await boss.call(previewCampaign, { body: { ...plain, recipients } })).body.cost
    // Meta's list prices until the owner enters others: 3 × 0.012822 + 0.018838.
    expect(await cost()).toEqual({ amount: 0.057, unpriced: 1 })
    const { body: before } = await boss.call(getSettings)
    const messagePrices = { BH: { marketing: 12.5, utility: 1 }, SA: { marketing: 17.001 } }
    const put = await boss.call(saveSettings, { body: { ...before, messagePrices } })
    expect(put.body.messagePrices.BH).toEqual({ marketing: 12.5, utility: 1 })
    // 3 × 0.0125 + 0.017001 = 0.054501, rounded half up.
    expect(await cost()).toEqual({ amount: 0.055, unpriced: 1 })
    const { messagePrices: _, ...facts } = put.body
    expect((await boss.call(saveSettings, { body: facts })).body.messagePrices).toEqual(put.body.messagePrices)
    expect(
      (await boss.call(saveSettings, { body: { ...facts, messagePrices: { BH: { marketing: -1 } } } })).status,
    ).toBe(422)
  })
})

describe('the cost so far', () => {
  it('is the sum of the delivered messages that Meta bills, at the prices in the settings', async () => {
    const { body: made } = await create({ ...agreed, recipients: listOf([...phones(5), '+12025550124']) })
    await start(made.id)
    await completed(made.id)
    await until('the receipts', async () => (await get(made.id)).counts.sent === 0)
    const put = async (messagePrices: MessagePrices) => {
      const { body } = await boss.call(getSettings)
      return boss.call(saveSettings, { body: { ...body, messagePrices } })
    }
    await put({ BH: { marketing: 12.5, utility: 1 } })
    expect((await results(made.id)).spent).toBeNull()
    const sends = await shop.query<{ message_id: number; recipient_phone: string }>(
      'select message_id, recipient_phone from template_sends where campaign_id = $1 order by recipient_phone',
      [made.id],
    )
    const bill = async (at: number, category: string, isBillable = true, status = 'delivered') =>
      shop.query('update whatsapp_messages set pricing = $2, status = $3 where id = $1', [
        sends[at]?.message_id,
        JSON.stringify({ isBillable, category, model: 'PMP', type: 'regular' }),
        status,
      ])
    // To a country without a price, the first in this order.
    await bill(0, 'marketing')
    expect((await results(made.id)).spent).toEqual({ amount: 0, unpriced: 1 })
    await bill(1, 'marketing')
    await bill(2, 'marketing', true, 'read')
    await bill(3, 'marketing', false)
    await bill(4, 'marketing', true, 'failed')
    await bill(5, 'utility')
    // 2 × 0.0125 + 0.001
    expect((await results(made.id)).spent).toEqual({ amount: 0.026, unpriced: 1 })
    await put({ BH: { marketing: 12.5, utility: 1 }, other: { marketing: 30 } })
    expect((await results(made.id)).spent).toEqual({ amount: 0.056, unpriced: 0 })
    // Without own prices those of Meta's list: 2 × 0.012822 + 0.003422.
    await put({})
    expect((await results(made.id)).spent).toEqual({ amount: 0.029, unpriced: 1 })
  })
})

describe('a duplicate', () => {
  it('is a draft with the same people, values and exclusions, without the declaration', async () => {
    const [one = '', two = ''] = phones(2)
    const offer = { templateName: 'weekly_offer', language: 'en', globalVariables: { 2: 'half price' } }
    const recipients = [one, two].map((phone) => ({ phone, variables: { 1: 'Noor' } }))
    const { body: made } = await create({ ...offer, ...agreed, recipients, excludedPhones: [two] })
    await start(made.id)
    await completed(made.id)
    const { body: copy } = await boss.call(duplicateCampaign, { params: { id: made.id }, body: { name: 'Again' } })
    expect(copy).toMatchObject({
      name: 'Again',
      status: 'draft',
      startedAt: null,
      consent: null,
      totalRecipients: 1,
      excludedPhones: [two],
      globalVariables: { 2: 'half price' },
    })
  })
})

describe('results of a campaign', () => {
  it('count replies and orders within seven days after the message, for the last campaign', async () => {
    const { customer, order } = await makeHousehold(shop)
    const sentAt = async (days: number) => {
      const { body } = await create({ ...agreed, recipients: listOf([customer.phone]) })
      await start(body.id)
      await completed(body.id)
      await until('the receipt', async () => (await get(body.id)).counts.sent === 0)
      await shop.query(`update template_sends set sent_at = now() - $2 * interval '1 day' where campaign_id = $1`, [
        body.id,
        days,
      ])
      return body.id
    }
    const old = await sentAt(8)
    const first = await sentAt(6)
    const last = await sentAt(2)
    const between = await order()
    const after = await order()
    const cancelled = await order()
    const long = await order()
    const place = (id: string, days: number, status = 'new') =>
      shop.query(`update orders set created_at = now() - $2 * interval '1 day', status = $3 where id = $1`, [
        id,
        days,
        status,
      ])
    await place(between, 4)
    await place(after, 1)
    await place(cancelled, 1, 'cancelled')
    await place(long, 7.5)
    await shop.query(
      `insert into whatsapp_messages (contact_id, direction, channel, status, created_at)
       select id, 'incoming', 'whatsapp', 'received', now() - interval '3 days' from contacts where phone = $1`,
      [customer.phone],
    )
    const [{ total = 0 } = {}] = await shop.query<{ total: number }>('select total::int from orders where id = $1', [
      after,
    ])
    expect(await results(old)).toMatchObject({ replies: 0, orders: 1 })
    expect(await results(first)).toMatchObject({ replies: 1, orders: 1 })
    expect(await results(last)).toMatchObject({ replies: 0, orders: 1, revenue: total / 1000 })
    expect((await results(last)).endsAt).not.toBeNull()
  })
})

describe('a follow-up', () => {
  it('reaches who has not answered until it is sent, and nobody twice', async () => {
    const people = await Promise.all([1, 2, 3].map(() => makeUser(shop, { role: 'customer' })))
    const all = people.map(({ phone }) => phone)
    const [stays = '', writes = '', ends = ''] = all
    await shop.query(`update users set marketing_consent = true, consent_at = now() where phone = any($1)`, [all])
    const { body: first } = await create({ ...agreed, recipients: listOf(all) })
    await start(first.id)
    await completed(first.id)
    await until('the receipts', async () => (await get(first.id)).counts.sent === 0)
    const audience = { followUp: { campaignId: first.id, without: 'answer' } }
    const [{ body: one }, { body: two }] = await Promise.all([create({ audience }), create({ audience })])
    expect([one.totalRecipients, two.totalRecipients]).toEqual([3, 3])
    // The audience is counted again when the campaign starts.
    await shop.query('update contacts set opted_out_at = now() where phone = $1', [ends])
    await shop.query(`update template_campaigns set status = 'paused', started_at = now() where id = $1`, [two.id])
    await shop.query('delete from template_sends where campaign_id = $1 and recipient_phone = $2', [two.id, stays])
    const begun = await start(one.id)
    expect(begun.body).toMatchObject({ totalRecipients: 1, exclusions: {} })
    await completed(one.id)
    expect(await sentIn(one.id)).toEqual([[stays, null]])
    expect((await create({ audience })).body.totalRecipients).toBe(0)
    // Whoever answers between the count and the message gets none.
    await shop.query(
      `insert into whatsapp_conversation_threads (contact_id, last_incoming_at)
       select id, now() from contacts where phone = $1 on conflict (contact_id) do update set last_incoming_at = now()`,
      [writes],
    )
    await boss.call(api.resumeCampaign, { params: { id: two.id } })
    await completed(two.id)
    expect(await sentIn(two.id)).toEqual(
      [
        [writes, 'answered'],
        [ends, 'opted-out'],
      ].sort(),
    )
  })

  const sentIn = async (id: string) =>
    (
      await shop.query<{ phone: string; code: string | null }>(
        'select recipient_phone as phone, error_code as code from template_sends where campaign_id = $1 order by 1',
        [id],
      )
    ).map(({ phone, code }) => [phone, code])
})
