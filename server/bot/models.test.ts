import { listMyOrders } from '@qatra/contract/orders/orders'
import { listBotAnswers } from '@qatra/contract/whatsapp/bot'
import { listConversations, listMessages } from '@qatra/contract/whatsapp/inbox/inbox'
import { searchMessages } from '@qatra/contract/whatsapp/inbox/transcript'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { chat } from '../test/fixtures/chat.ts'
import { newPhone } from '../test/fixtures/codes.ts'
import { growthOf } from '../test/metrics.ts'
import { type ModelServer, startModels } from '../test/simulators/models.ts'

const nothing = { items: [], areaId: null, day: null, topic: null }
/** Two cartons of Hayrat's half litres. */
const two = { ...nothing, intent: 'order', items: [{ productId: 3, quantity: 2, change: 'add' }] }
let server: ModelServer
let shop: TestShop
beforeAll(async () => {
  server = await startModels()
  const model = { url: server.url, model: 'small', key: null, budget: 20 }
  shop = await startShop({ models: { bot: model, voice: model } })
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.be(null)
  server.answer({ ...nothing, intent: 'none' })
  server.chats.length = 0
})
const ordersOf = async (phone: string) =>
  (await (await shop.visitor().signInAs(phone)).call(listMyOrders)).body.items.length

/** Not understood without a model. */
const STRANGE = 'شنكلوط برطمخ زعفلق ضمنطر'

describe('the language model', () => {
  it('puts an order into the cart after a yes alone, and is not asked where the reading is certain', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('السيف')
    expect(server.chats).toEqual([])
    server.answer(two)
    const asked = await customer.say(STRANGE)
    expect(asked).toContain('طلب منتجات: كرتونان')
    expect(asked).not.toContain('أضفنا')
    expect(server.chats).toHaveLength(1)
    expect(await customer.say({ type: 'button', body: 'نعم' })).toContain('أضفنا: كرتونان')
    expect(server.chats).toHaveLength(1)
  })

  it('changes nothing after a no, and answers a question to the shop at once', async () => {
    const customer = chat(shop, newPhone())
    server.answer(two)
    await customer.say(STRANGE)
    expect(await customer.tap('لا')).toContain('لم أفهم')
    server.answer({ ...nothing, intent: 'shop', topic: 'payment' })
    expect(await customer.say(STRANGE)).toContain('نقد')
    expect(await customer.say('سلتي')).toContain('فارغة')
  })

  it('is as if it were not there when it fails or answers in prose', async () => {
    const customer = chat(shop, newPhone())
    await server.be('fails')
    const outcome = 'qatra_model_requests_total{service="bot",outcome="failed"}'
    const growth = await growthOf(shop, [outcome], async () => {
      expect(await customer.say(STRANGE)).toContain('لم أفهم')
    })
    expect(growth).toEqual([1])
    await server.be(null)
    server.answer('I would love to help!')
    expect(await customer.say(STRANGE)).toContain('فحوّلتك إلى زميل')
  })

  it('is not asked about answers to questions for an address, a note or a name', async () => {
    const customer = chat(shop, newPhone())
    await customer.say('4 كراتين هيرات نص لتر')
    await customer.say('السيف')
    await customer.say('إتمام الطلب')
    await customer.say(STRANGE)
    await customer.say('مبنى 12 طريق 3810 مجمع 428')
    await customer.say(STRANGE)
    await customer.say(STRANGE)
    expect(server.chats).toEqual([])
  })
})

describe('a voice message', () => {
  it('is read as if it were written, and a yes that was heard is asked about', async () => {
    const phone = newPhone()
    const customer = chat(shop, phone)
    server.hear('4 كراتين هيرات نص لتر')
    expect(await customer.say({ type: 'audio' })).toContain('سمعت: «⁨4 كراتين هيرات نص لتر⁩»')
    await customer.say('السيف')
    await customer.say('إتمام الطلب')
    await customer.say('مبنى 12 طريق 3810 مجمع 428')
    await customer.say('لا ملاحظات')
    expect(await customer.say('مريم علي')).toContain('هل نؤكد الطلب؟')
    server.hear('نعم')
    expect(await customer.say({ type: 'audio' })).toMatch(/سمعت: «⁨نعم⁩»\n+هل سمعتها صح؟/)
    expect(await ordersOf(phone)).toBe(0)
    expect(await customer.tap('لا')).toContain('اكتب «نعم» أو «لا»')
    await customer.say({ type: 'audio' })
    expect(await customer.tap('نعم')).toContain('شكرًا لك! أكدنا طلبك')
    expect(await ordersOf(phone)).toBe(1)
    const boss = await shop.visitor().signInAs('+97336000001')
    const [contact] = await shop.query<{ id: number }>('select id from contacts where phone = $1', [phone])
    const { body } = await boss.call(listMessages, {
      params: { contact: String(contact?.id) },
      query: { limit: 100 },
    })
    expect(body.items.map(({ parts }) => parts.transcript).filter(Boolean)).toEqual([
      'نعم',
      'نعم',
      '4 كراتين هيرات نص لتر',
    ])
    const query = { search: '4 كراتين هيرات' }
    const found = await boss.call(listConversations, { query })
    expect(found.body.items.map(({ contactId }) => contactId)).toContain(contact?.id)
    const hits = await boss.call(searchMessages, { params: { contact: String(contact?.id) }, query })
    expect(hits.body.at(-1)?.text).toBe('4 كراتين هيرات نص لتر')
  })

  it('that is not heard waits for a person', async () => {
    server.hear('')
    const customer = chat(shop, newPhone())
    expect(await customer.say({ type: 'audio' })).toContain('سيسمعها أحد زملائنا')
    const [row] = await shop.query(
      `select handoff_reason from whatsapp_conversation_threads t join contacts c on c.id = t.contact_id where c.phone = $1`,
      [customer.phone],
    )
    expect(row).toEqual({ handoff_reason: 'voice' })
  })

  it('is not sent above the budget of the day, which the page of the assistant shows', async () => {
    await shop.query(`update model_requests set requests = 20`)
    const sent = server.sounds.length
    await chat(shop, newPhone()).say(STRANGE)
    expect(server.chats).toEqual([])
    server.hear('القائمة')
    expect(await chat(shop, newPhone()).say({ type: 'audio' })).toContain('سيسمعها أحد زملائنا')
    expect(server.sounds.length).toBe(sent)
    const boss = await shop.visitor().signInAs('+97336000001')
    const { body } = await boss.call(listBotAnswers)
    expect(body.models).toEqual({ bot: { used: 20, budget: 20 }, voice: { used: 20, budget: 20 } })
  })
})
