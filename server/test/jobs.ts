import { setTimeout } from 'node:timers/promises'
import type { QueueName } from '../jobs/queues.ts'
import type { TestShop } from './app.ts'
import { until } from './fixtures/codes.ts'

const JOBS_END_WITHIN_MS = 20_000

/**
 * Waits for all jobs that are due, except those that a clock starts. Goes on after a while: most jobs change nothing that
 * is compared.
 */
export async function jobsAreDone(shop: TestShop): Promise<void> {
  const end = performance.now() + JOBS_END_WITHIN_MS
  while (performance.now() < end) {
    const [due] = await shop.query<{ count: number }>(
      `select count(*)::int as count from pgboss.job
       where state in ('created', 'retry', 'active') and start_after <= now()
         and name <> 'dead-letter'
         and name not in (select name from pgboss.schedule)`,
    )
    if (due?.count === 0) return
    await setTimeout(20)
  }
}

/** Waits until these queues have no due job. */
export const queuesAreEmpty = (shop: TestShop, ...queues: QueueName[]) =>
  until(`the jobs of ${queues.join()}`, async () => {
    const due = await shop.query(
      'select from pgboss.job where name = any($1) and state < $2 and start_after <= now() limit 1',
      [queues, 'completed'],
    )
    return due.length === 0
  })

/** Starts the delayed jobs of the first queue, and waits for them and for those of the others. */
export async function runDelayedJobs(shop: TestShop, queue: QueueName, ...others: QueueName[]): Promise<void> {
  await shop.query(`update pgboss.job set start_after = now() where name = $1 and state = 'created'`, [queue])
  await queuesAreEmpty(shop, queue, ...others)
}
