import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instant } from './lib/ids.ts'
import { page, pageQuery } from './lib/page.ts'

/** Maximum number of jobs per call. Call again if more jobs failed. */
export const MOST_JOBS_AT_ONCE = 1_000

export const queueFigures = z.object({
  /** Name of the queue in the code: `send-code`. */
  name: z.string(),
  /** Unfinished jobs: waiting, delayed and active. */
  depth: z.number(),
  /** Ready to run. */
  waiting: z.number(),
  /** Delayed, or waiting for the next attempt. */
  later: z.number(),
  active: z.number(),
  /** Failed permanently and still stored. */
  failed: z.number(),
  /** Seconds for which the oldest waiting job has been ready to run; null if none waits. */
  oldestSeconds: z.nullable(z.number()),
  /** Completed in the last hour. */
  doneLastHour: z.number(),
  lastDoneAt: z.nullable(instant),
})
export type QueueFigures = z.output<typeof queueFigures>

export const listQueues = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  allow: 'super',
  permissions: ['jobs.read'],
  summary: 'Job queues with their counts',
  returns: z.object({ queues: z.array(queueFigures), now: instant }),
})

export const failedJob = z.object({
  id: z.string(),
  queue: z.string(),
  createdAt: instant,
  failedAt: instant,
  tries: z.number(),
  /** The error, without personal data. */
  reason: z.object({ type: z.nullable(z.string()), code: z.nullable(z.string()), message: z.string() }),
  /** Job data: numbers and ids only; other values are masked. */
  payload: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type FailedJob = z.output<typeof failedJob>

const queueName = z.string().check(z.regex(/^[\w.-]{1,100}$/))

export const listFailedJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs/failed',
  allow: 'super',
  permissions: ['jobs.read'],
  summary: 'Failed jobs, newest first',
  query: z.object({ ...pageQuery.shape, queue: z.optional(queueName) }),
  returns: page(failedJob),
})

const choice = z.object({
  queue: queueName,
  /** All failed jobs of the queue if omitted. */
  ids: z.optional(z.array(z.uuid()).check(z.minLength(1), z.maxLength(100))),
})
const acting = {
  method: 'POST',
  allow: 'super',
  permissions: ['jobs.write'],
  body: choice,
  returns: z.object({ changed: z.number() }),
  errors: ['QUEUE_NOT_FOUND'],
} as const

export const retryJobs = endpoint({
  ...acting,
  path: '/api/admin/jobs/retry',
  summary: 'Retry failed jobs; skips jobs that are no longer failed',
})

export const discardJobs = endpoint({
  ...acting,
  path: '/api/admin/jobs/discard',
  summary: 'Delete failed jobs',
})
