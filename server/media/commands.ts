import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureProblem } from '@qatra/contract/media'
import { PICTURE_BYTES } from '@qatra/contract/products-admin'
import type { UploadedFile } from '@qatra/contract/upload'
import type { Logger } from 'pino'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts'
import { AppError } from '../lib/errors.ts'
import { translatorFor } from '../lib/translate.ts'
import { type Picture, reencodePicture } from './picture.ts'

/** One at a time, to bound the memory of decoding. */
const inTurn = createConcurrencyLimit({ atOnce: 1, waiting: 20 })

const storeSql = statement(
  'media-store',
  'insert into media (sha256, bytes, width, height) values ($1, $2, $3, $4) on conflict do nothing',
)

/** Stores a picture under the hash of its contents; identical pictures share a row. */
async function storePicture(db: Db, { bytes, width, height }: Picture): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await run(db, storeSql, [sha256, bytes, width, height])
  return sha256
}

/** @throws PICTURE_REFUSED */
export async function storeUpload({ actor, db }: Ctx, { bytes }: UploadedFile) {
  const refuse = (problem: string) =>
    new AppError('PICTURE_REFUSED', { problem, fields: { file: translatorFor(actor.lang)(`media.${problem}`) } })
  if (bytes.length > PICTURE_BYTES) throw new AppError('TOO_LARGE')
  const picture = await inTurn(() => reencodePicture(bytes))
  if (typeof picture === 'string') throw refuse(picture)
  const { width, height } = picture
  return { url: `/media/${await storePicture(db, picture)}`, width, height }
}

const collectSql = statement('remote-pictures-collect', 'select collect_remote_pictures()')
// If the process dies while fetching, the address is due again after five minutes.
const claimSql = statement(
  'remote-picture-claim',
  `update remote_pictures set attempts = attempts + 1, next_attempt_at = now() + interval '5 minutes'
   where url = (select url from remote_pictures where status = 'waiting' and next_attempt_at <= now()
     order by next_attempt_at limit 1 for update skip locked)
   returning url, attempts`,
)

/** Collects new addresses, replaces those already fetched, and claims one that is due. */
export async function claimRemotePicture(db: Db): Promise<{ url: string; attempts: number } | null> {
  await run(db, collectSql)
  const [row] = await run<{ url: string; attempts: number }>(db, claimSql)
  return row ?? null
}

const fetchedSql = statement(
  'remote-picture-fetched',
  `update remote_pictures set status = 'fetched', sha256 = $2, problem = null where url = $1`,
)

/** Stores the re-encoded picture and replaces its address. Returns the problem if the bytes are not a valid picture. */
export async function storeRemotePicture(db: Db, url: string, bytes: Buffer): Promise<PictureProblem | null> {
  const picture = await inTurn(() => reencodePicture(bytes))
  if (typeof picture === 'string') return picture
  // After a crash between these statements the next runs fetch again or replace the address.
  await run(db, fetchedSql, [url, await storePicture(db, picture)])
  await run(db, collectSql)
  return null
}

export const MAX_ATTEMPTS = 4
const failedSql = statement(
  'remote-picture-failed',
  `update remote_pictures set problem = $2, status = case when $3 then 'waiting' else 'failed' end,
     next_attempt_at = now() + $4 * interval '1 minute'
   where url = $1 and status = 'waiting'`,
)

/** Retries an unavailable server after 1, 10 and 100 minutes. Other problems are final. */
export async function recordFailedPicture(
  db: Db,
  url: string,
  problem: PictureProblem,
  attempts: number,
): Promise<void> {
  const isTemporary = problem === 'unreachable' || problem === 'status'
  await run(db, failedSql, [url, problem, isTemporary && attempts < MAX_ATTEMPTS, 10 ** (attempts - 1)])
}

const retrySql = statement(
  'remote-picture-retry',
  `update remote_pictures set status = 'waiting', attempts = 0, next_attempt_at = now()
   where url = $1 and status <> 'fetched'`,
)
export const retryRemotePicture = ({ db }: Ctx, url: string) => run(db, retrySql, [url])

/** File names of uploads by older versions; other files in the folder are ignored. */
const older = /^[0-9a-f]{40}\.webp$/

/**
 * Moves uploads of older versions from their folder into the database. Deletes a file after its row is stored; a file that
 * is not readable as a picture stays. Returns the number of stored files.
 */
export async function importMediaFolder(db: Db, dataDir: string, log: Pick<Logger, 'warn'>): Promise<number> {
  const folder = join(dataDir, 'media')
  const names = (await readdir(folder).catch(() => [])).filter((name) => older.test(name))
  if (names.length === 0) return 0
  const { default: sharp } = await import('sharp')
  let stored = 0
  for (const name of names) {
    const bytes = await readFile(join(folder, name))
    // `sharp` itself throws on an empty file.
    const size = await (async () => sharp(bytes).metadata())().catch(() => null)
    if (size === null) {
      log.warn({ name }, 'uploaded picture not imported')
      continue
    }
    const { width, height } = size
    const sha256 = await storePicture(db, { bytes, width, height })
    if (sha256.startsWith(name.slice(0, 40))) await rm(join(folder, name))
    stored += 1
  }
  return stored
}
