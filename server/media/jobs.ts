import { PICTURE_BYTES } from '@qatra/contract/products/admin'
import type { Db } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { safeFetch } from '../lib/safe-fetch.ts'
import {
  claimRemotePicture,
  collectRemotePictures,
  MAX_ATTEMPTS,
  recordFailedPicture,
  storeRemotePicture,
} from './commands.ts'

const WITHIN_MS = 10_000
/** Limit of one run; the job runs every minute. */
const MAX_PICTURES = 50

type Fetch = (url: string, limits: { maxBytes: number; signal: AbortSignal }) => ReturnType<typeof safeFetch>

/** Replaces addresses in a feature's rows by the pictures that were fetched from them. */
type ShowFetched = (db: Db) => Promise<unknown>

/** Fetches the external pictures of products and vendors once each, one at a time. */
export function mediaJobs(app: App, showFetched: readonly ShowFetched[]) {
  app.queue.handle('fetch-pictures', { concurrency: 1, expireInSeconds: 900 }, () => fetchPictures(app, showFetched))
}

export async function fetchPictures(
  { db, log }: Pick<App, 'db' | 'log'>,
  showFetched: readonly ShowFetched[],
  fetch: Fetch = safeFetch,
): Promise<void> {
  const show = async () => {
    for (const feature of showFetched) await feature(db)
  }
  for (let count = 0; count < MAX_PICTURES; count += 1) {
    await collectRemotePictures(db)
    await show()
    const claimed = await claimRemotePicture(db)
    if (!claimed) return
    const { url, attempts } = claimed
    // More attempts than recorded failures: the picture stopped the process each time.
    if (attempts > MAX_ATTEMPTS) {
      await recordFailedPicture(db, url, 'broken', attempts)
      continue
    }
    const answer = await fetch(url, { maxBytes: PICTURE_BYTES, signal: AbortSignal.timeout(WITHIN_MS) })
    const problem = 'problem' in answer ? answer.problem : await storeRemotePicture(db, url, answer.bytes)
    if (problem === null) {
      await show()
      continue
    }
    await recordFailedPicture(db, url, problem, attempts)
    log.info({ problem, attempts }, 'external picture not stored')
  }
}
