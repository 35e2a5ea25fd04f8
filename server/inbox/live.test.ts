import { listNotifications } from '@qatra/contract/notifications/notifications'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'

const shop = await startShop({ hasBot: false })

it('the event stream reports messages and conversation changes only to staff of the marketplace', async () => {
  const boss = await shop.visitor().signInAs('+97336000001')
  const vendor = await shop.visitor().signInAs('+97336000002')
  const phone = newPhone()
  await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, body: 'Is this live?', name: 'Noor' } })
  const told = await until('the news', async () => {
    const { body } = await boss.call(listNotifications)
    return body.items.find(({ contact }) => contact?.phone === phone)
  })
  expect(told).toMatchObject({ kind: 'conversation-waiting', contact: { name: 'Noor' }, orderId: null, isRead: false })
  const others = await vendor.call(listNotifications)
  expect(others.body.items.filter(({ kind }) => !kind.startsWith('order-'))).toEqual([])
  const kindsOf = async () =>
    (
      await shop.query<{ kind: string }>('select kind from notifications where contact_id = $1 order by id', [
        told.contact?.id,
      ])
    ).map(({ kind }) => kind)
  const before = await kindsOf()
  await boss.call(work.takeOver, { params: { contact: phone } })
  await until('the change', async () => (await kindsOf()).slice(before.length).includes('conversation-changed'))
})
