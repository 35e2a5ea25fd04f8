import { getReceiptLink, sendReceipt } from '@qatra/contract/orders/receipts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { readReceiptToken, receiptToken } from '../orders/receipt/link.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { APP_SECRET, callAsMeta, textCall } from '../test/meta.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'

let meta: MetaServer
let shop: TestShop
beforeAll(async () => {
  meta = await startMeta()
  const { whatsapp } = readConfig({ NODE_ENV: 'test' })
  const cloud = { provider: 'cloud', token: meta.token, phoneNumberId: null, graphUrl: meta.graphUrl } as const
  shop = await startShop({ simulator: false, whatsapp: { ...whatsapp, ...cloud, appSecret: APP_SECRET } })
})
afterAll(() => meta.stop())
beforeEach(() => meta.reset())

let writes = 0
async function customer({ status = 'delivered' } = {}) {
  const phone = newPhone()
  const { id: userId } = await makeUser(shop, { phone })
  const orderId = await makeOrder(shop, { userId, vendorId: 1, status, phone })
  return { phone, orderId }
}
const write = async (phone: string, body: string) => {
  const id = `wamid.receipt.${(writes += 1)}`
  await callAsMeta(shop, textCall(phone, id, body))
  await until('the bot', async () => {
    const [row] = await shop.query('select processed from whatsapp_messages where message_id = $1', [id])
    return row?.['processed']
  })
}
const documents = () => meta.received.filter(({ body }) => JSON.stringify(body).includes('/api/receipts/'))
const pathOf = (body: object) => /\/api\/receipts\/[\w-]+/.exec(JSON.stringify(body))?.[0] ?? ''

describe('the receipt of a delivered order', () => {
  it('is sent by the office as a document within the service window; its link shows the PDF', async () => {
    const { phone, orderId } = await customer()
    await write(phone, 'hello')
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    expect((await admin.call(sendReceipt, { params: { id: orderId } })).body).toEqual({ queued: true })
    await admin.call(sendReceipt, { params: { id: orderId } })
    const [sent] = await until('the document', async () => documents().length > 0 && documents())
    expect(sent?.body).toMatchObject({
      to: phone.slice(1),
      type: 'document',
      document: { filename: expect.stringMatching(/^receipt-.*\.pdf$/), caption: expect.any(String) },
    })
    const answer = await shop.visitor().send('GET', pathOf(sent?.body ?? {}))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(documents()).toHaveLength(1)
  })

  it('is sent again a minute after the last request, in whatever calendar minute', async () => {
    const { phone, orderId } = await customer()
    await write(phone, 'hello')
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    const ask = () => admin.call(sendReceipt, { params: { id: orderId } })
    const age = (seconds: number) =>
      shop.query(
        `update pgboss.job set created_on = created_on - $2 * interval '1 second'
         where name = 'receipt-news' and data->>'id' = $1`,
        [orderId, seconds],
      )
    const asked = async () =>
      (await shop.query(`select from pgboss.job where name = 'receipt-news' and data->>'id' = $1`, [orderId])).length
    await ask()
    await age(50)
    await ask()
    expect(await asked()).toBe(1)
    await age(11)
    await Promise.all([ask(), ask()])
    expect(await asked()).toBe(2)
    await until('both documents', async () => documents().length === 2)
  })

  it('is sent as the header of a template after the service window', async () => {
    const { phone, orderId } = await customer()
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    await admin.call(sendReceipt, { params: { id: orderId } })
    const [sent] = await until('the template', async () => documents().length > 0 && documents())
    expect(sent?.body).toMatchObject({
      to: phone.slice(1),
      type: 'template',
      template: {
        name: 'order_receipt',
        components: [
          { type: 'header', parameters: [{ type: 'document', document: { filename: expect.any(String) } }] },
          { type: 'body' },
        ],
      },
    })
  })

  it('is repeated as the template if the provider says that the service window is closed', async () => {
    meta.decide((body) => (body['type'] === 'document' ? { status: 400, code: 131047 } : null))
    const { phone, orderId } = await customer()
    await write(phone, 'hello')
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    await admin.call(sendReceipt, { params: { id: orderId } })
    const sent = await until('the template', async () => documents().length > 1 && documents())
    expect(sent.map(({ body }) => body['type'])).toEqual(['document', 'template'])
  })

  it('is sent to a customer who asks the bot for it', async () => {
    const { phone } = await customer()
    await write(phone, 'ابي الفاتورة')
    const [sent] = await until('the document', async () => documents().length > 0 && documents())
    expect(sent?.body).toMatchObject({ to: phone.slice(1), type: 'document' })
  })

  it('is given by a link to its customer, not to a stranger, and not before the delivery', async () => {
    const owner = await makeVisitor(shop)
    const orderId = await makeOrder(shop, { userId: owner.id, vendorId: 1, status: 'shipped' })
    const early = await owner.call(getReceiptLink, { params: { id: orderId } })
    expect([early.status, early.refusal.code]).toEqual([409, 'RECEIPT_NOT_READY'])
    await shop.query(`update orders set status = 'delivered' where id = $1`, [orderId])
    const { body } = await owner.call(getReceiptLink, { params: { id: orderId }, query: { lang: 'en' } })
    const shown = await shop.visitor().send('GET', new URL(body.url).pathname)
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'application/pdf'])
    const stranger = await (await makeVisitor(shop)).call(getReceiptLink, { params: { id: orderId } })
    expect(stranger.status).toBe(404)
  })

  it('is not sent before the delivery, and a link is worthless once it expired or was changed', async () => {
    const { orderId } = await customer({ status: 'shipped' })
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    const refused = await admin.call(sendReceipt, { params: { id: orderId } })
    expect(refused.refusal.code).toBe('RECEIPT_NOT_READY')
    const { secret } = shop.app.config
    const made = (days: number) =>
      receiptToken(secret, { orderId, lang: 'ar' }, new Date(Date.now() - days * 86_400_000))
    expect(readReceiptToken(secret, made(6.9), new Date())).toEqual({ orderId, lang: 'ar' })
    const old = made(7.1)
    for (const token of [old, `${old.slice(0, -1)}x`, 'x'])
      expect((await shop.visitor().send('GET', `/api/receipts/${token}`)).status).toBe(404)
  })
})
