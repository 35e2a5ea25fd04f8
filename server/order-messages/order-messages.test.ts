import { fils } from '@qatra/contract/lib/money'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { cancelOrder } from '@qatra/contract/orders/orders'
import { withValues } from '@qatra/contract/whatsapp/templates/template-values'
import { beforeAll, describe, expect, it } from 'vitest'
import { listSimulatedMessages } from '../../demo/contract/simulator.ts'
import { orderTexts } from '../notifications/event-messages.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { problemOf, type TemplateMessage } from '../providers/message.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { chat } from '../test/fixtures/chat.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHousehold, makeVisitor } from '../test/fixtures/make.ts'
import { runDelayedJobs } from '../test/jobs.ts'
import { type OrderFacts, orderNews, receiptNews } from './message.ts'
import { neededTemplates } from './needed-templates.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>

beforeAll(async () => {
  shop = await startShop()
  home = await makeHousehold(shop)
})

const messagesTo = async (phone: string) => {
  const { body } = await shop.visitor().call(listSimulatedMessages, { query: { phone } })
  return body.map((message) => message.body).reverse()
}
const awaitMessages = (phone: string, count: number) =>
  until(`${count} messages`, async () => (await messagesTo(phone)).length === count)

const order: OrderFacts = {
  id: '4F7K2M9QXT31B8WD',
  vendor_name: 'Hayrat',
  vendor_name_ar: 'هيرات',
  total: fils(7400),
  promisedDate: '2026-11-22',
  language: 'ar',
}

const kinds = orderTexts.filter((text) => text !== 'delivered-partly' && text !== 'receipt')
const item = (n: number, letters = 10) => ({
  name: `Water ${n} ${'w'.repeat(letters)}`,
  nameAr: `ماء ${n} ${'م'.repeat(letters)}`,
  size: '500 ml',
  quantity: 2,
})

describe('the text of an order message', () => {
  const needed = neededTemplates({ publicUrl: 'https://shop', codeTemplate: 'login_code' })
  const bodyOf = ({ name, language }: TemplateMessage) =>
    String(
      needed
        .find((one) => one.name === name && one.language === language)
        ?.components.find(({ type }) => type === 'BODY')?.['text'],
    )

  it('that asks for cash names what is still to pay, others the total', () => {
    const part = { ...order, cash_due: fils(1400), delivered_items: [item(1)] }
    for (const kind of ['new', 'confirmation', 'edited'] as const)
      expect(orderNews(part, kind, 'https://shop').text).toContain('1.400')
    expect(orderNews(part, 'delivered', 'https://shop').text).toContain('7.400')
  })

  it.each([
    ['ar', /7\.400.د\.ب \(مدفوع\)/, /7\.400.د\.ب[.،]/, /نقد/],
    ['en', /BHD.7\.400 \(paid\)/, /BHD.7\.400[.,]/, /cash/],
  ] as const)('in %s asks for cash only where cash is due', (language, paid, other, cash) => {
    for (const kind of kinds) {
      const told = (facts: Partial<OrderFacts>) => {
        const { text, body } = orderNews({ ...order, language, ...facts }, kind, 'https://shop')
        return [text, body.join(' ')] as const
      }
      const hasAmount = kind === 'new' || kind === 'confirmation' || kind === 'edited'
      const none = { cash_due: fils(0) }
      expect(cash.test(told({ cash_due: fils(7400) }).join(' '))).toBe(hasAmount)
      for (const facts of [none, { ...none, is_paid: true }]) expect(told(facts).join(' ')).not.toMatch(cash)
      if (!hasAmount) continue
      expect(told({ ...none, is_paid: true })[0]).toMatch(paid)
      expect(told(none)[0]).toMatch(other)
    }
  })

  it.each(['ar', 'en'] as const)('in %s begins with the words of its template', (language) => {
    const facts = { ...order, language }
    const all = [
      ...kinds.map((kind) => orderNews(facts, kind, 'https://shop')),
      orderNews({ ...facts, delivered_items: [item(1)] }, 'delivered', 'https://shop'),
      receiptNews(facts, { link: 'https://shop/r', filename: 'r.pdf' }).template,
    ]
    for (const message of all) {
      const filled = withValues(bodyOf(message), (n) => message.body[Number(n) - 1])
      expect(message.text.slice(0, filled.length)).toBe(filled)
    }
  })
})

describe('the items of a partial delivery', () => {
  const partly = (count: number, letters: number, language: 'ar' | 'en' = 'en') => {
    const delivered_items = Array.from({ length: count }, (_, n) => item(n, letters))
    return orderNews({ ...order, language, delivered_items }, 'delivered', 'https://shop')
  }

  it.each([
    [6, 150],
    [9, 195],
    [40, 20],
    [1, 2_000],
  ])('that are %i with %i letters are one message that Meta takes', (count, letters) => {
    for (const language of ['ar', 'en'] as const) {
      const message = partly(count, letters, language)
      expect(problemOf(message)).toBeNull()
      expect(message.text.length).toBeLessThanOrEqual(1_024)
    }
  })

  it('that are too many end with the number of the others', () => {
    expect(partly(8, 195).text).toMatch(/Water 2 w+[^,]*, and 5 more/)
    expect(partly(8, 195, 'ar').text).toMatch(/، و\d منتجات أخرى، والإجمالي/)
    expect(partly(3, 20).text).not.toContain('more')
  })
})

describe('order messages', () => {
  it('are sent to a verified phone, in its language, once per status change', async () => {
    const { phone } = home.customer
    await shop.query(`update users set language = 'en' where phone = $1`, [phone])
    const id = await home.order()
    await awaitMessages(phone, 1)
    const staff = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
    const move = (status: 'in-progress' | 'delivered') =>
      staff.call(changeOrderStatus, { params: { id }, body: { status } })
    await move('in-progress')
    await move('in-progress')
    await awaitMessages(phone, 2)
    await move('delivered')
    await awaitMessages(phone, 3)
    const [placed, preparing, delivered] = await messagesTo(phone)
    const grouped = id.replace(/(.{4})(?=.)/g, '$1 ')
    expect(placed).toContain(`order \u2066${grouped}\u2069. It arrives on`)
    expect(placed).toContain('BHD\u00a05.717')
    expect(preparing).toMatch(/is preparing your order/)
    expect(delivered).toMatch(/was delivered/)
    expect(delivered).toContain(`http://localhost:3000/orders/${id}`)
    const jobs = await shop.query(`select data from pgboss.job where name = 'order-messages' and data->>'id' = $1`, [
      id,
    ])
    expect(jobs).toHaveLength(3)
  })

  it('are sent once, even if the job runs several times', async () => {
    const { customer, order } = await makeHousehold(shop)
    const id = await order()
    await awaitMessages(customer.phone, 1)
    await shop.app.queue.send('order-messages', { event: 'order.placed', id, by: null, to: 'new', version: 1 })
    await customer.call(cancelOrder, { params: { id }, body: {} })
    await awaitMessages(customer.phone, 2)
    expect((await messagesTo(customer.phone))[1]).toContain('قد أُلغي')
  })

  it('are not sent to unverified phones or after an opt-out', async () => {
    const [quiet, unverified] = [await makeHousehold(shop), await makeHousehold(shop)]
    const otherNews = await makeHousehold(shop)
    await shop.query(`update users set notification_types = '{new_orders}' where id = $1`, [otherNews.customer.id])
    await shop.query('update users set notification_enabled = false where id = $1', [quiet.customer.id])
    await shop.query('update users set is_verified = false where id = $1', [unverified.customer.id])
    const ids = [await quiet.order(), await unverified.order(), await otherNews.order()]
    await until('the end of the jobs', async () => {
      const open = await shop.query(
        `select id from pgboss.job where data->>'id' = any ($1::text[]) and state <> 'completed'`,
        [ids],
      )
      return open.length === 0
    })
    for (const { customer } of [quiet, unverified, otherNews]) expect(await messagesTo(customer.phone)).toEqual([])
  })
})

const kept = (id: string) =>
  shop.query<{ channel: string; status: string; message_type: string; to_number: string }>(
    `select * from whatsapp_messages where dedupe_key like 'order:' || $1 || ':%' order by id`,
    [id],
  )
/** A customer whose phone has this ending, which determines the delivery result. */
async function customerWith(end: string) {
  const made = await makeHousehold(shop)
  const phone = `+97333${(phones += 1)}${end}`
  await shop.query('update users set phone = $2 where id = $1', [made.customer.id, phone])
  return { ...made, phone }
}
let phones = 10
const halfAMinutePasses = () => runDelayedJobs(shop, 'news-fallback')

describe('order messages by WhatsApp', () => {
  it('use a template outside of the service window and plain text within it', async () => {
    const cold = await customerWith('0001')
    const first = await cold.order()
    await awaitMessages(cold.phone, 1)
    const [template] = await shop.query<{ payload: { name: string; language: string; body: string[] } }>(
      `select payload from whatsapp_messages where dedupe_key = $1`,
      [`order:${first}:1`],
    )
    expect(template?.payload).toMatchObject({ type: 'template', name: 'order_new', language: 'ar' })
    expect(template?.payload.body).toHaveLength(4)
    await chat(shop, cold.phone).say('hi')
    await cold.customer.call(cancelOrder, { params: { id: first }, body: {} })
    await until('the news', async () => (await kept(first)).length === 2)
    expect((await kept(first)).map((row) => row.message_type)).toEqual(['template', 'text'])
  })

  it('fall back to SMS at once if WhatsApp fails', async () => {
    const { phone, order } = await customerWith('9990')
    const id = await order()
    await until('the SMS', async () => (await kept(id))[1]?.status === 'delivered')
    expect(await kept(id)).toMatchObject([
      { channel: 'whatsapp', status: 'failed' },
      { channel: 'sms', to_number: phone },
    ])
    await halfAMinutePasses()
    expect(await kept(id)).toHaveLength(2)
  })

  it('fall back to SMS without a receipt after 30 seconds, and not after a receipt', async () => {
    const [silent, well] = [await customerWith('9991'), await customerWith('0002')]
    const ids = [await silent.order(), await well.order()]
    await until('both to be sent', async () => {
      const [[first], [second]] = [await kept(ids[0] ?? ''), await kept(ids[1] ?? '')]
      return first?.status === 'sent' && second?.status === 'delivered'
    })
    await halfAMinutePasses()
    expect((await kept(ids[0] ?? '')).map(({ channel }) => channel)).toEqual(['whatsapp', 'sms'])
    expect((await kept(ids[1] ?? '')).map(({ channel }) => channel)).toEqual(['whatsapp'])
  })

  it('do not fall back to SMS if the status has changed since', async () => {
    const { order, customer } = await customerWith('9991')
    const id = await order()
    await until('the first', async () => (await kept(id))[0]?.status === 'sent')
    await customer.call(cancelOrder, { params: { id }, body: {} })
    await until('the second', async () => (await kept(id))[1]?.status === 'sent')
    await halfAMinutePasses()
    const rows = await shop.query<{ dedupe_key: string }>(
      `select dedupe_key from whatsapp_messages where channel = 'sms' and dedupe_key like $1`,
      [`order:${id}:%`],
    )
    expect(rows.map((row) => row.dedupe_key)).toEqual([`order:${id}:2:sms`])
  })
})

describe('unresponsive providers', () => {
  it('do not delay orders: calls to providers run outside of the request', async () => {
    const hanging: string[] = []
    const hang = (channel: string) => {
      hanging.push(channel)
      return new Promise<never>(() => {})
    }
    const stuck = await startShop()
    const gateways = gatewaysOf(stuck.app)
    // Code that awaited one of these would hang.
    if (gateways.messages) gateways.messages.send = () => hang('whatsapp')
    if (gateways.sms) gateways.sms.send = () => hang('sms')
    const house = await makeHousehold(stuck)
    const ids = [await house.order(), await house.order()]
    expect((await house.customer.call(cancelOrder, { params: { id: ids[1] ?? '' }, body: {} })).status).toBe(200)
    const staff = await makeVisitor(stuck, { role: 'vendor_admin', vendorId: house.vendor })
    for (const status of ['in-progress', 'shipped', 'delivered'] as const) {
      const moved = await staff.call(changeOrderStatus, { params: { id: ids[0] ?? '' }, body: { status } })
      expect(moved.status).toBe(200)
    }
    await until('a provider to be called, and to hang', async () => hanging.length > 0)
    const rows = await stuck.query('select status from orders where id = any ($1) order by created_at', [ids])
    expect(rows).toEqual([{ status: 'delivered' }, { status: 'cancelled' }])
  })
})
