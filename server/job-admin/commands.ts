import type { Output, Parsed } from '@qatra/contract/endpoint'
import { MOST_JOBS_AT_ONCE, type retryJobs as retry } from '@qatra/contract/queues'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit, wakeAfterCommit } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { deadLetterQueue, type Queue } from '../jobs/queue.ts'
import { AppError } from '../lib/errors.ts'

type Choice = Parsed<typeof retry>['body']
type Changed = Output<typeof retry>

const queueSql = statement('queue-known', 'select from pgboss.queue where name = $1 and name <> $2')
// Locks the failed jobs, so that concurrent requests do not retry them twice.
const failedSql = statement(
  'queue-failed-lock',
  `select id from pgboss.job where name = $1 and state = 'failed' and ($2::uuid[] is null or id = any($2))
   order by id limit ${MOST_JOBS_AT_ONCE} for update`,
)
const copiesSql = statement('queue-copies', `select id from pgboss.job where name = $1 and source_id = any($2::uuid[])`)

/** @throws QUEUE_NOT_FOUND */
async function lockFailed({ db }: Ctx, { queue, ids }: Choice): Promise<string[]> {
  const known = await run(db, queueSql, [queue, deadLetterQueue])
  if (known.length === 0) throw new AppError('QUEUE_NOT_FOUND')
  const rows = await run<{ id: string }>(db, failedSql, [queue, ids ?? null])
  return rows.map(({ id }) => id)
}

/** Deletes their dead letters too; another failure creates a new one. */
async function settle(
  ctx: Ctx,
  boss: Queue,
  { choice, ids, action }: { choice: Choice; ids: string[]; action: ActionOf<'jobs'> },
) {
  const copies = await run<{ id: string }>(ctx.db, copiesSql, [deadLetterQueue, ids])
  if (copies.length > 0)
    await boss.discard(
      ctx.db,
      deadLetterQueue,
      copies.map(({ id }) => id),
    )
  await emit(ctx, {
    name: `jobs.${action}`,
    action,
    resource: 'job',
    id: choice.queue,
    changes: [
      { field: 'count', from: null, to: ids.length },
      ...(choice.ids ? [{ field: 'ids', from: null, to: ids }] : []),
    ],
  })
}

/** Retries each once. Handlers are idempotent. */
export async function retryFailed(ctx: Ctx, boss: Queue, choice: Choice): Promise<Changed> {
  const ids = await lockFailed(ctx, choice)
  if (ids.length === 0) return { changed: 0 }
  await boss.retry(ctx.db, choice.queue, ids)
  await settle(ctx, boss, { choice, ids, action: 'retried' })
  wakeAfterCommit(ctx, [choice.queue])
  return { changed: ids.length }
}

export async function discardFailed(ctx: Ctx, boss: Queue, choice: Choice): Promise<Changed> {
  const ids = await lockFailed(ctx, choice)
  if (ids.length === 0) return { changed: 0 }
  await boss.discard(ctx.db, choice.queue, ids)
  await settle(ctx, boss, { choice, ids, action: 'discarded' })
  return { changed: ids.length }
}
