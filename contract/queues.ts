import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { instant } from './ids.ts'
import { page, pageQuery } from './page.ts'

/** How many are changed by one call; where more failed, it is called again. */
export const MOST_JOBS_AT_ONCE = 1_000

export const queueFigures = z.object({
  /** As the code calls it: `send-code`. */
  name: z.string(),
  /** Not done yet: waiting, put off and active together. */
  depth: z.number(),
  /** Could be worked on now. */
  waiting: z.number(),
  /** To be worked on at a later time: put off, or waiting for its next try. */
  later: z.number(),
  active: z.number(),
  /** Failed for good, and still kept. */
  failed: z.number(),
  /** Seconds for which the oldest waiting one could have been worked on; null where none waits. */
  oldestSeconds: z.nullable(z.number()),
  /** Done in the last hour. */
  doneLastHour: z.number(),
  lastDoneAt: z.nullable(instant),
})
export type QueueFigures = z.output<typeof queueFigures>

export const listQueues = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  allow: 'super',
  permissions: ['jobs.read'],
  summary: 'Queues of background work with their figures',
  returns: z.object({ queues: z.array(queueFigures), now: instant }),
})

export const failedJob = z.object({
  id: z.string(),
  queue: z.string(),
  createdAt: instant,
  failedAt: instant,
  tries: z.number(),
  /** Why, without anything personal. */
  reason: z.object({ type: z.nullable(z.string()), code: z.nullable(z.string()), message: z.string() }),
  /** What it was about: numbers and ids; everything else is blotted out. */
  payload: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type FailedJob = z.output<typeof failedJob>

const queueName = z.string().check(z.regex(/^[\w.-]{1,100}$/))

export const listFailedJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs/failed',
  allow: 'super',
  permissions: ['jobs.read'],
  summary: 'Work that failed for good, the newest first',
  query: z.object({ ...pageQuery.shape, queue: z.optional(queueName) }),
  returns: page(failedJob),
})

const choice = z.object({
  queue: queueName,
  /** All that failed in the queue where none are named. */
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
  summary: 'Work on failed jobs once more; those that no longer stand as failed are left',
})

export const discardJobs = endpoint({
  ...acting,
  path: '/api/admin/jobs/discard',
  summary: 'Throw failed jobs away',
})
