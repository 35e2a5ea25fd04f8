import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { FailedJob, listFailedJobs as failed, listQueues as list, QueueFigures } from '@qatra/contract/queues'
import { MOST_COUNTED } from '@qatra/contract/users/users'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { deadLetterQueue } from '../jobs/queue.ts'
import { movedQueues } from '../jobs/queues.ts'
import { payloadOf, reasonOf } from './mask.ts'

interface Figures extends Omit<QueueFigures, 'depth' | 'oldestSeconds' | 'lastDoneAt'> {
  oldest: number | null
  lastDone: Date | null
}

// pg-boss updates its own counts every 15 seconds only.
const figuresSql = statement(
  'queue-figures',
  `select q.name, f.* from pgboss.queue q cross join lateral (
     select count(*) filter (where j.state in ('created', 'retry') and j.start_after <= now())::integer as waiting,
       count(*) filter (where j.state in ('created', 'retry') and j.start_after > now())::integer as later,
       count(*) filter (where j.state = 'active')::integer as active,
       count(*) filter (where j.state = 'failed')::integer as failed,
       extract(epoch from now() - min(greatest(j.start_after, j.created_on))
         filter (where j.state in ('created', 'retry') and j.start_after <= now()))::float8 as oldest,
       count(*) filter (where j.state = 'completed' and j.completed_on > now() - interval '1 hour')::integer as "doneLastHour",
       max(j.completed_on) filter (where j.state = 'completed') as "lastDone"
     from pgboss.job j where j.name = q.name) f
   where q.name <> $1 and q.name not like '\\_\\_%'
     and (q.name <> all($2::text[]) or f.waiting + f.later + f.active + f.failed > 0)
   order by q.name`,
)

export async function readQueues({ db, now }: Ctx): Promise<Output<typeof list>> {
  const rows = await run<Figures>(db, figuresSql, [deadLetterQueue, movedQueues])
  return {
    queues: rows.map(({ oldest, lastDone, ...row }) => ({
      ...row,
      depth: row.waiting + row.later + row.active,
      oldestSeconds: oldest === null ? null : Math.max(0, Math.round(oldest)),
      lastDoneAt: lastDone?.toISOString() ?? null,
    })),
    now: now.toISOString(),
  }
}

interface FailedRow extends Pick<FailedJob, 'id' | 'queue' | 'tries'> {
  createdAt: Date
  failedAt: Date
  output: unknown
  data: unknown
}

// Excludes the dead letters, which are copies of these.
const failures = `from pgboss.job where state = 'failed' and name <> $1 and ($2::text is null or name = $2)`
const failedSql = statement(
  'queue-failed',
  `select id, name as queue, created_on as "createdAt", coalesce(completed_on, created_on) as "failedAt",
     retry_count + 1 as tries, output, data
   ${failures} order by "failedAt" desc, id limit $3 offset $4`,
)
const countSql = statement(
  'queue-failed-count',
  `select count(*)::integer as total from (select ${failures} limit ${MOST_COUNTED}) c`,
)

export async function listFailures(
  { db }: Ctx,
  { page, limit, queue }: Parsed<typeof failed>['query'],
): Promise<Output<typeof failed>> {
  const values = [deadLetterQueue, queue ?? null]
  const [rows, counted] = await Promise.all([
    run<FailedRow>(db, failedSql, [...values, limit, (page - 1) * limit]),
    run<{ total: number }>(db, countSql, values),
  ])
  const items = rows.map(({ output, data, createdAt, failedAt, ...job }) => ({
    ...job,
    createdAt: createdAt.toISOString(),
    failedAt: failedAt.toISOString(),
    reason: reasonOf(output),
    payload: payloadOf(data),
  }))
  return { items, page, limit, total: counted[0]?.total ?? 0 }
}
