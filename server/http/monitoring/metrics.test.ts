import pg from 'pg'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, it, vi } from 'vitest'
import { createQueue } from '../../jobs/queue.ts'
import { sent } from '../../jobs/queues.ts'
import { startShop } from '../../test/app.ts'
import { growthOf, seriesOf } from '../../test/metrics.ts'
import { databaseMetrics } from './database-metrics.ts'

const shop = await startShop()

it('tells how long the oldest due job of a queue has waited, and nothing of jobs that start later', async () => {
  await shop.query(`select pgboss.create_queue('unworked', '{"policy": "standard"}')`)
  const due = 'qatra_queue_oldest_due_seconds{queue="unworked"}'
  await shop.query(`insert into pgboss.job (name, start_after) values ('unworked', now() + interval '1 hour')`)
  expect(await seriesOf(shop, due)).toBeNull()
  for (const minutes of [10, 20])
    await shop.query(
      `insert into pgboss.job (name, start_after) values ('unworked', now() - $1 * interval '1 minute')`,
      [minutes],
    )
  expect(await seriesOf(shop, due)).toBeGreaterThanOrEqual(1200)
  expect(await seriesOf(shop, 'qatra_queue_jobs{queue="unworked",state="created"}')).toBe(3)
})

it('counts attempts at jobs by queue and outcome', async () => {
  const outcomes = ['completed', 'failed'].map(
    (outcome) => `qatra_jobs_handled_total{queue="metered",outcome="${outcome}"}`,
  )
  const seen: number[] = []
  const list = { metered: { sent: sent<{ fails: boolean }>() } }
  const queue = createQueue(list, shop.databaseUrl, pino({ level: 'silent' }), { pollSeconds: 0.2 })
  queue.handle('metered', { retryLimit: 0 }, async ({ data }) => {
    seen.push(1)
    if (data.fails) throw new Error('This job fails')
  })
  await queue.start()
  const before = (await seriesOf(shop, 'qatra_queue_jobs{queue="dead-letter",state="created"}')) ?? Number.NaN
  const growth = await growthOf(shop, outcomes, async () => {
    await queue.send('metered', { fails: false })
    await queue.send('metered', { fails: true })
    await vi.waitUntil(() => seen.length === 2, 30_000)
    await expect.poll(() => seriesOf(shop, 'qatra_queue_jobs{queue="dead-letter",state="created"}')).toBe(before + 1)
  })
  await queue.stop()
  expect(growth).toEqual([1, 1])
})

it('tells the age of each snapshot, which a reload ends', async () => {
  await expect.poll(() => seriesOf(shop, 'qatra_snapshot_age_seconds{snapshot="catalogue"}')).toBeGreaterThan(0.05)
  const age = shop.catalogue.age()
  await shop.catalogue.reload()
  expect(shop.catalogue.age()).toBeLessThan(age)
  expect(await seriesOf(shop, 'qatra_snapshot_age_seconds{snapshot="knowledge"}')).toBeGreaterThanOrEqual(0)
})

it('tells lag and number of standbys; neither while the database is away', async () => {
  expect(await seriesOf(shop, 'qatra_database_up')).toBe(1)
  expect(await seriesOf(shop, 'qatra_replication_standbys')).toBe(0)
  const registry = new Registry()
  const pool = new pg.Pool()
  const query = vi.spyOn(pool, 'query')
  databaseMetrics([registry], pool)
  query.mockImplementation(async () => ({ rows: [{ standby: 'walreceiver', count: 2, lag: 1.5 }] }))
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => !/^#|^$|pool/.test(line))
  expect(await lines()).toEqual([
    'qatra_database_up 1',
    'qatra_replication_standbys 2',
    'qatra_replication_lag_seconds{standby="walreceiver"} 1.5',
  ])
  expect(query).toHaveBeenCalledTimes(1)
  query.mockImplementation(async () => Promise.reject(new Error('The database is away')))
  expect(await lines()).toEqual(['qatra_database_up 0'])
})
