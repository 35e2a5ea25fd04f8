import { randomUUID } from 'node:crypto'
import { listNotifications } from '@qatra/contract/notifications/notifications'
import { getAdminOrder } from '@qatra/contract/orders/admin'
import { getAccount } from '@qatra/contract/whatsapp/connection/account'
import { getConversation } from '@qatra/contract/whatsapp/inbox/inbox'
import { describe, expect, it } from 'vitest'
import { call, change } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { admitContact } from '../conversations/contacts.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { chat } from '../test/fixtures/chat.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta, person, status, text } from '../test/meta.ts'

const whatsapp = { ...readConfig({ NODE_ENV: 'test' }).whatsapp, appSecret: APP_SECRET }
const shop = await startShop({ whatsapp })
const admin = await shop.visitor().signInAs('+97336000001')

const newId = () => `wamid.${randomUUID()}`
const settled = (webhookId: string) =>
  until('the event', async () => {
    const [row] = await shop.query(
      `select * from whatsapp_webhook_events where webhook_id = $1 and status not in ('received', 'processing')`,
      [webhookId],
    )
    return row
  })
const contactsOf = (phone: string, id: string) =>
  shop.query<{ id: number; phone: string | null; business_scoped_id: string | null }>(
    'select * from contacts where phone = $1 or business_scoped_id = $2 order by id',
    [phone, id],
  )
const sent = async (phone: string) => {
  const id = newId()
  await shop.query(
    `insert into whatsapp_messages (message_id, contact_id, to_number, direction, channel, status)
     select $1, id, phone, 'outgoing', 'whatsapp', 'sent' from contacts where phone = $2`,
    [id, phone],
  )
  return id
}
const admit = (phone: string | null, businessScopedId: string | null) =>
  runJobTransaction(shop.app.pool, (ctx) => admitContact(ctx, { phone, businessScopedId, name: null }))

const ad = {
  source_url: 'https://fb.me/3cr4Wqqkv',
  source_id: '120226305854810726',
  source_type: 'ad',
  headline: 'Water at your door',
  body: 'Order by WhatsApp',
  media_type: 'image',
  image_url: 'https://scontent.xx.fbcdn.net/v/t45.1',
  ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj9e',
}

describe('a first message from an ad', () => {
  it('shows the ad on the contact, and on orders placed within 7 days', async () => {
    const phone = newPhone()
    const id = newId()
    const message = { ...text(phone, id, 'hi'), referral: ad }
    await callAsMeta(shop, call(change({ contacts: [person(phone)], messages: [message] })))
    await settled(`message:${id}`)
    const shown = {
      sourceType: 'ad',
      sourceId: ad.source_id,
      sourceUrl: ad.source_url,
      headline: ad.headline,
      body: ad.body,
      clickId: ad.ctwa_clid,
    }
    const { body } = await admin.call(getConversation, { params: { contact: phone } })
    expect(body.referral).toEqual({ ...shown, at: expect.any(String) })

    const customer = chat(shop, phone)
    for (const words of [
      '4 كراتين هيرات نص لتر',
      'السيف',
      'إتمام الطلب',
      'مبنى 12 طريق 3810 مجمع 428',
      'لا ملاحظات',
      'مريم علي',
      'نعم',
    ])
      await customer.say(words)
    const order = await until('the referral of the order', async () => {
      const [row] = await shop.query<{ id: string }>(
        'select id from orders where phone = $1 and referral is not null',
        [phone],
      )
      return row
    })
    expect((await admin.call(getAdminOrder, { params: { id: order.id } })).body.referral).toEqual(shown)
  })

  it('keeps the latest ad in any order of arrival, and no link that is not https', async () => {
    const phone = newPhone()
    const at = Date.now()
    for (const [headline, age] of [
      ['new', 0],
      ['old', 60_000],
    ] as const) {
      const id = newId()
      const referral = { ...ad, headline, source_url: 'javascript:alert(1)' }
      const message = { ...text(phone, id, 'hi', at - age), referral }
      await callAsMeta(shop, call(change({ contacts: [person(phone)], messages: [message] })))
      await settled(`message:${id}`)
    }
    const { body } = await admin.call(getConversation, { params: { contact: phone } })
    expect(body.referral).toMatchObject({ headline: 'new', sourceUrl: null })
  })
})

describe('a receipt', () => {
  const pricing = { billable: true, pricing_model: 'PMP', category: 'marketing', type: 'regular' }
  const priced = (id: string) => shop.query('select pricing from whatsapp_messages where message_id = $1', [id])

  it('stores the pricing of the message once', async () => {
    const phone = newPhone()
    await admit(phone, null)
    const id = await sent(phone)
    await callAsMeta(shop, call(change({ statuses: [status(id, 'delivered', { pricing })] })))
    await settled(`status:${id}:delivered`)
    const other = { ...pricing, billable: false, category: 'service' }
    await callAsMeta(shop, call(change({ statuses: [status(id, 'read', { pricing: other })] })))
    await settled(`status:${id}:read`)
    expect(await priced(id)).toEqual([
      { pricing: { isBillable: true, category: 'marketing', model: 'PMP', type: 'regular' } },
    ])
  })

  it('teaches the id of a person known by phone, who is recognized by it later', async () => {
    const phone = newPhone()
    const scopedId = `BH.${phone.slice(1)}`
    const contactId = await admit(phone, null)
    const id = await sent(phone)
    const receipt = status(id, 'delivered', { recipient_id: phone.slice(1), recipient_user_id: scopedId })
    await callAsMeta(shop, call(change({ statuses: [receipt] })))
    await settled(`status:${id}:delivered`)
    const later = newId()
    const { from: _, ...words } = text(phone, later, 'hi')
    const who = { user_id: scopedId, profile: { username: 'noura' } }
    await callAsMeta(shop, call(change({ contacts: [who], messages: [{ ...words, from_user_id: scopedId }] })))
    await settled(`message:${later}`)
    expect(await contactsOf(phone, scopedId)).toMatchObject([{ id: contactId, phone, business_scoped_id: scopedId }])
  })

  it('finds the id also beside the receipt, and merges the contact that wrote by it before', async () => {
    const phone = newPhone()
    const scopedId = `BH.${phone.slice(1)}`
    const [known] = [await admit(phone, null), await admit(null, scopedId)]
    const id = await sent(phone)
    const receipt = status(id, 'delivered', { recipient_id: phone.slice(1) })
    const contacts = [{ wa_id: phone.slice(1), user_id: scopedId, profile: {} }]
    await callAsMeta(shop, call(change({ contacts, statuses: [receipt] })))
    await settled(`status:${id}:delivered`)
    expect(await contactsOf(phone, scopedId)).toMatchObject([{ id: known, phone, business_scoped_id: scopedId }])
  })

  it('merges once while messages by phone and by id arrive at the same moment', async () => {
    for (let n = 0; n < 4; n += 1) {
      const phone = newPhone()
      // The one of the simulator, which reports it with the bot's answers.
      const scopedId = `BH.sim${phone.slice(1)}`
      await admit(phone, null)
      const id = await sent(phone)
      const receipt = status(id, 'delivered', { recipient_id: phone.slice(1), recipient_user_id: scopedId })
      const [byPhone, byId] = [newId(), newId()]
      const { from: _, ...words } = text(phone, byId, 'hi')
      await Promise.all([
        callAsMeta(shop, call(change({ statuses: [receipt] }))),
        callAsMeta(shop, call(change({ contacts: [person(phone)], messages: [text(phone, byPhone, 'hi')] }))),
        callAsMeta(
          shop,
          call(change({ contacts: [{ user_id: scopedId }], messages: [{ ...words, from_user_id: scopedId }] })),
        ),
      ])
      for (const key of [`status:${id}:delivered`, `message:${byPhone}`, `message:${byId}`]) await settled(key)
      const [contact, ...more] = await contactsOf(phone, scopedId)
      expect([contact?.phone, contact?.business_scoped_id, more]).toEqual([phone, scopedId, []])
      const messages = await shop.query(
        `select 1 from whatsapp_messages where contact_id = $1 and message_id = any($2::text[])`,
        [contact?.id, [id, byPhone, byId]],
      )
      expect(messages).toHaveLength(3)
    }
  })

  it('leaves contacts alone that have another id: the number may have a new owner', async () => {
    const phone = newPhone()
    const [old, next] = [`BH.old${phone.slice(1)}`, `BH.new${phone.slice(1)}`]
    await admit(phone, old)
    await admit(null, next)
    const id = await sent(phone)
    const receipt = status(id, 'delivered', { recipient_id: phone.slice(1), recipient_user_id: next })
    await callAsMeta(shop, call(change({ statuses: [receipt] })))
    await settled(`status:${id}:delivered`)
    expect(await contactsOf(phone, next)).toMatchObject([
      { phone, business_scoped_id: old },
      { phone: null, business_scoped_id: next },
    ])
  })
})

describe('news of the account', () => {
  const report = (field: string, value: object) =>
    callAsMeta(shop, {
      object: 'whatsapp_business_account',
      entry: [{ id: '102290129340398', time: 1_739_321_024, changes: [{ field, value }] }],
    })
  const account = async () => (await admin.call(getAccount)).body
  const reported = (event: string) =>
    until(event, async () => (await account()).notices.find((notice) => notice.event === event))

  it('are shown with quality and messaging limit, once each', async () => {
    const flagged = { display_phone_number: '97317000000', event: 'FLAGGED', current_limit: 'TIER_1K' }
    await report('phone_number_quality_update', flagged)
    await report('phone_number_quality_update', flagged)
    expect(await reported('FLAGGED')).toMatchObject({ severity: 'warning', tier: 'TIER_1K' })
    expect(await account()).toMatchObject({ tier: 'TIER_1K', isFlagged: true })
    await report('phone_number_quality_update', { display_phone_number: '97317000000', event: 'UNFLAGGED' })
    await reported('UNFLAGGED')
    await report('business_capability_update', {
      max_daily_conversations_per_business: 'TIER_10K',
      max_phone_numbers_per_business: 25,
    })
    await reported('CAPABILITY')
    expect(await account()).toMatchObject({ tier: 'TIER_10K', isFlagged: false })
    expect((await account()).notices.filter(({ event }) => event === 'FLAGGED')).toHaveLength(1)
  })

  it('raise an alarm in the notifications if they are critical, and none if they only inform', async () => {
    await report('account_alerts', {
      entity_type: 'BUSINESS',
      entity_id: '506914307656634',
      alert_info: {
        alert_severity: 'INFORMATIONAL',
        alert_status: 'NONE',
        alert_type: 'OBA_APPROVED',
        alert_description: 'Approved',
      },
    })
    await reported('OBA_APPROVED')
    const alarms = async () =>
      (await admin.call(listNotifications, { query: {} })).body.items.filter(({ kind }) => kind === 'account-alarm')
    const before = (await alarms()).length
    await report('account_update', {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: '2026-12-01' }],
    })
    expect(await reported('ACCOUNT_RESTRICTION')).toMatchObject({
      severity: 'critical',
      text: 'RESTRICTED_BIZ_INITIATED_MESSAGING 2026-12-01',
    })
    await until('the alarm', async () => (await alarms()).length === before + 1)
  })
})

it('receipts wait in a queue of their own, behind which no message of a customer waits', async () => {
  const [messageId, receiptId, phone] = [newId(), newId(), newPhone()]
  const messages = [text(phone, messageId, 'hello')]
  await callAsMeta(shop, call(change({ contacts: [person(phone)], messages })))
  await callAsMeta(shop, call(change({ statuses: [status(receiptId, 'read')] })))
  const queueOf = async (webhookId: string) => {
    const [job] = await shop.query<{ name: string }>(
      `select j.name from pgboss.job j join whatsapp_webhook_events e on j.data ->> 'eventId' = e.id::text
       where e.webhook_id = $1`,
      [webhookId],
    )
    return job?.name
  }
  expect(await queueOf(`message:${messageId}`)).toBe('webhook-event')
  expect(await queueOf(`status:${receiptId}:read`)).toBe('webhook-receipt')
})
