import { eraseAccount } from '@qatra/contract/auth'
import { expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { newPhone, signInByCode } from '../../test/codes.ts'

it('an erased person is forgotten under the id that a newer account shows instead of its number too', async () => {
  const shop = await startShop()
  const [phone, other] = [newPhone(), newPhone()]
  const visitor = await signInByCode(shop, phone)
  const contacts = `insert into contacts (phone, business_scoped_id) values ($1, $2)
    on conflict (phone) do update set business_scoped_id = excluded.business_scoped_id`
  await shop.query(contacts, [phone, 'BH.canary7f3a'])
  await shop.query(contacts, [other, 'BH.canary7f3a9'])
  const told = (id: string, words: string) =>
    shop.query(
      `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, status)
       values ($1, 'message', $2, 'processed')`,
      [`message:${words}`, JSON.stringify({ value: { messages: [{ from_user_id: id, text: { body: words } }] } })],
    )
  await told('BH.canary7f3a', 'a word of the erased')
  await told('BH.canary7f3a9', 'a word of the other')
  expect((await visitor.call(eraseAccount)).status).toBe(200)
  const left = await shop.query(`select webhook_id from whatsapp_webhook_events where raw_payload like '%canary%'`)
  expect(left).toEqual([{ webhook_id: 'message:a word of the other' }])
})
