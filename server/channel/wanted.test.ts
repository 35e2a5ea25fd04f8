import { sendSimulatedMessage } from '@qatra/contract/simulator'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/codes.ts'

const shop = await startShop()
const few = ['login-proof', 'opt-out-words']

describe('a message that comes in', () => {
  it.each([
    ['two cartons please', []],
    ['مرحبا، أريد ماء', []],
    ['please do not stop', []],
    ['12 cartons', []],
    ['STOP', ['opt-out-words']],
    ['إيقاف', ['opt-out-words']],
    ['LOGIN 7F3K2M', ['login-proof']],
    ['دخول 7f3k2m', ['login-proof']],
    ['٤٢', ['login-proof']],
    ['not me', ['login-proof']],
  ])('(%s) makes jobs for %j alone among those that work on few', async (body, queues) => {
    const from = newPhone()
    await shop.visitor().call(sendSimulatedMessage, { body: { from, body } })
    const jobs = await until('the jobs of the message', async () => {
      const rows = await shop.query<{ name: string }>(
        `select j.name from pgboss.job j join whatsapp_messages m on j.data ->> 'messageId' = m.id::text
         where m.from_number = $1 and m.direction = 'incoming' and j.data ->> 'event' = 'message.received'`,
        [from],
      )
      return rows.length > 0 ? rows.map(({ name }) => name) : null
    })
    expect(jobs).toContain('bot-turn')
    expect(jobs.filter((name) => few.includes(name)).sort()).toEqual(queues)
  })
})
