import { verifyPhone } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { gatewaysOf } from '../../server/providers/gateways.ts'
import { startShop, type TestShop } from '../../server/test/app.ts'
import { askForCode, codeIn, inbox, newPhone, until } from '../../server/test/fixtures/codes.ts'
import { listSimulatedMessages, sendSimulatedMessage } from '../contract/simulator.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})

describe('the simulated phones', () => {
  it('show what was sent to a phone, newest first', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const codes = [await askForCode(shop, shop.visitor(), phone), await askForCode(shop, shop.visitor(), phone)]
    await askForCode(shop, shop.visitor(), other)
    const messages = await inbox(shop, phone)
    expect(messages.map(codeIn)).toEqual(codes.reverse())
    expect(messages[0]).toMatchObject({ to: phone, from: 'Qatra', direction: 'outgoing', channel: 'whatsapp' })
    const everybody = await shop.visitor().call(listSimulatedMessages)
    expect(new Set(everybody.body.map(({ to }) => to))).toEqual(new Set([phone, other]))
    expect((await shop.visitor().send('GET', '/api/simulator/messages?phone=abc')).status).toBe(400)
  })

  it('show their codes on the console', async () => {
    const phone = newPhone()
    const code = await askForCode(shop, shop.visitor(), phone)
    // Printed after the message is stored, where the code was read.
    const line = await until('the line', async () => shop.said.find((text) => text.includes(phone)))
    expect(line).toContain(code)
  })

  it('write to the shop as customers do', async () => {
    const phone = newPhone()
    const { status, body } = await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, body: 'مرحبا' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: phone, to: 'Qatra', direction: 'incoming', body: 'مرحبا', status: 'received' })
    await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, type: 'location', lat: 26.2, lng: 50.5 } })
    const written = (await inbox(shop, phone)).filter(({ direction }) => direction === 'incoming')
    expect(written.map((message) => message.body)).toEqual(['26.2,50.5', 'مرحبا'])
    const read = `select m.content, m.direction, c.phone from whatsapp_messages m join contacts c on c.id = m.contact_id
       where m.from_number = $1 order by m.content`
    // By the shop's own webhook, as from Meta.
    const stored = await until('both messages', async () => {
      const rows = await shop.query(read, [phone])
      return rows.length === 2 && rows
    })
    expect(stored).toEqual([
      { content: '26.2,50.5', direction: 'incoming', phone },
      { content: 'مرحبا', direction: 'incoming', phone },
    ])
  })

  it('show a template with its values and the addresses of its buttons', async () => {
    const phone = newPhone()
    const outcome = await gatewaysOf(shop.app).messages?.send({
      to: { phone, businessScopedId: null },
      message: {
        type: 'template',
        name: 'order_delivered',
        language: 'en',
        body: ['4F7K', 'Hayrat'],
        buttons: [{ index: 0, type: 'url', value: '4F7K' }],
        text: 'is not on the wire',
      },
      reference: '1',
    })
    expect(outcome?.ok).toBe(true)
    const [message] = await inbox(shop, phone)
    expect(message?.body).toBe(
      'Your order 4F7K from Hayrat was delivered. Enjoy it!\n\nReceipt: http://localhost:3000/orders/4F7K',
    )
    expect(message?.parts?.buttons).toEqual([{ type: 'url', value: '4F7K' }])
  })

  it('confirm an SMS by a signed call in the format of the configured provider', async () => {
    const account = `AC${'0'.repeat(32)}`
    const sms = { provider: 'twilio', url: null, account, token: 'the-token', sender: 'Qatra' } as const
    const phone = '+97333339990'
    for (const each of [shop, await startShop({ sms })]) {
      await each.visitor().call(verifyPhone, { body: { phone } })
      const statuses = `select status from whatsapp_messages where to_number = $1 and channel = 'sms'`
      await until('the receipt', async () => (await each.query(statuses, [phone]))[0]?.['status'] === 'delivered')
      expect((await inbox(each, phone)).map(({ channel, status }) => [channel, status])).toEqual([['sms', 'delivered']])
    }
  })

  it.each(['forwarded', 'X-Forwarded-Whatever', 'CF-Connecting-IP', 'True-Client-IP'])(
    'return 404 for a request with %s',
    async (name) => {
      const phone = newPhone()
      await askForCode(shop, shop.visitor(), phone)
      const read = await shop.visitor().call(listSimulatedMessages, { query: { phone } }, { [name]: 'x' })
      const written = await shop
        .visitor()
        .call(sendSimulatedMessage, { body: { from: phone, body: 'x' } }, { [name]: 'x' })
      expect([read.status, read.refusal.code, written.status]).toEqual([404, 'NOT_FOUND', 404])
      expect(await inbox(shop, phone)).toHaveLength(1)
    },
  )

  it('return 404 while the simulator is off', async () => {
    const real = await startShop({ simulator: false })
    expect((await real.visitor().call(listSimulatedMessages)).status).toBe(404)
    expect((await real.visitor().call(sendSimulatedMessage, { body: { from: newPhone(), body: 'x' } })).status).toBe(
      404,
    )
  })
})
