import { isDeepStrictEqual } from 'node:util'
import { PgBoss, type QueueResult, type Schedule } from 'pg-boss'
import type { Logger } from 'pino'
import { Counter } from 'prom-client'
import { type Db, PLANNER_OPTIONS } from '../database/db.ts'
import { traced } from '../lib/tracing/tracing.ts'
import { onWake, type SubscriptionOptions, subscribe } from './domain-events.ts'
import type { EventName } from './events.ts'
import { type EventsOf, type JobData, movedQueues, type QueueList, queues, retiredQueues } from './queues.ts'
import { type Job, settle, settleEach, type Work } from './settle.ts'
import { throttle, type Worker, wakeOne } from './waking.ts'

export type { Job }

/** Events and cron line are in the list of queues. */
interface QueueOptions<Name extends EventName = never> extends SubscriptionOptions<Name> {
  retryLimit?: number
  /** Seconds before the first retry; doubled each time. */
  retryDelay?: number
  /** Seconds a handler may take. */
  expireInSeconds?: number
  concurrency?: number
  /**
   * Jobs fetched at once and handled one after the other, each with its own result. Such a queue is polled, and woken
   * only if it is urgent.
   */
  batch?: number
  /** Wakes any idle worker when a job arrives, so that no job waits behind a slow one. */
  isUrgent?: boolean
  /** Milliseconds: after an immediate fetch, jobs that arrive within this time are gathered. */
  gatherMs?: number
}

interface DeclaredQueue {
  name: string
  options: QueueOptions
  work: Work
  isTogether: boolean
}

export interface Queue<List extends QueueList = typeof queues> {
  /** Starts a queue of the list with its worker. Handlers must be idempotent: delivery is at least once. */
  handle: <Name extends keyof List & string>(
    name: Name,
    options: QueueOptions<EventsOf<List[Name]>>,
    work: (job: Job<JobData<List[Name]>>) => Promise<void>,
  ) => void
  /** The same for jobs handled in one call; if it fails, each is retried alone. */
  handleTogether: <Name extends keyof List & string>(
    name: Name,
    options: QueueOptions<EventsOf<List[Name]>> & { batch: number },
    work: (jobs: Job<JobData<List[Name]>>[]) => Promise<void>,
  ) => void
  send: <Name extends keyof List & string>(
    name: Name,
    data: JobData<List[Name]>,
    options?: { startAfterSeconds?: number },
  ) => Promise<void>
  /** Gives failed jobs one more try, in the caller's transaction. */
  retry: (db: Db, name: string, ids: string[]) => Promise<void>
  discard: (db: Db, name: string, ids: string[]) => Promise<void>
  /** Can be called again, to start queues declared since. */
  start: () => Promise<void>
  /** Whether due jobs were looked for within the last seconds, so that they are worked on. */
  isPolling: () => boolean
  stop: () => Promise<void>
}

/** Keeps jobs that failed finally, with the reason. */
export const deadLetterQueue = 'dead-letter'

/** Heartbeat interval of workers; jobs of a worker without heartbeat are retried within a minute. */
const HEARTBEAT_SECONDS = 20
const SUPERVISE_SECONDS = 15
/** Old jobs are deleted in small parts, since a pooler limits the time of a statement. */
const MAINTENANCE_SECONDS = 600

/**
 * One statement of the process polls all queues and wakes the workers of those with due jobs: if each worker polled for
 * itself, that would be most of the load of an idle shop.
 */
const POLL_SECONDS = 2
/** Without a successful poll for this time the process counts as not working. */
const POLL_TIMEOUT_MS = 15_000
const dueQueues = `
  select name from unnest($1::text[]) as queue (name)
  where exists (
    select from pgboss.job
    where job.name = queue.name and state < 'active' and not blocked and start_after <= pgboss.job_now()
  )`
const moveJobs = `update pgboss.job set name = 'order-messages' where name = any($1::text[]) and state < 'active'`
/** Interval at which a worker fetches without being woken. */
const WORKER_POLL_SECONDS = 60
/** Of cron lines. */
const ZONE = 'Asia/Bahrain'

const handled = new Counter({
  name: 'qatra_jobs_handled_total',
  help: 'Attempts at jobs, by how they ended; a failed one is repeated or kept in the dead-letter queue',
  labelNames: ['queue', 'outcome'] as const,
})

/** Queues and cron lines that the database has; most starts find all of them. */
interface Stored {
  queues: ReadonlyMap<string, QueueResult>
  schedules: ReadonlyMap<string, Schedule>
}

const byName = <Named extends { name: string }>(rows: readonly Named[]) => new Map(rows.map((row) => [row.name, row]))

const within = (db: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => db.$client.query<never>(text, values),
})

const subscriber = (list: QueueList) => (name: string, options: SubscriptionOptions) => {
  for (const event of list[name]?.on ?? []) subscribe(event, name, options)
}

/** The queue of a process that publishes events whose jobs other processes handle. */
export const withoutWorkers = (queue: Queue): Queue => ({
  ...queue,
  handle: subscriber(queues),
  handleTogether: subscriber(queues),
})

/** With `hasWorkers: false` jobs are enqueued only: no workers, no polls, no cron, no maintenance. */
export function createQueue<List extends QueueList>(
  list: List,
  databaseUrl: string,
  log: Logger,
  { pollSeconds = POLL_SECONDS, hasWorkers = true } = {},
): Queue<List> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 2,
    schema: 'pgboss',
    application_name: 'qatra-jobs',
    // Without them a job is completed by a scan of the finished ones.
    options: PLANNER_OPTIONS,
    supervise: hasWorkers,
    schedule: hasWorkers,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue error'))
  const subscribeToEvents = subscriber(list)
  /** Declared but not started. */
  const waiting: DeclaredQueue[] = []
  const ends: (() => void)[] = []
  /** Wakes all workers of a queue, by its name. */
  const wakeAllOf = new Map<string, () => void>()
  let pollTimer: NodeJS.Timeout | null = null
  let polledAt = Number.NEGATIVE_INFINITY
  let [isStarted, isStopped, hasMovedQueues] = [false, false, false]
  let starting = Promise.resolve()

  /** One call per worker, since only the first of a group can be woken by its id. */
  async function startWorker({ name, options, work, isTogether }: DeclaredQueue, wake: () => void): Promise<Worker> {
    const batchSize = options.batch ?? 1
    const pollingIntervalSeconds = Math.max(pollSeconds, WORKER_POLL_SECONDS)
    const settings = { pollingIntervalSeconds, includeMetadata: true, perJobResults: true, batchSize } as const
    const worker: Worker = { id: '', isBusy: false, awaitedUntil: 0, isWokenAgain: false }
    worker.id = await boss.work<object, unknown, typeof settings>(name, settings, async (taken) => {
      const { isWokenAgain } = worker
      Object.assign(worker, { isBusy: true, awaitedUntil: 0, isWokenAgain: false })
      if (isWokenAgain) wake()
      // A fetch returns jobs in no order; the oldest is handled first.
      const jobs = taken.toSorted((a, b) => a.createdOn.getTime() - b.createdOn.getTime())
      // A full batch means that there may be more: fetch again at once.
      if (jobs.length === batchSize) boss.notifyWorker(worker.id)
      try {
        const results = await (isTogether ? settle(jobs, work) : settleEach(jobs, work))
        for (const { status } of results) handled.inc({ queue: name, outcome: status })
        return results
      } finally {
        worker.isBusy = false
      }
    })
    return worker
  }

  async function store({ name, options }: DeclaredQueue, stored: Stored) {
    const settings = {
      retryLimit: options.retryLimit ?? 5,
      retryDelay: options.retryDelay ?? 5,
      retryBackoff: true,
      expireInSeconds: options.expireInSeconds ?? 60,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deadLetter: deadLetterQueue,
    } as const
    const queue = stored.queues.get(name)
    if (!queue) await boss.createQueue(name, settings)
    else if (!isDeepStrictEqual({ ...queue, ...settings }, { ...queue })) await boss.updateQueue(name, settings)
    const { every } = list[name] ?? {}
    if (!every) return
    const schedule = stored.schedules.get(name)
    if (schedule?.cron === every && schedule.timezone === ZONE) return
    await boss.schedule(name, every, {}, { tz: ZONE })
  }

  /** Its workers start with the first job that this process sees, so that idle queues cost nothing. */
  function prepare(declared: DeclaredQueue) {
    const { name, options } = declared
    let starting: Promise<Worker[]> | null = null
    async function startWorkers() {
      const isByClock = list[name]?.every !== undefined && !list[name].on
      const count = options.concurrency ?? (isByClock ? 1 : 2)
      return Promise.all(Array.from({ length: count }, () => startWorker(declared, wake)))
    }
    async function wakeThese(notify: (workers: readonly Worker[]) => void) {
      if (isStopped) return
      try {
        starting ??= startWorkers()
        notify(await starting)
      } catch (error) {
        starting = null // the next poll tries again
        if (!isStopped) log.warn({ err: error, queue: name }, 'workers not started')
      }
    }
    const notify = (id: string) => boss.notifyWorker(id)
    const wake = () => void wakeThese((workers) => wakeOne(options.isUrgent ? workers : workers.slice(0, 1), notify))
    wakeAllOf.set(name, () => void wakeThese((workers) => workers.forEach(({ id }) => notify(id))))
    if (options.isUrgent || !options.batch)
      ends.push(onWake(name, options.gatherMs ? throttle(wake, options.gatherMs) : wake))
  }

  async function poll() {
    if (pollTimer) clearTimeout(pollTimer)
    try {
      const due: { rows: { name: string }[] } = await boss.getDb().executeSql(dueQueues, [[...wakeAllOf.keys()]])
      polledAt = performance.now()
      for (const { name } of due.rows) wakeAllOf.get(name)?.()
      if (hasMovedQueues) await boss.getDb().executeSql(moveJobs, [movedQueues])
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'queues could not be polled')
    }
    if (!isStopped) pollTimer = setTimeout(poll, pollSeconds * 1_000)
  }

  function declare(worked: DeclaredQueue) {
    const work: Work = (jobs) =>
      traced(`job ${worked.name}`, 'consumer', { 'messaging.batch.message_count': jobs.length }, () =>
        worked.work(jobs),
      )
    waiting.push({ ...worked, work })
    subscribeToEvents(worked.name, worked.options)
  }

  async function startDeclared() {
    if (!isStarted) {
      await boss.start()
      await boss.createQueue(deadLetterQueue)
      isStarted = true
    }
    const [known, schedules] = await Promise.all([boss.getQueues(), boss.getSchedules()])
    const stored = { queues: byName(known), schedules: byName(schedules) }
    for (let [queue] = waiting; queue; [queue] = waiting) {
      await store(queue, stored)
      if (hasWorkers) prepare(queue)
      // Removed only after success, so that the next start retries it.
      waiting.shift()
    }
    for (const name of retiredQueues) if (stored.queues.has(name)) await boss.deleteQueue(name)
    hasMovedQueues = movedQueues.some((name) => stored.queues.has(name))
    // Jobs may have waited for this process.
    if (hasWorkers) await poll()
  }

  return {
    handle(name, options, work) {
      const inTurn: Work = async (jobs) => {
        for (const job of jobs) await work(job)
      }
      declare({ name, options, work: inTurn, isTogether: false })
    },
    handleTogether: (name, options, work) => declare({ name, options, work, isTogether: true }),
    async send(name, data, { startAfterSeconds } = {}) {
      await boss.send(name, data, { startAfter: startAfterSeconds })
    },
    async retry(db, name, ids) {
      await boss.retry(name, ids, { db: within(db) })
    },
    async discard(db, name, ids) {
      await boss.deleteJob(name, ids, { db: within(db) })
    },
    start() {
      // Serializes starts: a later declaration may call start while the first one runs.
      starting = starting.then(startDeclared, startDeclared)
      return starting
    },
    isPolling: () => performance.now() - polledAt < POLL_TIMEOUT_MS,
    async stop() {
      isStopped = true
      if (pollTimer) clearTimeout(pollTimer)
      for (const end of ends) end()
      await boss.stop({ graceful: true, timeout: 8_000 })
    },
  }
}
