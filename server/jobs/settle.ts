import type { JobResult } from 'pg-boss'
import { describeError } from '../lib/logger.ts'

export interface Job<Data> {
  id: string
  data: Data
  retryCount: number
}

export type Work = (jobs: Job<never>[]) => Promise<void>

type Fetched = { id: string; data: object; retryCount: number }

/** Handles the jobs in one call; if it fails, each alone. */
export async function settle(fetched: readonly Fetched[], work: Work): Promise<JobResult[]> {
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

/** Handles one job after the other, each with its own result. */
export async function settleEach(fetched: readonly Fetched[], work: Work): Promise<JobResult[]> {
  const results: JobResult[] = []
  for (const job of fetched) results.push(...(await settle([job], work)))
  return results
}
