import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { scrapeQuery } from './scrape-query.ts'

const queuesText = `
  select name, state::text, count(*)::int as jobs,
    extract(epoch from pgboss.job_now() - min(start_after)
      filter (where state < 'active' and not blocked and start_after <= pgboss.job_now()))::float8 as due
  from pgboss.job where state in ('created', 'retry', 'active', 'failed') group by name, state`

export function queueMetrics(registers: Registry[], pool: pg.Pool, { keptIn }: { keptIn: string }) {
  const readQueues = scrapeQuery<{ name: string; state: string; jobs: number; due: number | null }>(pool, queuesText)
  new Gauge({
    name: 'qatra_queue_jobs',
    help: 'Jobs of a queue, by state',
    labelNames: ['queue', 'state'] as const,
    registers,
    async collect() {
      const found = await readQueues()
      this.reset()
      for (const { name, state, jobs } of found ?? []) this.set({ queue: name, state }, jobs)
      // A series that begins with the first failed job hides that job from increase().
      if (found && !found.some(({ name }) => name === keptIn)) this.set({ queue: keptIn, state: 'created' }, 0)
    },
  })
  new Gauge({
    name: 'qatra_queue_oldest_due_seconds',
    help: 'How long the oldest waiting job of a queue has been due',
    labelNames: ['queue'] as const,
    registers,
    async collect() {
      const found = await readQueues()
      this.reset()
      const oldest = new Map<string, number>()
      for (const { name, due } of found ?? [])
        if (name !== keptIn && due !== null) oldest.set(name, Math.max(due, oldest.get(name) ?? 0))
      for (const [queue, seconds] of oldest) this.set({ queue }, seconds)
    },
  })
}
