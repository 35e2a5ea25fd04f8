import { randomUUID } from 'node:crypto'
import { listWebhookEvents } from '@qatra/contract/whatsapp/connection/webhooks'
import { listConversations, listMessages } from '@qatra/contract/whatsapp/inbox/inbox'
import { describe, expect, it } from 'vitest'
import { call, change } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta, person, text } from '../test/meta.ts'

const whatsapp = { ...readConfig({ NODE_ENV: 'test' }).whatsapp, appSecret: APP_SECRET }
const shop = await startShop({ whatsapp })
const admin = await shop.visitor().signInAs('+97336000001')

const newId = () => `wamid.${randomUUID()}`
const now = () => Math.floor(Date.now() / 1_000)
const send = (phone: string, ...messages: object[]) =>
  callAsMeta(shop, call(change({ contacts: [person(phone)], messages })))
const edit = (phone: string, original: string, body: string, at = now()) => ({
  from: phone.slice(1),
  id: newId(),
  timestamp: String(at),
  type: 'edit',
  edit: { original_message_id: original, message: { context: { id: 'M0' }, type: 'text', text: { body } } },
})
const revoke = (phone: string, original: string) => ({
  from: phone.slice(1),
  id: newId(),
  timestamp: String(now()),
  type: 'revoke',
  revoke: { original_message_id: original },
})
const settled = (id: string) =>
  until('the event', async () => {
    const [row] = await shop.query<{ status: string; processed_payload: { result: string }[] }>(
      `select * from whatsapp_webhook_events where webhook_id = $1 and status not in ('received', 'processing')`,
      [`message:${id}`],
    )
    return row
  })
const row = async (id: string) => (await shop.query('select * from whatsapp_messages where message_id = $1', [id]))[0]
const shown = async (phone: string) =>
  (await admin.call(listMessages, { params: { contact: phone }, query: {} })).body.items.filter(
    ({ direction }) => direction === 'incoming',
  )
/** A person answers, and the bot has said so. */
const alone = async (phone: string) => {
  const sendAndWait = async (id: string) => {
    await send(phone, text(phone, id, 'hello'))
    await until('the bot', async () => (await row(id))?.['processed'])
  }
  await sendAndWait(newId())
  await shop.query(
    `update whatsapp_conversation_threads set paused_until = now() + interval '1 hour'
     where contact_id = (select id from contacts where phone = $1)`,
    [phone],
  )
  await sendAndWait(newId())
}

describe('an edited message', () => {
  it('is shown with its latest text and an edited mark, also if edits arrive twice and in the wrong order', async () => {
    const phone = newPhone()
    const id = newId()
    await send(phone, text(phone, id, '3 cartons'))
    await settled(id)
    const [late, early] = [edit(phone, id, '5 cartons', now() + 20), edit(phone, id, '4 cartons', now() + 10)]
    for (const one of [late, early, late]) {
      await send(phone, one)
      await settled(one.id)
    }
    expect((await shown(phone))[0]).toMatchObject({ type: 'text', text: '5 cartons', editedAt: expect.any(String) })
    expect(await shown(phone)).toHaveLength(1)
  })

  it('arrives with the new text if the edit was delivered before the message', async () => {
    const phone = newPhone()
    const id = newId()
    await alone(phone)
    const early = edit(phone, id, 'new')
    await send(phone, early)
    expect((await settled(early.id)).processed_payload).toMatchObject([{ result: 'early' }])
    await send(phone, text(phone, id, 'old'))
    await settled(id)
    expect((await shown(phone))[0]).toMatchObject({ text: 'new', editedAt: expect.any(String) })
  })

  it('is changed if message and edit are processed at the same moment', async () => {
    for (let n = 0; n < 12; n += 1) {
      const phone = newPhone()
      const id = newId()
      const later = edit(phone, id, 'new')
      await Promise.all([send(phone, later), send(phone, text(phone, id, 'old'))])
      await settled(later.id)
      await settled(id)
      expect(await row(id)).toMatchObject({ content: 'new' })
    }
  })

  it('of another person stays as it is', async () => {
    const [phone, stranger] = [newPhone(), newPhone()]
    const id = newId()
    await send(phone, text(phone, id, 'mine'))
    await settled(id)
    const [forged, deleted] = [edit(stranger, id, 'yours'), revoke(stranger, id)]
    await send(stranger, forged, deleted)
    await settled(forged.id)
    await settled(deleted.id)
    expect(await row(id)).toMatchObject({ content: 'mine', revoked_at: null })
  })
})

describe('a deleted message', () => {
  it('is shown as deleted without its text, in the conversation, the list and the webhook events', async () => {
    const phone = newPhone()
    const id = newId()
    await alone(phone)
    await send(phone, text(phone, id, 'a secret text'))
    await settled(id)
    const deletion = revoke(phone, id)
    await send(phone, deletion)
    await settled(deletion.id)
    expect((await shown(phone))[0]).toMatchObject({ type: 'revoked', text: '', parts: {}, editedAt: null })
    const { items } = (await admin.call(listConversations, { query: { search: phone } })).body
    expect(items[0]?.last).toMatchObject({ type: 'revoked', text: '' })
    expect((await admin.call(listConversations, { query: { search: 'a secret text' } })).body.items).toEqual([])
    const events = await admin.call(listWebhookEvents, { query: { search: id } })
    expect(JSON.stringify(events.body)).not.toContain('secret')
  })

  it('leaves no text of its edits in the webhook events', async () => {
    const phone = newPhone()
    const id = newId()
    await send(phone, text(phone, id, 'hello'))
    await settled(id)
    const [edited, deletion, late] = [edit(phone, id, 'a hidden word'), revoke(phone, id), edit(phone, id, 'hidden')]
    for (const one of [edited, deletion, late]) {
      await send(phone, one)
      await settled(one.id)
    }
    const events = await shop.query('select raw_payload from whatsapp_webhook_events where sender_phone = $1', [phone])
    expect(events).toHaveLength(4)
    expect(JSON.stringify(events)).not.toContain('hidden')
  })

  it('is not answered by the bot if the deletion arrives first', async () => {
    const phone = newPhone()
    const id = newId()
    const deletion = revoke(phone, id)
    await send(phone, deletion)
    await settled(deletion.id)
    await send(phone, text(phone, id, '4 heerat 500ml'))
    await settled(id)
    const next = newId()
    await send(phone, text(phone, next, 'hello'))
    await until('the answer', async () => (await row(next))?.['bot_response_text'])
    expect(await row(id)).toMatchObject({ content: '', processed: true, bot_response_text: null })
    expect(await shop.query('select 1 from cart_items i join carts c on c.id = i.cart_id')).toEqual([])
  })

  it('stays deleted after a late edit', async () => {
    const phone = newPhone()
    const id = newId()
    await send(phone, text(phone, id, 'hello'))
    await settled(id)
    const [deletion, late] = [revoke(phone, id), edit(phone, id, 'again', now() + 60)]
    for (const one of [deletion, late]) {
      await send(phone, one)
      await settled(one.id)
    }
    expect((await shown(phone))[0]).toMatchObject({ type: 'revoked', text: '' })
  })
})

describe('a message of Meta’s own forms', () => {
  it('with an order from the catalogue shows the products, and the bot asks for the place of the known ones', async () => {
    const phone = newPhone()
    const id = newId()
    const [product] = await shop.query<{ id: number; name: string }>(
      'select id, name from products where is_active and deleted_at is null order by id limit 1',
    )
    await send(phone, {
      from: phone.slice(1),
      id,
      timestamp: String(now()),
      type: 'order',
      order: {
        catalog_id: '194836987003835',
        text: 'soon please',
        product_items: [
          { product_retailer_id: String(product?.id), quantity: 3, item_price: 1.6, currency: 'BHD' },
          { product_retailer_id: 'unknown-7', quantity: '1', item_price: 2, currency: 'BHD' },
          { product_retailer_id: String(product?.id), quantity: -1, item_price: 1.6, currency: 'BHD' },
        ],
      },
    })
    const answered = await until('the answer', async () => {
      const found = await row(id)
      return found?.['bot_response_text'] ? found : null
    })
    expect(answered['bot_response_text']).toContain('إلى أين نوصّل؟')
    expect((await shown(phone))[0]).toMatchObject({
      type: 'order',
      text: 'soon please',
      parts: {
        items: [
          { id: String(product?.id), name: product?.name, quantity: 3 },
          { id: 'unknown-7', name: null, quantity: 1 },
        ],
      },
    })
    const [session] = await shop.query<{ context_data: object }>(
      'select s.context_data from bot_sessions s join contacts c on c.id = s.contact_id where c.phone = $1',
      [phone],
    )
    expect(session?.context_data).toMatchObject({ productId: product?.id, quantity: 3 })
  })

  it('with the answers of a form shows them without the token and calls a person', async () => {
    const phone = newPhone()
    const id = newId()
    const answers = {
      flow_token: 'a-token',
      day: '2026-01-05',
      place: { area: 'السيف', floor: 2 },
      options: ['a', 'b'],
    }
    await send(phone, {
      from: phone.slice(1),
      id,
      timestamp: String(now()),
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) },
      },
    })
    await until('the bot', async () => (await row(id))?.['processed'])
    expect((await shown(phone))[0]).toMatchObject({
      type: 'flow',
      text: 'Sent',
      parts: {
        answers: [
          { name: 'day', value: '2026-01-05' },
          { name: 'area', value: 'السيف' },
          { name: 'floor', value: '2' },
          { name: 'options', value: 'a، b' },
        ],
      },
    })
    const { items } = (await admin.call(listConversations, { query: { search: phone } })).body
    expect(items[0]?.waitingSince).not.toBeNull()
  })
})
