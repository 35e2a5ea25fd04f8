import { type JobResult, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Db } from '../database/db.ts'
import { describeError } from '../lib/logger.ts'
import { type Delay, type EventFilter, onWake, subscribe } from './domain-events.ts'

export interface Job<Data> {
  id: string
  data: Data
  retryCount: number
}

export interface QueueOptions {
  /** Events that enqueue a job here. */
  on?: readonly string[]
  /** Filter for these events; the same check that the handler starts with. */
  wants?: EventFilter
  /** Seconds between one of these events and its job, to gather several. */
  delaySeconds?: Delay
  retryLimit?: number
  /** Seconds before the first retry; doubled each time. */
  retryDelay?: number
  /** Seconds a handler may take. */
  expireInSeconds?: number
  concurrency?: number
  /**
   * Jobs fetched at once and handled one after the other, each with its own result. Such a queue is polled every 2
   * seconds and not woken.
   */
  batch?: number
  /** Wakes any idle worker when a job arrives, so that no job waits behind a slow one. */
  isUrgent?: boolean
  /** Milliseconds: after an immediate fetch, jobs that arrive within this time are gathered. */
  gatherMs?: number
  /** Cron line in Asia/Bahrain. */
  every?: string
}

interface DeclaredQueue {
  name: string
  options: QueueOptions
  work: Work
  isTogether: boolean
}
type Work = (jobs: Job<never>[]) => Promise<void>

export interface Queue {
  /** Declares a queue and its worker. Handlers must be idempotent: delivery is at least once. */
  handle: <Data extends object>(name: string, options: QueueOptions, work: (job: Job<Data>) => Promise<void>) => void
  /** The same for jobs handled in one call; if it fails, each is retried alone. */
  handleTogether: <Data extends object>(
    name: string,
    options: QueueOptions & { batch: number },
    work: (jobs: Job<Data>[]) => Promise<void>,
  ) => void
  send: (
    name: string,
    payload: object,
    options?: { startAfterSeconds?: number; singletonKey?: string },
  ) => Promise<void>
  /** Gives failed jobs one more try, in the caller's transaction. */
  retry: (db: Db, name: string, ids: string[]) => Promise<void>
  discard: (db: Db, name: string, ids: string[]) => Promise<void>
  /** Can be called again, to start queues declared since. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** Keeps jobs that failed finally, with the reason. */
export const deadLetterQueue = 'dead-letter'

/** Heartbeat interval of workers; jobs of a worker without heartbeat are retried within a minute. */
const HEARTBEAT_SECONDS = 20
const SUPERVISE_SECONDS = 15

/**
 * One statement of the process polls all queues and wakes the workers of those with due jobs: if each worker polled for
 * itself, that would be most of the load of an idle shop.
 */
const POLL_SECONDS = 2
const dueQueues = `
  select name from unnest($1::text[]) as queue (name)
  where exists (
    select from pgboss.job
    where job.name = queue.name and state < 'active' and not blocked and start_after <= pgboss.job_now()
  )`
/** The workers' own interval, if the poll fails. */
const WORKER_POLL_SECONDS = 60

/** Filled by a cron line only. */
const isByClock = ({ every, on = [] }: QueueOptions) => every !== undefined && on.length === 0

type Fetched = { id: string; data: object; retryCount: number }

async function settle(fetched: readonly Fetched[], work: Work): Promise<JobResult[]> {
  try {
    // The queue's declaration ties its name to the data its handler expects.
    await work(fetched.map(({ id, data, retryCount }) => ({ id, data, retryCount }) as Job<never>))
    return fetched.map(({ id }) => ({ id, status: 'completed' }))
  } catch (error) {
    if (fetched.length > 1) return settleEach(fetched, work)
    // Stored with the job, so it contains place and kind of the error but no values.
    return fetched.map(({ id }) => ({ id, status: 'failed', output: describeError(error) }))
  }
}

async function settleEach(fetched: readonly Fetched[], work: Work): Promise<JobResult[]> {
  const results: JobResult[] = []
  for (const job of fetched) results.push(...(await settle([job], work)))
  return results
}

/** Throttle: calls at once, then at most once in `ms`, the last time after the last call. */
function throttle(call: () => void, ms: number): () => void {
  let isResting = false
  let isWanted = false
  const rest = () => {
    isResting = isWanted
    if (isWanted) run()
  }
  const run = () => {
    isResting = true
    isWanted = false
    setTimeout(rest, ms).unref()
    call()
  }
  return () => {
    if (isResting) isWanted = true
    else run()
  }
}

interface Worker {
  id: string
  isBusy: boolean
  /** Woken for a job that it has not fetched yet, until this time of performance.now(). */
  awaitedUntil: number
  /** Woken for a second job while it may still have been fetching the first. */
  isWokenAgain: boolean
}
/** Longer than a fetch takes. */
const AWAITED_MS = 150

/** Notifies one idle worker; if none is idle, notifies all. */
function wakeOne(workers: readonly Worker[], notify: (id: string) => void): void {
  const now = performance.now()
  const idle = workers.find(({ isBusy, awaitedUntil }) => !isBusy && awaitedUntil <= now)
  if (idle) {
    idle.isWokenAgain = idle.awaitedUntil > 0
    idle.awaitedUntil = now + AWAITED_MS
  }
  for (const { id } of idle ? [idle] : workers) notify(id)
}

const within = (db: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => db.$client.query<never>(text, values),
})

export function createQueue(databaseUrl: string, log: Logger, { pollSeconds = POLL_SECONDS } = {}): Queue {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 4,
    schema: 'pgboss',
    application_name: 'qatra-jobs',
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue error'))
  /** Declared but not started. */
  const queues: DeclaredQueue[] = []
  const ends: (() => void)[] = []
  const workersOf = new Map<string, readonly Worker[]>()
  let pollTimer: NodeJS.Timeout | null = null
  let isStarted = false
  let isStopped = false
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
        return await (isTogether ? settle(jobs, work) : settleEach(jobs, work))
      } finally {
        worker.isBusy = false
      }
    })
    return worker
  }

  async function startOne(worked: DeclaredQueue) {
    const { name, options } = worked
    const settings = {
      retryLimit: options.retryLimit ?? 5,
      retryDelay: options.retryDelay ?? 5,
      retryBackoff: true,
      expireInSeconds: options.expireInSeconds ?? 60,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deadLetter: deadLetterQueue,
    }
    await boss.createQueue(name, settings)
    await boss.updateQueue(name, settings)
    const woken: Worker[] = []
    const wake = () => wakeOne(woken, (id) => boss.notifyWorker(id))
    const workers = Array.from({ length: options.concurrency ?? (isByClock(options) ? 1 : 2) }, () =>
      startWorker(worked, wake),
    )
    const started = await Promise.all(workers)
    workersOf.set(name, started)
    woken.push(...(options.isUrgent ? started : started.slice(0, options.batch ? 0 : 1)))
    ends.push(onWake(name, options.gatherMs ? throttle(wake, options.gatherMs) : wake))
    if (options.every) await boss.schedule(name, options.every, {}, { tz: 'Asia/Bahrain' })
  }

  async function poll() {
    try {
      const due: { rows: { name: string }[] } = await boss.getDb().executeSql(dueQueues, [[...workersOf.keys()]])
      for (const { name } of due.rows) for (const { id } of workersOf.get(name) ?? []) boss.notifyWorker(id)
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, 'queues could not be polled')
    }
    if (!isStopped) pollTimer = setTimeout(poll, pollSeconds * 1_000)
  }

  function declare(worked: DeclaredQueue) {
    queues.push(worked)
    for (const event of worked.options.on ?? []) {
      subscribe(event, worked.name, worked.options.wants, worked.options.delaySeconds)
    }
  }

  async function startDeclared() {
    if (!isStarted) {
      await boss.start()
      await boss.createQueue(deadLetterQueue)
      isStarted = true
      pollTimer = setTimeout(poll, pollSeconds * 1_000)
    }
    for (let [queue] = queues; queue; [queue] = queues) {
      await startOne(queue)
      // Removed only after success, so that the next start retries it.
      queues.shift()
    }
  }

  return {
    handle(name, options, work) {
      const inTurn: Work = async (jobs) => {
        for (const job of jobs) await work(job)
      }
      declare({ name, options, work: inTurn, isTogether: false })
    },
    handleTogether: (name, options, work) => declare({ name, options, work, isTogether: true }),
    async send(name, payload, { startAfterSeconds, singletonKey } = {}) {
      await boss.send(name, payload, { startAfter: startAfterSeconds, singletonKey })
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
    async stop() {
      isStopped = true
      if (pollTimer) clearTimeout(pollTimer)
      for (const end of ends) end()
      await boss.stop({ graceful: true, timeout: 8_000 })
    },
  }
}
