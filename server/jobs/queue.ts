import { type JobResult, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Db } from '../database/db.ts'
import { describeError } from '../lib/logger.ts'
import { type EventFilter, onWake, subscribe } from './domain-events.ts'

export interface Job<Data> {
  id: string
  data: Data
  retryCount: number
}

export interface QueueOptions {
  /** Events whose news this queue works on. */
  on?: readonly string[]
  /** Of these events, which; the same look that the work itself begins with. */
  wants?: EventFilter
  retryLimit?: number
  /** Seconds before the first retry; doubled each time. */
  retryDelay?: number
  /** Seconds a handler may take. */
  expireInSeconds?: number
  concurrency?: number
  /**
   * Jobs taken at once, worked on one after the other, each with its own success or failure. Such a queue is looked
   * at every 2 seconds and not woken: for what may come a moment later and comes in numbers.
   */
  batch?: number
  /** An idle worker looks at once when a job comes, whichever there is, so that none waits behind a slow one. */
  isUrgent?: boolean
  /** Milliseconds: after a job that is looked at at once, those that come sooner than this wait for each other. */
  gatherMs?: number
  /** Cron line in Asia/Bahrain. */
  every?: string
}

interface Worked {
  name: string
  options: QueueOptions
  work: Work
  isTogether: boolean
}
type Work = (jobs: Job<never>[]) => Promise<void>

export interface Queue {
  /** Declares a queue and its worker; handlers are idempotent, since delivery is at least once. */
  handle: <Data extends object>(name: string, options: QueueOptions, work: (job: Job<Data>) => Promise<void>) => void
  /** The same for jobs that are done in one go; where that fails, each is tried by itself. */
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
  /** Failed jobs get one more try, in the caller's transaction. */
  retry: (db: Db, name: string, ids: string[]) => Promise<void>
  discard: (db: Db, name: string, ids: string[]) => Promise<void>
  /** Called again, it starts what was declared since. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** Where what failed for good is kept, with the reason. */
export const deadLetterQueue = 'dead-letter'

/** A worker says this often that it lives; the jobs of one that fell silent go to the others within a minute. */
const HEARTBEAT_SECONDS = 20
const SUPERVISE_SECONDS = 15

/** What only a clock calls for is looked at less often, and by one worker: half the looks of an idle shop would be these. */
const SECONDS_BY_CLOCK = 10
const isByClock = ({ every, on = [] }: QueueOptions) => every !== undefined && on.length === 0

type Fetched = { id: string; data: object; retryCount: number }

async function settle(fetched: readonly Fetched[], work: Work): Promise<JobResult[]> {
  try {
    // The queue's own declaration ties its name to the data its handler expects.
    await work(fetched.map(({ id, data, retryCount }) => ({ id, data, retryCount }) as Job<never>))
    return fetched.map(({ id }) => ({ id, status: 'completed' }))
  } catch (error) {
    if (fetched.length > 1) return settleEach(fetched, work)
    // Kept with the job, so it says where and what kind, and nothing of the values.
    return fetched.map(({ id }) => ({ id, status: 'failed', output: describeError(error) }))
  }
}

async function settleEach(fetched: readonly Fetched[], work: Work): Promise<JobResult[]> {
  const results: JobResult[] = []
  for (const job of fetched) results.push(...(await settle([job], work)))
  return results
}

/** Calls at once, and then at most once in so many milliseconds, the last time after the last call. */
function paced(call: () => void, ms: number): () => void {
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
  /** Woken for a job, and not there yet; milliseconds of the process. */
  awaitedUntil: number
}
/** Longer than a look takes. */
const AWAITED_MS = 150

/** Wakes one idle worker for a job: were all woken, all but one would look in vain. Where none is idle, all look next. */
function wakeOne(workers: readonly Worker[], notify: (id: string) => void): void {
  const now = performance.now()
  const idle = workers.find(({ isBusy, awaitedUntil }) => !isBusy && awaitedUntil <= now)
  if (idle) idle.awaitedUntil = now + AWAITED_MS
  for (const { id } of idle ? [idle] : workers) notify(id)
}

const within = (db: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => db.$client.query<never>(text, values),
})

export function createQueue(databaseUrl: string, log: Logger): Queue {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    max: 4,
    schema: 'pgboss',
    application_name: 'qatra-jobs',
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue error'))
  /** Declared, and not started yet. */
  const queues: Worked[] = []
  let isStarted = false
  let starting = Promise.resolve()

  /** One call for each worker, since only the first of a group could be woken by its id. */
  async function startWorker({ name, options, work, isTogether }: Worked): Promise<Worker> {
    const batchSize = options.batch ?? 1
    const pollingIntervalSeconds = isByClock(options) ? SECONDS_BY_CLOCK : 2
    const settings = { pollingIntervalSeconds, includeMetadata: true, perJobResults: true, batchSize } as const
    const worker: Worker = { id: '', isBusy: false, awaitedUntil: 0 }
    worker.id = await boss.work<object, unknown, typeof settings>(name, settings, async (taken) => {
      Object.assign(worker, { isBusy: true, awaitedUntil: 0 })
      // They are taken in no order; what happened first is worked on first.
      const jobs = taken.toSorted((a, b) => a.createdOn.getTime() - b.createdOn.getTime())
      // Where there were as many as may be taken there may be more: the next look comes at once, not at the next poll.
      if (jobs.length === batchSize) boss.notifyWorker(worker.id)
      try {
        return await (isTogether ? settle(jobs, work) : settleEach(jobs, work))
      } finally {
        worker.isBusy = false
      }
    })
    return worker
  }

  async function startOne(worked: Worked) {
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
    const workers = Array.from({ length: options.concurrency ?? (isByClock(options) ? 1 : 2) }, () =>
      startWorker(worked),
    )
    const started = await Promise.all(workers)
    const woken = options.isUrgent ? started : started.slice(0, options.batch ? 0 : 1)
    const wake = () => wakeOne(woken, (id) => boss.notifyWorker(id))
    onWake(name, options.gatherMs ? paced(wake, options.gatherMs) : wake)
    if (options.every) await boss.schedule(name, options.every, {}, { tz: 'Asia/Bahrain' })
  }

  function declare(worked: Worked) {
    queues.push(worked)
    for (const event of worked.options.on ?? []) subscribe(event, worked.name, worked.options.wants)
  }

  async function startDeclared() {
    if (!isStarted) {
      await boss.start()
      await boss.createQueue(deadLetterQueue)
      isStarted = true
    }
    for (let [queue] = queues; queue; [queue] = queues) {
      await startOne(queue)
      // Only now: what could not be started is there for the next start.
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
      // One after the other: who starts what was declared later may come while the first start is under way.
      starting = starting.then(startDeclared, startDeclared)
      return starting
    },
    stop: () => boss.stop({ graceful: true, timeout: 8_000 }),
  }
}
