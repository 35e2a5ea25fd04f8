import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import { createQueue } from '../jobs/queue.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'

const shop = await startShop()
const few = ['message-login', 'opt-out-words']

describe('an incoming message', () => {
  it.each([
    ['two cartons please', []],
    ['مرحبا، أريد ماء', []],
    ['please do not stop', []],
    ['12 cartons', []],
    ['STOP', ['opt-out-words']],
    ['إيقاف', ['opt-out-words']],
    ['LOGIN 7F3K2M', ['message-login']],
    ['دخول 7f3k2m', ['message-login']],
    ['٤٢', ['message-login']],
    ['not me', ['message-login']],
  ])('(%s) creates jobs only for %j among the filtered subscribers', async (body, queues) => {
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

describe('a message that an event filter reads', () => {
  it('is not copied into the job', async () => {
    const from = newPhone()
    const words = ['STOP', 'LOGIN 7F3K2M', '٤٢', 'canary two cartons']
    for (const body of words) await shop.visitor().call(sendSimulatedMessage, { body: { from, body, name: 'Canary' } })
    await until('all of them', async () => {
      const rows = await shop.query(`select from whatsapp_messages where from_number = $1 and direction = 'incoming'`, [
        from,
      ])
      return rows.length === words.length
    })
    const keys = await shop.query<{ key: string }>(
      `select distinct jsonb_object_keys(data) as key from pgboss.job where data ->> 'event' = 'message.received'`,
    )
    expect(keys.map(({ key }) => key).sort()).toEqual(['contactId', 'event', 'isAwaited', 'isForPerson', 'messageId'])
    const jobs = JSON.stringify(await shop.query('select data, output from pgboss.job'))
    for (const word of [...words, 'Canary', from]) expect(jobs).not.toContain(word)
  })

  it('is processed if the filter throws, and the event is published', async () => {
    const looks: string[] = []
    const look = (name: string, answer: () => boolean) => () => {
      looks.push(name)
      return answer()
    }
    const failing = () => {
      throw new Error('A look that fails')
    }
    const declared = { on: ['message.revoked'] } as const
    const list = { 'filter-fails': declared, 'filter-refuses': declared, 'no-filter': declared }
    const queue = createQueue(list, shop.databaseUrl, pino({ level: 'silent' }), { hasWorkers: false })
    const work = () => Promise.resolve()
    queue.handle('filter-fails', { filter: look('failing', failing) }, work)
    queue.handle('filter-refuses', { filter: look('no', () => false) }, work)
    queue.handle('no-filter', {}, work)
    await queue.start()
    await runJobTransaction(shop.app.pool, (ctx) => publish(ctx, 'message.revoked', { messageId: 0, contactId: 0 }))
    await queue.stop()
    const jobs = await shop.query<{ name: string }>(
      `select name from pgboss.job where data ->> 'event' = 'message.revoked' and name like '%filter%' order by name`,
    )
    expect(jobs).toEqual([{ name: 'filter-fails' }, { name: 'no-filter' }])
    expect(looks).toEqual(['failing', 'no'])
  })
})
