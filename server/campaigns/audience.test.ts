import { previewCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import * as sends from '@qatra/contract/whatsapp/campaigns/sends'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { applyReceipt } from '../conversations/commands.ts'
import { setOptOut } from '../conversations/contacts.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { MessageGateway } from '../providers/provider.ts'
import { startShop } from '../test/app.ts'
import { makeHeldBottles } from '../test/fixtures/bottles.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { makeHousehold, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { enqueueMissingWorkers } from './commands.ts'
import { resumeCampaigns, sendNext } from './jobs.ts'
import { eraseSendsTo } from './receipts.commands.ts'

const shop = await startShop({ hasBot: false })
const boss = await shop.visitor().signInAs('+97336000001')

const plain = { name: 'Reminder', templateName: 'water_reminder', language: 'ar' } as const
const phones = (count: number) => Array.from({ length: count }, newPhone)
const listOf = (all: readonly string[]) => all.map((phone) => ({ phone }))
const create = async (body: object) =>
  (await boss.call(api.createCampaign, { body: { ...plain, consentSource: 'Form at the counter', ...body } as never }))
    .body
const change = (id: string, body: object) => boss.call(api.changeCampaign, { params: { id }, body: body as never })
const sendsOf = async (id: string, query: object = {}) =>
  (await boss.call(sends.listSends, { params: { id }, query: { limit: 100, ...query } as never })).body
const preview = async (body: object) =>
  (await boss.call(previewCampaign, { body: { ...plain, ...body } as never })).body
const phonesIn = (list: readonly { phone: string }[]) => list.map(({ phone }) => phone)

describe('a recipient excluded by hand', () => {
  it('of a list is counted, gets nothing, and can be included again with the original values', async () => {
    const [one = '', two = ''] = phones(2)
    const offer = { templateName: 'weekly_offer', language: 'en', globalVariables: { 2: 'half price' } }
    const recipients = [
      { phone: one, variables: { 1: 'Noor' } },
      { phone: two, variables: { 1: 'Ali' } },
    ]
    const made = await create({ ...offer, recipients, excludedPhones: [two] })
    expect(made).toMatchObject({ totalRecipients: 1, exclusions: { 'taken-out': 1 }, excludedPhones: [two] })
    expect(phonesIn((await sendsOf(made.id)).items)).toEqual([one])
    const renamed = await change(made.id, { name: 'Another name' })
    expect(renamed.body).toMatchObject({ totalRecipients: 1, exclusions: { 'taken-out': 1 } })
    const back = await change(made.id, { excludedPhones: [] })
    expect(back.body).toMatchObject({ totalRecipients: 2, exclusions: {}, excludedPhones: [] })
    const { items } = await sendsOf(made.id)
    expect(items.map(({ phone, variables }) => [phone, variables])).toEqual([
      [one, { 1: 'Noor' }],
      [two, { 1: 'Ali' }],
    ])
  })

  it('of an audience stays excluded if the filter finds the person again', async () => {
    const customers = await Promise.all([1, 2].map(() => makeVisitor(shop, { role: 'customer' })))
    const [one = '', two = ''] = customers.toSorted((a, b) => a.id - b.id).map(({ phone }) => phone)
    await shop.query(
      `insert into customer_totals (user_id, vendor_id, order_count, spend, last_order_at)
       select id, 0, 1, 777000, now() from users where phone = any($1)
       on conflict (user_id, vendor_id) do update set spend = 777000, last_order_at = now()`,
      [[one, two]],
    )
    await shop.query('update users set marketing_consent = true, consent_at = now() where phone = any($1)', [
      [one, two],
    ])
    const audience = { minSpend: 777, maxSpend: 777 }
    const { people } = await preview({ audience, people: { limit: 5 } })
    expect(people?.items.map(({ phone, reason }) => [phone, reason])).toEqual([
      [one, null],
      [two, null],
    ])
    expect(people?.items[0]?.lastOrderAt).not.toBeNull()
    const made = await create({ audience, excludedPhones: [one] })
    expect(made).toMatchObject({ totalRecipients: 1, exclusions: { 'taken-out': 1 } })
    const started = await boss.call(api.startCampaign, { params: { id: made.id } })
    expect(started.body).toMatchObject({ totalRecipients: 1, exclusions: { 'taken-out': 1 } })
    expect(phonesIn((await sendsOf(made.id)).items)).toEqual([two])
  })

  it('is found by label, silence, no order at all, and as one who did not answer a campaign', async () => {
    const all = (await Promise.all(Array.from({ length: 5 }, () => makeUser(shop)))).map(({ phone }) => phone)
    const [fresh = '', labelled = '', wrote = '', ordered = '', refuses = ''] = all
    await shop.query(`update users set marketing_consent = phone <> $2, consent_at = now() where phone = any($1)`, [
      all,
      refuses,
    ])
    await shop.query(
      `insert into customer_totals (user_id, vendor_id, order_count, spend, last_order_at)
       select id, 0, case when phone = $2 then 0 else 1 end, 333000, case when phone = $2 then null else now() - interval '40 days' end
       from users where phone = any($1) on conflict (user_id, vendor_id) do update set
         spend = excluded.spend, order_count = excluded.order_count, last_order_at = excluded.last_order_at`,
      [all, fresh],
    )
    await shop.query(
      `with c as (insert into contacts (phone) select unnest($1::text[]) returning id, phone)
       insert into whatsapp_conversation_threads (contact_id, labels, last_incoming_at)
       select id, case when phone = $2 then '{vip}'::text[] else '{}' end,
         case when phone = $3 then now() else now() - interval '50 days' end from c`,
      [[labelled, wrote], labelled, wrote],
    )
    const { id } = await create({ recipients: listOf(all) })
    await shop.query(
      `update template_sends set status = case when recipient_phone = $2 then 'failed' else 'delivered' end,
         sent_at = now() - interval '2 days' where campaign_id = $1`,
      [id, fresh],
    )
    const found = async (more: object) => {
      const { people } = await preview({ audience: { minSpend: 333, maxSpend: 333, ...more }, people: { limit: 20 } })
      return phonesIn(people?.items ?? []).sort()
    }
    expect(await found({})).toEqual([fresh, labelled, wrote, ordered].sort())
    expect([await found({ neverOrdered: true }), await found({ silentForDays: 45 })]).toEqual([[fresh], [fresh]])
    expect(await found({ labels: ['vip', 'other'] })).toEqual([labelled])
    expect(await found({ silentForDays: 30 })).toEqual([fresh, labelled, ordered].sort())
    await makeHeldBottles(shop, ordered)
    expect([await found({ minBottles: 6 }), await found({ minBottles: 7 })]).toEqual([[ordered], []])
    expect(await found({ followUp: { campaignId: id, without: 'answer' } })).toEqual([labelled, ordered].sort())
    expect(await found({ followUp: { campaignId: id, without: 'order' } })).toEqual([labelled, wrote, ordered].sort())
    const { order } = await makeHousehold(shop)
    const moved = [await order(), ordered]
    await shop.query('update orders set user_id = (select id from users where phone = $2) where id = $1', moved)
    const own = 'user_id = (select id from users where phone = $1)'
    await shop.query(`update customer_totals set spend = 333000 where vendor_id = 0 and ${own}`, [ordered])
    expect(await found({ followUp: { campaignId: id, without: 'order' } })).toEqual([labelled, wrote].sort())
  })

  it('is removed from the exclusions when the person is erased', async () => {
    const [gone = '', stays = ''] = phones(2)
    const made = await create({ recipients: listOf([gone, stays]), excludedPhones: [gone] })
    await runJobTransaction(shop.app.pool, (ctx) => eraseSendsTo(ctx, gone))
    const { body } = await boss.call(api.getCampaign, { params: { id: made.id } })
    expect(body.excludedPhones).toEqual([])
  })
})

describe('people who want no offers', () => {
  const gatewayTo = (sentTo: string[]): MessageGateway => ({
    hasWindow: true,
    markRead: async () => {},
    send: async ({ to }) => ({ ok: true, messageId: `wamid.audience.${sentTo.push(String(to.phone))}.${to.phone}` }),
  })
  /** A running campaign without jobs; the test does the work. */
  async function running(all: readonly string[], more: object = {}) {
    const { id } = await create({ recipients: listOf(all), ...more })
    await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [id])
    return id
  }

  it('leaves out who is switched off, said no or opted out, in lists and filters, and in filters who never agreed', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => makeUser(shop)))
    const [fine, off, out, no, silent] = all.map(({ phone }) => phone)
    const staff = await makeUser(shop, { role: 'driver', vendorId: 1 })
    await shop.query('update users set marketing_consent = true, consent_at = now() where phone = any($1)', [
      [fine, off, out],
    ])
    await shop.query('update users set is_active = false where phone = $1', [off])
    await shop.query('update users set consent_at = now() where phone = $1', [no])
    await shop.query('insert into contacts (phone, opted_out_at) values ($1, now())', [out])
    await shop.query(
      `insert into customer_totals (user_id, vendor_id, order_count, spend, last_order_at)
       select id, 0, 1, 555000, now() from users where phone = any($1)
       on conflict (user_id, vendor_id) do update set spend = excluded.spend`,
      [[fine, off, out, no, silent]],
    )
    const lookedAt = async (people: object) => {
      const body = await preview(people)
      return [body.count, body.exclusions]
    }
    const audience = { minSpend: 555, maxSpend: 555 }
    expect(await lookedAt({ audience })).toEqual([1, { 'switched-off': 1, 'opted-out': 1, 'no-consent': 2 }])
    const recipients = listOf([fine, off, out, no, silent].map(String))
    expect(await lookedAt({ recipients })).toEqual([2, { 'switched-off': 1, 'opted-out': 1, 'no-consent': 1 }])
    // A personal link would sign staff in.
    const linked = { templateName: 'order_again', language: 'en', hasLinks: true, globalVariables: { 1: 'you' } }
    expect(await lookedAt({ ...linked, recipients: listOf([staff.phone]) })).toEqual([0, { staff: 1 }])
    expect(await lookedAt({ recipients: listOf([staff.phone]) })).toEqual([1, {}])
  })

  it('skips who was switched off, said no or opted out after it started', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => makeUser(shop)))
    const [fine, off, out, no, staff] = all.map(({ phone }) => String(phone))
    const id = await running([fine, off, out, no, staff].map(String), {
      templateName: 'order_again',
      language: 'en',
      hasLinks: true,
      globalVariables: { 1: 'you' },
    })
    await shop.query('update users set is_active = false where phone = $1', [off])
    await shop.query('update users set consent_at = now() where phone = $1', [no])
    await shop.query(`update users set role = 'driver', vendor_id = 1 where phone = $1`, [staff])
    await shop.query('insert into contacts (phone, opted_out_at) values ($1, now())', [out])
    const sentTo: string[] = []
    const gateway = gatewayTo(sentTo)
    for (const _ of all) await sendNext(shop.app, gateway, id)
    expect(sentTo).toEqual([fine])
    const skipped = await shop.query<{ phone: string; why: string }>(
      `select recipient_phone as phone, error_code as why from template_sends
       where campaign_id = $1 and status = 'skipped' order by id`,
      [id],
    )
    expect(skipped.map(({ phone, why }) => [phone, why])).toEqual([
      [off, 'switched-off'],
      [out, 'opted-out'],
      [no, 'no-consent'],
      [staff, 'staff'],
    ])
  })

  it('to a filter reaches only who agrees when the message is sent', async () => {
    const people = await Promise.all([makeUser(shop), makeUser(shop)])
    const [stays, left] = people.map(({ phone }) => phone)
    await shop.query('update users set marketing_consent = true, consent_at = now() where phone = any($1)', [
      [stays, left],
    ])
    await shop.query(
      `insert into customer_totals (user_id, vendor_id, order_count, spend, last_order_at)
       select id, 0, 1, 556000, now() from users where phone = any($1)
       on conflict (user_id, vendor_id) do update set spend = excluded.spend`,
      [[stays, left]],
    )
    const { body } = await boss.call(api.createCampaign, {
      body: { ...plain, audience: { minSpend: 556, maxSpend: 556 } },
    })
    expect(body.totalRecipients).toBe(2)
    await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [body.id])
    // As after an erasure and a new sign-up: no consent was given or refused.
    await shop.query('update users set marketing_consent = false, consent_at = null where phone = $1', [left])
    const sentTo: string[] = []
    const gateway = gatewayTo(sentTo)
    for (const _ of people) await sendNext(shop.app, gateway, body.id)
    expect(sentTo).toEqual([stays])
  })

  it('who opted out stays so if an earlier answer arrives later', async () => {
    const [phone] = phones(1)
    const [contact] = await shop.query<{ id: number }>('insert into contacts (phone) values ($1) returning id', [phone])
    const isOutAfter = async (isOut: boolean, minutesAgo: number) => {
      const at = new Date(Date.now() - minutesAgo * 60_000)
      await runJobTransaction(shop.app.pool, (ctx) =>
        setOptOut(ctx, contact?.id ?? 0, { isOut, source: 'message', at }),
      )
      const [row] = await shop.query('select opted_out_at is not null as out from contacts where id = $1', [
        contact?.id,
      ])
      return row?.['out']
    }
    expect([await isOutAfter(true, 2), await isOutAfter(false, 3), await isOutAfter(false, 1)]).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('recipients in the preview', () => {
  it('are paginated, found by phone, and excluded ones have a reason', async () => {
    const all = phones(12)
    const recipients = [...listOf(all), { phone: 'x' }, ...listOf(all.slice(0, 1))]
    const taken = all[3] ?? ''
    const first = await preview({ recipients, excludedPhones: [taken], people: {} })
    expect(first).toMatchObject({ count: 11, exclusions: { malformed: 1, repeated: 1, 'taken-out': 1 } })
    expect(first.people).toMatchObject({ page: 1, limit: 10, total: 11 })
    const second = await preview({ recipients, excludedPhones: [taken], people: { page: 2 } })
    expect(second.people?.items).toHaveLength(1)
    const out = await preview({ recipients, excludedPhones: [taken], people: { view: 'excluded' } })
    expect(out.people?.items.map(({ reason }) => reason)).toEqual(['malformed', 'repeated', 'taken-out'])
    const found = await preview({ recipients, people: { search: (all[5] ?? '').slice(-6) } })
    expect(phonesIn(found.people?.items ?? [])).toEqual([all[5]])
    expect((await preview({ recipients })).people).toBeNull()
  })

  it('of a saved campaign do not have to be sent again', async () => {
    const all = phones(3)
    const made = await create({ recipients: listOf(all), excludedPhones: all.slice(0, 1) })
    const seen = await preview({ campaignId: made.id, excludedPhones: all.slice(1, 2), people: {} })
    expect(phonesIn(seen.people?.items ?? []).toSorted()).toEqual([all[0], all[2]].toSorted())
    const unknown = { ...plain, campaignId: '00000000-0000-4000-8000-000000000000' }
    expect((await boss.call(previewCampaign, { body: unknown })).status).toBe(404)
    expect((await boss.call(previewCampaign, { body: plain })).status).toBe(422)
  })

  it('who opted out since the list was saved are added to the exclusions', async () => {
    const all = phones(3)
    const made = await create({ recipients: [...listOf(all), { phone: 'x' }] })
    await shop.query('insert into contacts (phone, opted_out_at) values ($1, now())', [all[0]])
    const changed = await change(made.id, { name: 'Later' })
    expect(changed.body).toMatchObject({ totalRecipients: 2, exclusions: { malformed: 1, 'opted-out': 1 } })
  })

  it('cannot get links with a template without a link placeholder, which the preview reports', async () => {
    const recipients = listOf(phones(1))
    expect((await preview({ recipients, hasLinks: true })).hasLinkPlace).toBe(false)
    const refused = await boss.call(api.createCampaign, { body: { ...plain, recipients, hasLinks: true } })
    expect(refused.refusal).toMatchObject({ code: 'TEMPLATE_NOT_AVAILABLE', details: { reason: 'link' } })
  })
})

describe('a change', () => {
  it("is refused for a running campaign and after another person's change", async () => {
    const made = await create({ recipients: listOf(phones(2)) })
    expect((await change(made.id, { name: 'Mine', version: made.version })).status).toBe(200)
    expect((await change(made.id, { name: 'Theirs', version: made.version })).refusal.code).toBe('VERSION_CONFLICT')
    await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [made.id])
    expect((await change(made.id, { name: 'Too late' })).refusal.code).toBe('CAMPAIGN_STATE')
  })
})

describe('CSV export of a campaign', () => {
  it('has each recipient once with the status of the message, and applies the filter of the page', async () => {
    const all = [...phones(3), '+97333889990']
    const made = await create({ recipients: listOf(all) })
    await boss.call(api.startCampaign, { params: { id: made.id } })
    await until('the end', async () => {
      const { counts } = (await boss.call(api.getCampaign, { params: { id: made.id } })).body
      return counts.delivered === 3 && counts.failed === 1
    })
    const file = async (query: string) => {
      const { status, body, headers } = await boss.send(
        'GET',
        `/api/admin/whatsapp/campaigns/${made.id}/sends.csv${query}`,
      )
      expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
      return parse(String(body), { columns: true, bom: true }) as Record<string, string>[]
    }
    const rows = await file('?lang=en')
    expect(rows.map(({ Phone }) => `+${Phone}`).toSorted()).toEqual(all.toSorted())
    expect(rows.filter(({ State }) => State === 'Delivered')).toHaveLength(3)
    const failed = await file('?lang=ar&status=failed')
    expect(failed).toMatchObject([{ الهاتف: '97333889990', الحالة: 'تعذّرت' }])
    expect(failed[0]?.['السبب']).toContain('131026')
    const [noted] = await shop.query(
      `select count(*)::int as n from audit_log where action = 'exported' and resource_id = 'campaign'`,
    )
    expect(noted?.n).toBe(2)
  })
})

describe('a send with unknown outcome', () => {
  it('is set by staff, and a later receipt overrides it', async () => {
    const [one = '', two = ''] = phones(2)
    const made = await create({ recipients: listOf([one, two]) })
    await shop.query(
      `with m as (insert into whatsapp_messages (dedupe_key, to_number, direction, channel, message_type, content, status,
           sent_by_type)
         select 'campaign:' || id, recipient_phone, 'outgoing', 'whatsapp', 'template', '', 'unknown', 'campaign'
         from template_sends where campaign_id = $1 returning id, to_number)
       update template_sends s set status = 'unknown', message_id = m.id, claimed_at = now()
       from m where s.campaign_id = $1 and s.recipient_phone = m.to_number`,
      [made.id],
    )
    await shop.query(`update template_campaigns set status = 'completed', started_at = now() where id = $1`, [made.id])
    const { items } = await sendsOf(made.id, { status: 'unknown' })
    const settle = (sendIds: number[], status: 'sent' | 'failed') =>
      boss.call(sends.settleSends, { params: { id: made.id }, body: { sendIds, status } })
    const ids = items.map(({ id }) => id)
    expect((await settle(ids.slice(0, 1), 'sent')).body.counts).toMatchObject({ sent: 1, unknown: 1 })
    expect((await settle(ids.slice(1), 'failed')).body.counts).toMatchObject({ sent: 1, failed: 1, unknown: 0 })
    expect((await settle(ids, 'failed')).refusal.code).toBe('CAMPAIGN_STATE')
    const rows = await shop.query<{ id: number; message_id: number }>(
      'select id, message_id from template_sends where campaign_id = $1',
      [made.id],
    )
    for (const { message_id: id } of rows)
      await runJobTransaction(shop.app.pool, (ctx) =>
        applyReceipt(ctx, { messageId: `wamid.late.${id}`, reference: String(id), status: 'delivered' }),
      )
    await until('the receipts', async () => (await sendsOf(made.id, { status: 'delivered' })).total === 2)
  })
})

describe('jobs of a campaign', () => {
  const lanes = async (id: string) => {
    const [row] = await shop.query<{ n: number }>(
      `select count(*)::int as n from pgboss.job where name = 'campaign-work' and state < 'completed'
         and data ->> 'campaignId' = $1`,
      [id],
    )
    return row?.n
  }
  it('are added only up to their limit, and a starting process adds missing ones', async () => {
    const made = await create({ recipients: listOf(phones(1)) })
    // The jobs are delayed and the campaign does not run, so no worker takes them.
    const later = { inSeconds: 600 }
    await runJobTransaction(shop.app.pool, (ctx) => enqueueMissingWorkers(ctx, made.id, later))
    await runJobTransaction(shop.app.pool, (ctx) => enqueueMissingWorkers(ctx, made.id, later))
    expect(await lanes(made.id)).toBe(2)
    await shop.query(`delete from pgboss.job where name = 'campaign-work' and data ->> 'campaignId' = $1`, [made.id])
    await shop.query(`update template_campaigns set status = 'running', started_at = now() where id = $1`, [made.id])
    await resumeCampaigns(shop.app)
    await until(
      'the end',
      async () => (await boss.call(api.getCampaign, { params: { id: made.id } })).body.status === 'completed',
    )
  })
})
