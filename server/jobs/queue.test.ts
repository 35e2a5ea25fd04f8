import { pino } from 'pino'
import { expect, it } from 'vitest'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { emit, enqueue, publish, subscribe } from './domain-events.ts'
import { createQueue } from './queue.ts'

const shop = await startShop()

it('a failed job stores the reason without the values', async () => {
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

it('jobs handled together fail one by one', async () => {
  const queue = createQueue(shop.databaseUrl, pino({ level: 'silent' }))
  const sizes: number[] = []
  queue.handleTogether<{ n: number }>('together', { retryLimit: 0, concurrency: 1, batch: 10 }, async (jobs) => {
    sizes.push(jobs.length)
    if (jobs.some(({ data }) => data.n === 2)) throw new Error('No twos')
  })
  await queue.start()
  await shop.query(
    `insert into pgboss.job (name, data, retry_limit, policy) select 'together', jsonb_build_object('n', n), 0, 'standard'
     from generate_series(1, 4) n`,
  )
  const states = await until('all of them', async () => {
    const rows = await shop.query(
      `select data->'n' as n, state from pgboss.job where name = 'together' and state in ('completed', 'failed') order by data->'n'`,
    )
    return rows.length === 4 && rows
  })
  await queue.stop()
  expect(states.map(({ state }) => state)).toEqual(['completed', 'failed', 'completed', 'completed'])
  expect(sizes).toEqual([4, 1, 1, 1, 1])
})

it('urgent jobs wake one idle worker each, and no job waits behind another', async () => {
  // So rare polls that only a notification starts a worker.
  const queue = createQueue(shop.databaseUrl, pino({ level: 'silent' }), { pollSeconds: 600 })
  const begun: number[] = []
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  queue.handle<{ n: number }>('slow', { isUrgent: true, concurrency: 4, retryLimit: 0 }, async ({ data }) => {
    begun.push(data.n)
    await released
  })
  await queue.start()
  for (const n of [1, 2, 3, 4]) await runJobTransaction(shop.app.pool, (ctx) => enqueue(ctx, 'slow', { n }))
  await until('all four', async () => begun.length === 4)
  expect(begun.toSorted()).toEqual([1, 2, 3, 4])
  // A fifth job while all are busy: the first free worker takes it.
  await runJobTransaction(shop.app.pool, (ctx) => enqueue(ctx, 'slow', { n: 5 }))
  release()
  await until('the fifth', async () => begun.includes(5))
  await queue.stop()
})

it('an urgent queue of batches gets its first job at once and the later ones after the gathering time', async () => {
  const queue = createQueue(shop.databaseUrl, pino({ level: 'silent' }), { pollSeconds: 600 })
  const batches: number[][] = []
  const options = { isUrgent: true, concurrency: 1, batch: 10, gatherMs: 200 }
  queue.handleTogether<{ n: number }>('gathered', options, async (jobs) => {
    batches.push(jobs.map(({ data }) => data.n))
  })
  await queue.start()
  for (const n of [1, 2, 3]) await runJobTransaction(shop.app.pool, (ctx) => enqueue(ctx, 'gathered', { n }))
  await until('all three', async () => batches.flat().length === 3)
  expect(batches.flat().toSorted()).toEqual([1, 2, 3])
  await queue.stop()
})

it('queues whose start failed are started once by the next start, even with concurrent calls', async () => {
  const queue = createQueue(shop.databaseUrl, pino({ level: 'silent' }))
  await Promise.all([queue.start(), queue.start()])
  const done: number[] = []
  for (const name of ['later-one', 'later-two']) {
    queue.handle<{ n: number }>(name, { concurrency: 1 }, async ({ data }) => void done.push(data.n))
  }
  await shop.query('alter table pgboss.queue rename to queue_away')
  await expect(queue.start()).rejects.toThrow()
  await shop.query('alter table pgboss.queue_away rename to queue')
  await Promise.all([queue.start(), queue.start()])
  await queue.send('later-one', { n: 1 })
  await queue.send('later-two', { n: 2 })
  await until('both', async () => done.length === 2)
  expect(done.toSorted()).toEqual([1, 2])
  await queue.stop()
})

it('a filter decides by the data of the job, whether the event is emitted or published', async () => {
  const isTwo = (about: unknown) => typeof about === 'object' && about !== null && 'n' in about && about.n === 2
  subscribe('filtered', 'mark-read', isTwo)
  const client = { ip: null, userAgent: null }
  const resource = { action: 'updated', resource: 'vendor', id: 1 }
  for (const n of [1, 2])
    await runJobTransaction(shop.app.pool, async (ctx) => {
      await emit({ ...ctx, client }, { ...resource, name: 'filtered', payload: { n, from: 'emit' } })
      await publish(ctx, 'filtered', { n, from: 'publish' })
    })
  const jobs = await shop.query(
    `select data -> 'n' as n, data -> 'from' as sender from pgboss.job where data ->> 'event' = 'filtered' order by 2`,
  )
  expect(jobs).toEqual([
    { n: 2, sender: 'emit' },
    { n: 2, sender: 'publish' },
  ])
})
