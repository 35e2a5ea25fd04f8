import { listNotifications } from '@qatra/contract/notifications/notifications'
import * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import type { OutboundMessage, Outcome } from '../providers/provider.ts'
import { startShop, type TestShop } from '../test/app.ts'
import type { Refuse } from '../test/fixtures/campaigns.ts'
import { countSends, draftCampaign, emptyCampaigns, NAME, PROVIDER_ID } from '../test/fixtures/campaigns.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { APP_SECRET, callAsMeta, status } from '../test/meta.ts'
import { repeated, sample } from '../test/sample.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import type { Visitor } from '../test/visitor.ts'
import { sendNext } from './jobs.ts'
import { findDueCampaigns, startDueCampaign } from './states.commands.ts'
import { sweepCampaigns } from './sweeping.commands.ts'

let meta: MetaServer
let shop: TestShop
let boss: Visitor

beforeAll(async () => {
  meta = await startMeta()
  const { whatsapp } = readConfig({ NODE_ENV: 'test' })
  const cloud = { provider: 'cloud', token: meta.token, phoneNumberId: null, graphUrl: meta.graphUrl } as const
  shop = await startShop({
    simulator: false,
    hasBot: false,
    whatsapp: { ...whatsapp, ...cloud, appSecret: APP_SECRET, campaignsPerSecond: 1000, quietHours: null },
  })
  boss = await makeVisitor(shop, { role: 'super_admin' })
})
afterAll(() => meta.stop())
beforeEach(async () => {
  meta.reset()
  await emptyCampaigns(shop)
})

const draftTo = (people: number, more = '') => draftCampaign(shop, people, more)
const act = (endpoint: typeof api.startCampaign | typeof api.resumeCampaign, id: string) =>
  boss.call(endpoint, { params: { id } })
const get = async (id: string) => (await boss.call(api.getCampaign, { params: { id } })).body
const at = (id: string, wanted: api.CampaignStatus) =>
  until(`the campaign ${wanted}`, async () => {
    const campaign = await get(id)
    return campaign.status === wanted && campaign.counts.sending === 0 ? campaign : null
  })
const sentTo = new Map<string, number>()
const count = (refuse: Refuse) => countSends(meta, sentTo, refuse)
const mostTimes = () => Math.max(0, ...sentTo.values())
const sum = (counts: Record<string, number | undefined>) =>
  Object.values(counts).reduce<number>((a, b) => a + (b ?? 0), 0)
const tellMeta = (field: string, value: object, time = Math.floor(Date.now() / 1000)) =>
  callAsMeta(shop, { object: 'whatsapp_business_account', entry: [{ id: '1', time, changes: [{ field, value }] }] })
const ofTemplate = {
  message_template_id: PROVIDER_ID,
  message_template_name: NAME,
  message_template_language: 'ar',
}
const template = async () =>
  (await boss.call(listTemplates)).body.find(({ name, language }) => name === NAME && language === 'ar')

describe('a paused template', () => {
  it('stops a campaign within one batch; nobody is lost or reached twice', async () => {
    const people = repeated(10_000, 1_000)
    const id = await draftTo(people)
    const calls = count((accepted) => (accepted >= 100 ? { status: 400, code: 132015 } : null))
    await act(api.startCampaign, id)
    const stopped = await at(id, 'paused')
    expect(stopped).toMatchObject({ statusCode: '132015', failedSends: 0, counts: { skipped: 0, failed: 0 } })
    expect(stopped.counts.pending).toBe(people - calls.accepted())
    // Calls of the batch and those in flight.
    expect(calls.refused()).toBeLessThanOrEqual(40)
    const again = count((accepted) => (accepted >= 100 ? { status: 400, code: 132016 } : null))
    const before = [...meta.received].length
    expect((await act(api.resumeCampaign, id)).body).toMatchObject({ status: 'running', statusCode: null })
    const second = await at(id, 'paused')
    expect(second).toMatchObject({ statusCode: '132016', counts: { failed: 0, skipped: 0 } })
    expect(second.counts.pending).toBe(people - calls.accepted() - again.accepted())
    expect(sum(second.counts)).toBe(people)
    expect(meta.received.length - before).toBeLessThanOrEqual(again.accepted() + 40)
    const twice = await shop.query(
      `select to_number from whatsapp_messages where status in ('sent', 'delivered', 'read') and sent_by_type = 'campaign'
       group by to_number having count(*) > 1`,
    )
    expect([mostTimes(), twice]).toEqual([1, []])
  })

  it('mutant: a gateway for which the refusal concerns one person loses everybody', async () => {
    const id = await draftTo(8)
    await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [id])
    count(() => ({ status: 400, code: 132015 }))
    const { messages } = gatewaysOf(shop.app)
    if (!messages) throw new Error('The shop sends by the Cloud API')
    const send = async (outbound: OutboundMessage): Promise<Outcome> => {
      const outcome = await messages.send(outbound)
      return outcome.ok ? outcome : { ...outcome, kind: 'undeliverable' }
    }
    for (let n = 0; n < 8; n += 1) await sendNext(shop.app, { ...messages, send }, id)
    expect((await get(id)).counts).toMatchObject({ failed: 8, pending: 0 })
  })

  it('known from the webhook keeps a campaign from going on until the template is back', async () => {
    const id = await draftTo(5)
    count(() => null)
    await shop.query(`update template_campaigns set status = 'paused', started_at = now() where id = $1`, [id])
    const other = { title: 'FIRST_PAUSE', description: 'Your template has been paused' }
    const paused = { ...ofTemplate, event: 'PAUSED', reason: 'NONE', other_info: other }
    await tellMeta('message_template_status_update', paused)
    await until('the status', async () => (await template())?.status === 'PAUSED')
    expect(await template()).toMatchObject({ isSelectable: false, rejectedReason: 'FIRST_PAUSE' })
    expect((await act(api.resumeCampaign, id)).refusal.code).toBe('TEMPLATE_NOT_AVAILABLE')
    const unpaused = { ...paused, event: 'APPROVED', other_info: { title: 'UNPAUSE' } }
    await tellMeta('message_template_status_update', unpaused, Math.floor(Date.now() / 1000) + 1)
    await until('it back', async () => (await template())?.status === 'APPROVED')
    await act(api.resumeCampaign, id)
    expect((await at(id, 'completed')).counts.sent).toBe(5)
    expect([sentTo.size, mostTimes()]).toEqual([5, 1])
  })

  it('after the claim makes the person pending again, and the campaign paused', async () => {
    const id = await draftTo(3)
    await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [id])
    await shop.query(`update whatsapp_templates set status = 'DISABLED' where language = 'ar'`)
    const calls = count(() => null)
    await shop.app.queue.send('campaign-work', { campaignId: id })
    const end = await at(id, 'paused')
    expect(end).toMatchObject({ statusCode: 'template-unavailable', counts: { pending: 3, skipped: 0 } })
    expect(calls.accepted()).toBe(0)
  })
})

describe('limits of the account', () => {
  it.each([131048, 368])('%i pause the campaign with its code', async (code) => {
    const id = await draftTo(60)
    const calls = count((accepted) => (accepted >= 20 ? { status: 400, code } : null))
    await act(api.startCampaign, id)
    const end = await at(id, 'paused')
    expect(end).toMatchObject({ statusCode: String(code), counts: { failed: 0 } })
    expect(end.counts.pending).toBe(60 - calls.accepted())
  })

  it.each(sample([130429, 80007], 0.5))('%i slow all campaigns down, and nobody uses up attempts', async (code) => {
    const id = await draftTo(80)
    const retry = { 'retry-after': '1' }
    let refusals = 0
    const calls = count((accepted) => {
      if (accepted < 20 || refusals >= 50) return null
      refusals += 1
      return { status: 429, code, headers: retry }
    })
    await act(api.startCampaign, id)
    await until('slowness', async () => (await get(id)).slowness?.code === String(code))
    const end = await at(id, 'completed')
    expect(calls.refused()).toBe(50)
    expect([end.counts.failed, end.counts.unknown, mostTimes(), sentTo.size]).toEqual([0, 0, 1, 80])
    const [pace] = await shop.query<{ slowdown: number }>('select slowdown from campaign_send_rate')
    expect(pace?.slowdown).toBeGreaterThan(1)
  })

  it('reported by receipts return the people to pending, ring the office, and each gets one message after the resume', async () => {
    const id = await draftTo(4)
    count(() => null)
    await act(api.startCampaign, id)
    const done = await at(id, 'completed')
    expect(done.counts.sent).toBe(4)
    const sends = await shop.query<{ whatsapp_message_id: string; message_id: number }>(
      'select whatsapp_message_id, message_id from template_sends where campaign_id = $1 order by id',
      [id],
    )
    const error = { code: 131048, title: 'Spam rate limit hit', message: 'Spam rate limit hit' }
    const refused = sends
      .slice(0, 2)
      .map(({ whatsapp_message_id: wamid, message_id: reference }) =>
        status(wamid, 'failed', { errors: [error], biz_opaque_callback_data: String(reference) }),
      )
    for (const one of refused) await callAsMeta(shop, call({ field: 'messages', value: { statuses: [one] } }))
    const paused = await until('both back', async () => {
      const campaign = await get(id)
      return campaign.status === 'paused' && campaign.counts.pending === 2 ? campaign : null
    })
    expect(paused).toMatchObject({ statusCode: '131048', counts: { sent: 2, failed: 0 } })
    const news = await until('the notification', async () => {
      const { items } = (await boss.call(listNotifications, { query: {} })).body
      return items.find(({ campaign }) => campaign?.id === id)
    })
    expect(news).toMatchObject({
      kind: 'campaign-stopped',
      campaign: { name: 'Reminder', reason: '131048: Spam rate limit hit' },
    })
    sentTo.clear()
    await act(api.resumeCampaign, id)
    const end = await at(id, 'completed')
    expect([end.counts.sent, sentTo.size, mostTimes()]).toEqual([4, 2, 1])
  })
})

describe('the marketing limit', () => {
  const limit = { code: 131049, title: 'Healthy ecosystem', message: 'Healthy ecosystem' }
  const sendsOf = (id: string) =>
    shop.query<{ whatsapp_message_id: string; message_id: number; recipient_phone: string; seconds: number }>(
      `select whatsapp_message_id, message_id, recipient_phone, extract(epoch from retry_at - now())::float as seconds
       from template_sends where campaign_id = $1 order by id`,
      [id],
    )
  const fail = (send: { whatsapp_message_id: string; message_id: number } | undefined, error: object = limit) => {
    const receipt = status(send?.whatsapp_message_id ?? '', 'failed', {
      errors: [error],
      biz_opaque_callback_data: String(send?.message_id),
    })
    return callAsMeta(shop, call({ field: 'messages', value: { statuses: [receipt] } }))
  }
  const waiting = (id: string, people: number) =>
    until(`${people} waiting`, async () => {
      const campaign = await get(id)
      return campaign.status === 'running' && campaign.counts.pending === people && !campaign.counts.sending
        ? campaign
        : null
    })
  const aDayLater = async (id: string) => {
    await shop.query(`update template_sends set retry_at = now() where campaign_id = $1 and status = 'pending'`, [id])
    await runJobTransaction(shop.app.pool, (ctx) => sweepCampaigns(ctx))
  }

  it('in a receipt sends to the person once more, a day later; the second refusal is final', async () => {
    const id = await draftTo(3)
    count(() => null)
    await act(api.startCampaign, id)
    await at(id, 'completed')
    const [first, second] = await sendsOf(id)
    await Promise.all([fail(first), fail(first), fail(second)])
    expect((await waiting(id, 2)).counts).toMatchObject({ sent: 1, failed: 0 })
    for (const { seconds } of (await sendsOf(id)).slice(0, 2)) expect(seconds).toBeGreaterThan(86_000)
    sentTo.clear()
    await runJobTransaction(shop.app.pool, (ctx) => sweepCampaigns(ctx))
    await shop.app.queue.send('campaign-work', { campaignId: id })
    await until('the worker', async () => (await lanes(id)).length === 0)
    expect(sentTo.size).toBe(0)
    await aDayLater(id)
    expect((await at(id, 'completed')).counts.sent).toBe(3)
    expect([sentTo.size, mostTimes()]).toEqual([2, 1])
    await fail((await sendsOf(id))[0])
    await until('the failure', async () => (await get(id)).counts.failed === 1)
    expect(await at(id, 'completed')).toMatchObject({ counts: { sent: 2, failed: 1 } })
  })

  it('in the response does the same', async () => {
    const id = await draftTo(2)
    let limited = ''
    meta.decide((body) => {
      if (body['type'] !== 'template') return null
      limited ||= String(body['to'])
      return body['to'] === limited ? { status: 400, code: 131049 } : null
    })
    await act(api.startCampaign, id)
    expect((await waiting(id, 1)).counts).toMatchObject({ sent: 1, failed: 0 })
    await aDayLater(id)
    expect((await at(id, 'completed')).counts).toMatchObject({ sent: 1, failed: 1 })
  })

  it('after a return for another reason still waits a day, and keeps no worker from others', async () => {
    const id = await draftTo(2)
    count(() => null)
    await act(api.startCampaign, id)
    await at(id, 'completed')
    await fail((await sendsOf(id))[0], { code: 131048, title: 'Spam rate limit hit' })
    await at(id, 'paused')
    await act(api.resumeCampaign, id)
    await at(id, 'completed')
    await fail((await sendsOf(id))[0])
    await waiting(id, 1)
    await shop.app.queue.send('campaign-work', { campaignId: id })
    await until('the worker', async () => (await lanes(id)).length === 0)
    expect((await sendsOf(id))[0]?.seconds).toBeGreaterThan(86_000)
  })
  const lanes = (id: string) =>
    shop.query(
      `select from pgboss.job where name = 'campaign-work' and state < 'completed' and data ->> 'campaignId' = $1`,
      [id],
    )
})

describe('webhooks of templates', () => {
  it('of quality and category are stored and shown, in the order of their times', async () => {
    const now = Math.floor(Date.now() / 1000)
    const quality = (from: string, to: string) => ({
      ...ofTemplate,
      previous_quality_score: from,
      new_quality_score: to,
    })
    await tellMeta('message_template_quality_update', quality('YELLOW', 'RED'), now)
    await until('red', async () => (await template())?.quality === 'RED')
    await tellMeta('message_template_quality_update', quality('GREEN', 'YELLOW'), now - 60)
    await until('both', async () => (await template())?.changes.length === 2)
    expect(await template()).toMatchObject({ quality: 'RED', changes: [{ to: 'RED' }, { to: 'YELLOW' }] })
    await tellMeta('template_category_update', {
      ...ofTemplate,
      new_category: 'MARKETING',
      correct_category: 'UTILITY',
    })
    await until('the announcement', async () => (await template())?.nextCategory === 'UTILITY')
    expect((await template())?.category).toBe('MARKETING')
    const moved = {
      ...ofTemplate,
      message_template_language: 'ar',
      previous_category: 'MARKETING',
      new_category: 'UTILITY',
    }
    await tellMeta('template_category_update', moved)
    await until('the category', async () => (await template())?.category === 'UTILITY')
    expect(await template()).toMatchObject({ nextCategory: null })
  })

  it('with equal content at another time are two changes, and a repeated delivery is one', async () => {
    const now = Math.floor(Date.now() / 1000)
    const event = (name: string) => ({ ...ofTemplate, event: name, reason: 'NONE' })
    const changes = async () => (await template())?.changes.length
    await tellMeta('message_template_status_update', event('PAUSED'), now - 30)
    await tellMeta('message_template_status_update', event('PAUSED'), now - 30)
    await until('the first pause', async () => (await changes()) === 1)
    await tellMeta('message_template_status_update', event('REINSTATED'), now - 20)
    await until('it back', async () => (await template())?.status === 'APPROVED')
    await tellMeta('message_template_status_update', event('PAUSED'), now - 10)
    await until('the second pause', async () => (await template())?.status === 'PAUSED')
    expect(await changes()).toBe(3)
    await tellMeta('message_template_status_update', event('FLAGGED'), now)
    await until('the warning', async () => (await changes()) === 4)
    expect((await template())?.status).toBe('PAUSED')
  })

  it('that make a notice an offer pause a campaign until it is resumed', async () => {
    await shop.query(`update whatsapp_templates set category = 'MARKETING'`)
    const id = await draftTo(40)
    await shop.query(`update whatsapp_templates set category = 'UTILITY'`)
    await shop.query(
      `update template_campaigns set category = 'UTILITY', status = 'running', started_at = now() where id = $1`,
      [id],
    )
    await shop.query(`update whatsapp_templates set category = 'MARKETING' where language = 'ar'`)
    const calls = count(() => null)
    await shop.app.queue.send('campaign-work', { campaignId: id })
    expect(await at(id, 'paused')).toMatchObject({ statusCode: 'template-category', counts: { pending: 40 } })
    expect(calls.accepted()).toBe(0)
    await act(api.resumeCampaign, id)
    expect((await at(id, 'completed')).counts.sent).toBe(40)
  })
})

describe('a scheduled campaign', () => {
  const due = (id: string) =>
    shop.query(
      `update template_campaigns set status = 'scheduled', scheduled_at = now() - interval '1 minute' where id = $1`,
      [id],
    )
  const startDue = (id: string) => runJobTransaction(shop.app.pool, (ctx) => startDueCampaign(ctx, id))

  it('goes to the people whom the filter finds when it starts, once with two processes', async () => {
    const made = await boss.call(api.createCampaign, {
      body: { name: 'Later', templateName: NAME, language: 'ar', audience: { minSpend: 901, maxSpend: 902 } },
    })
    expect(made.body.totalRecipients).toBe(0)
    const late = await makeVisitor(shop, { role: 'customer' })
    await shop.query(
      `insert into customer_totals (user_id, vendor_id, order_count, spend, last_order_at) values ($1, 0, 1, 901500, now())
       on conflict (user_id, vendor_id) do update set spend = 901500`,
      [late.id],
    )
    await shop.query('update users set marketing_consent = true, consent_at = now() where id = $1', [late.id])
    count(() => null)
    await due(made.body.id)
    expect(await findDueCampaigns(shop.app)).toContain(made.body.id)
    await Promise.all([startDue(made.body.id), startDue(made.body.id)])
    const end = await at(made.body.id, 'completed')
    expect([end.totalRecipients, sentTo.get(late.phone.slice(1))]).toEqual([1, 1])
    const started = await shop.query(`select from audit_log where resource_id = $1 and action = 'started'`, [
      made.body.id,
    ])
    expect(started).toHaveLength(1)
  })

  it('that cannot start is paused with the reason, and rings the office', async () => {
    const id = await draftTo(2)
    await due(id)
    await shop.query(`update whatsapp_templates set status = 'PAUSED'`)
    await startDue(id)
    expect(await get(id)).toMatchObject({ status: 'paused', statusCode: 'TEMPLATE_NOT_AVAILABLE', startedAt: null })
    expect((await get(id)).can).toMatchObject({ edit: true, resume: true })
    const news = await until('the notification', async () => {
      const { items } = (await boss.call(listNotifications, { query: {} })).body
      return items.find(({ campaign }) => campaign?.id === id)
    })
    expect(news).toMatchObject({ kind: 'campaign-stopped', campaign: { name: 'Reminder', reason: null } })
  })
})
