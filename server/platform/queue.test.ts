import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { until } from '../test/codes.ts'
import { createQueue } from './queue.ts'

const shop = await startShop()

it('a failed job keeps why, and nothing of the values', async () => {
  const queue = createQueue(shop.databaseUrl, pino({ level: 'silent' }))
  queue.handle('failing', { retryLimit: 0 }, async () => {
    const cause = new Error('duplicate key value violates "letters"')
    throw new Error('Failed query: insert into letters\nparams: +97333555777,Canary House 77', { cause })
  })
  await queue.start()
  await queue.send('failing', { codeId: 1 })
  const [job] = await until('the failure', async () => {
    const rows = await shop.query<{ output: object }>(
      `select output from pgboss.job where name = 'failing' and state = 'failed'`,
    )
    return rows.length > 0 && rows
  })
  await queue.stop()
  const kept = JSON.stringify(job?.output)
  expect(kept).toContain('insert into letters')
  expect(kept).not.toMatch(/33555777|Canary/)
})
