import { pino } from 'pino'
import { expect, it } from 'vitest'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeHousehold } from '../test/fixtures/make.ts'
import { emit, enqueue, publish, wakeAfterCommit } from './domain-events.ts'
import { createQueue, type Queue } from './queue.ts'
import { type QueueList, sent } from './queues.ts'

const shop = await startShop()
const numbered = { sent: sent<{ n: number }>() }
const open = <List extends QueueList>(list: List, options?: { pollSeconds?: number; hasWorkers?: boolean }) =>
  createQueue(list, shop.databaseUrl, pino({ level: 'silent' }), { pollSeconds: 0.2, ...options })

/** Adds a job and wakes the workers, as `enqueue` does. */
type Sending<Name> = (name: Name, data: { n: number }) => Promise<void>
async function add<Name extends string>(queue: { send: Sending<Name> }, name: Name, n: number) {
  await queue.send(name, { n })
  await runJobTransaction(shop.app.pool, async (ctx) => wakeAfterCommit(ctx, [name]))
}

it('a failed job stores the reason without the values', async () => {
  const queue = open({ failing: numbered })
  queue.handle('failing', { retryLimit: 0 }, async () => {
    const cause = new Error('duplicate key value violates "letters"')
    throw new Error('Failed query: insert into letters\nparams: +97333555777,Canary House 77', { cause })
  })
  await queue.start()
  await queue.send('failing', { n: 1 })
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
  const queue = open({ together: numbered })
  const sizes: number[] = []
  queue.handleTogether('together', { retryLimit: 0, concurrency: 1, batch: 10 }, async (jobs) => {
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
  const queue = open({ slow: numbered }, { pollSeconds: 600 })
  const begun: number[] = []
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  queue.handle('slow', { isUrgent: true, concurrency: 4, retryLimit: 0 }, async ({ data }) => {
    begun.push(data.n)
    await released
  })
  await queue.start()
  for (const n of [1, 2, 3, 4]) await add(queue, 'slow', n)
  await until('all four', async () => begun.length === 4)
  expect(begun.toSorted()).toEqual([1, 2, 3, 4])
  // A fifth job while all are busy: the first free worker takes it.
  await add(queue, 'slow', 5)
  release()
  await until('the fifth', async () => begun.includes(5))
  await queue.stop()
})

it('an urgent queue of batches gets its first job at once and the later ones after the gathering time', async () => {
  const queue = open({ gathered: numbered }, { pollSeconds: 600 })
  const batches: number[][] = []
  const options = { isUrgent: true, concurrency: 1, batch: 10, gatherMs: 200 }
  queue.handleTogether('gathered', options, async (jobs) => {
    batches.push(jobs.map(({ data }) => data.n))
  })
  await queue.start()
  for (const n of [1, 2, 3]) await add(queue, 'gathered', n)
  await until('all three', async () => batches.flat().length === 3)
  expect(batches.flat().toSorted()).toEqual([1, 2, 3])
  await queue.stop()
})

it('queues whose start failed are started once by the next start, even with concurrent calls', async () => {
  const queue = open({ 'later-one': numbered, 'later-two': numbered })
  await Promise.all([queue.start(), queue.start()])
  const done: number[] = []
  for (const name of ['later-one', 'later-two'] as const) {
    queue.handle(name, { concurrency: 1 }, async ({ data }) => void done.push(data.n))
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
  const queue = open({ filtered: { on: ['order.noted'] } }, { hasWorkers: false })
  queue.handle('filtered', { filter: ({ id }) => id === 'second' }, () => Promise.resolve())
  await queue.start()
  const client = { ip: null, userAgent: null }
  const entry = { action: 'note', resource: 'order' } as const
  for (const id of ['first', 'second'])
    await runJobTransaction(shop.app.pool, async (ctx) => {
      await emit({ ...ctx, client }, { ...entry, name: 'order.noted', id })
      await publish(ctx, 'order.noted', { id, by: 1 })
    })
  await queue.stop()
  const jobs = await shop.query(`select data from pgboss.job where name = 'filtered' order by data -> 'by'`)
  expect(jobs).toEqual([null, 1].map((by) => ({ data: { event: 'order.noted', id: 'second', by } })))
  const history = await shop.query(`select action from order_audit_history where order_id in ('first', 'second')`)
  expect(history).toEqual([{ action: 'note' }, { action: 'note' }])
})

it('the job of a placed order starts after the delay of its queue, like that of any other event', async () => {
  const queue = open({ 'after-order': { on: ['order.placed'] } }, { hasWorkers: false })
  queue.handle('after-order', { delaySeconds: ({ version }) => 60 * version }, () => Promise.resolve())
  await queue.start()
  const id = await (await makeHousehold(shop)).order()
  await queue.stop()
  const jobs = await shop.query(
    `select extract(epoch from start_after - created_on)::int as seconds, data - 'by' as data
     from pgboss.job where name = 'after-order'`,
  )
  expect(jobs).toEqual([{ seconds: 60, data: { event: 'order.placed', id, to: 'new', version: 1 } }])
})

it('jobs of a queue of an earlier version are moved whenever they come, by processes with workers only', async () => {
  const earlier = open({ 'moved-news': numbered }, { hasWorkers: false })
  earlier.handle('moved-news', {}, () => Promise.resolve())
  await earlier.start()
  const queuesOfJobs = async () => {
    const jobs = await shop.query<{ name: string }>(`select name from pgboss.job where data ->> 'n' = '4711'`)
    return jobs.map(({ name }) => name)
  }
  const areMoved = async () => !(await queuesOfJobs()).includes('moved-news')
  await earlier.send('moved-news', { n: 4_711 }, { startAfterSeconds: 600 })
  const web = open({}, { hasWorkers: false })
  await web.start()
  await web.stop()
  expect(await queuesOfJobs()).toEqual(['moved-news'])
  const worker = open({}, { pollSeconds: 0.2 })
  await worker.start()
  await until('the first job', areMoved)
  await earlier.send('moved-news', { n: 4_711 }, { startAfterSeconds: 600 })
  await until('the later job', areMoved)
  expect(await queuesOfJobs()).toEqual(['order-messages', 'order-messages'])
  await worker.stop()
  await earlier.stop()
})

it('a subscriber, a job or an event with another payload does not compile', () => {
  const wrong = (queue: Queue, ctx: Parameters<typeof emit>[0]) => [
    // @ts-expect-error An order that is placed has no reference.
    () => queue.handle('order-messages', {}, async ({ data }) => void data.reference),
    // @ts-expect-error A failed message is filtered by its code.
    () => queue.handle('repeat-messages', { filter: ({ status }) => status === 'failed' }, async () => {}),
    // @ts-expect-error It is not in the list.
    () => queue.handle('unknown-queue', {}, async () => {}),
    // @ts-expect-error The list has its cron line.
    () => queue.handle('old-rows', { every: '* * * * *' }, async () => {}),
    // @ts-expect-error Its jobs have the id of a contact.
    () => enqueue(ctx, 'send-messages', { messageId: 1 }),
    // @ts-expect-error Nobody sends jobs to a queue that events fill.
    () => enqueue(ctx, 'order-referrals', { id: 'x' }),
    // @ts-expect-error It is not in the map.
    () => publish(ctx, 'order.forgotten', { id: 'x' }),
    // @ts-expect-error The filters of incoming messages read the text.
    () => publish(ctx, 'message.received', { messageId: 1, contactId: 1, isAwaited: true, isForPerson: true }),
    // @ts-expect-error The payload is missing.
    () => emit(ctx, { name: 'order.attempted', action: 'attempted', resource: 'order', id: 'x' }),
  ]
  expect(wrong).toBeTypeOf('function')
})
