import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureProblem } from '@qatra/contract/media'
import { PICTURE_BYTES } from '@qatra/contract/products-office'
import type { UploadedFile } from '@qatra/contract/upload'
import type { Ctx } from '../platform/context.ts'
import { type Db, run, statement } from '../platform/db.ts'
import { AppError } from '../platform/errors.ts'
import { createGate } from '../platform/render-gate.ts'
import { wordsIn } from '../platform/words.ts'
import { type Picture, remakePicture } from './picture.ts'

/** One at a time: what a picture takes while it is unfolded is bounded for the whole process. */
const inTurn = createGate({ atOnce: 1, waiting: 20 })

const storeSql = statement(
  'media-store',
  'insert into media (sha256, bytes, width, height) values ($1, $2, $3, $4) on conflict do nothing',
)

/** Keeps a picture under the hash of its contents: the same one twice is one row. */
async function storePicture(db: Db, { bytes, width, height }: Picture): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await run(db, storeSql, [sha256, bytes, width, height])
  return sha256
}

/** @throws PICTURE_REFUSED */
export async function keepPicture({ actor, db }: Ctx, { bytes }: UploadedFile) {
  const refuse = (problem: string) =>
    new AppError('PICTURE_REFUSED', { problem, fields: { file: wordsIn(actor.lang)(`media.${problem}`) } })
  if (bytes.length > PICTURE_BYTES) throw new AppError('TOO_LARGE')
  const picture = await inTurn(() => remakePicture(bytes))
  if (typeof picture === 'string') throw refuse(picture)
  const { width, height } = picture
  return { url: `/media/${await storePicture(db, picture)}`, width, height }
}

const collectSql = statement('remote-pictures-collect', 'select collect_remote_pictures()')
// Whoever dies on the way is followed by another five minutes later.
const claimSql = statement(
  'remote-picture-claim',
  `update remote_pictures set attempts = attempts + 1, next_attempt_at = now() + interval '5 minutes'
   where url = (select url from remote_pictures where status = 'waiting' and next_attempt_at <= now()
     order by next_attempt_at limit 1 for update skip locked)
   returning url, attempts`,
)

/** Addresses that are new, and those that were fetched before, find their place; answers one that is due. */
export async function claimRemotePicture(db: Db): Promise<{ url: string; attempts: number } | null> {
  await run(db, collectSql)
  const [row] = await run<{ url: string; attempts: number }>(db, claimSql)
  return row ?? null
}

const fetchedSql = statement(
  'remote-picture-fetched',
  `update remote_pictures set status = 'fetched', sha256 = $2, problem = null where url = $1`,
)

/** Re-encodes what was fetched and puts it in the place of its address; answers the problem of what is no picture. */
export async function takeOverPicture(db: Db, url: string, bytes: Buffer): Promise<PictureProblem | null> {
  const picture = await inTurn(() => remakePicture(bytes))
  if (typeof picture === 'string') return picture
  // A crash between these leaves an address that is fetched again, or collected in the next minute.
  await run(db, fetchedSql, [url, await storePicture(db, picture)])
  await run(db, collectSql)
  return null
}

const MOST_ATTEMPTS = 4
const failedSql = statement(
  'remote-picture-failed',
  `update remote_pictures set problem = $2, status = case when $3 then 'waiting' else 'failed' end,
     next_attempt_at = now() + $4 * interval '1 minute'
   where url = $1 and status = 'waiting'`,
)

/** A server that is away may come back: after 1, 10 and 100 minutes. The other problems stay. */
export async function noteFailedPicture(db: Db, url: string, problem: PictureProblem, attempts: number): Promise<void> {
  const isTemporary = problem === 'unreachable' || problem === 'status'
  await run(db, failedSql, [url, problem, isTemporary && attempts < MOST_ATTEMPTS, 10 ** (attempts - 1)])
}

const retrySql = statement(
  'remote-picture-retry',
  `update remote_pictures set status = 'waiting', attempts = 0, next_attempt_at = now()
   where url = $1 and status <> 'fetched'`,
)
export const retryRemotePicture = ({ db }: Ctx, url: string) => run(db, retrySql, [url])

/** Names that older versions gave; whatever else lies in the folder is left alone. */
const older = /^[0-9a-f]{40}\.webp$/

/** Uploads of older versions move from their folder into the database; a file goes once its row is there. */
export async function importMediaFolder(db: Db, dataDir: string): Promise<number> {
  const folder = join(dataDir, 'media')
  const names = (await readdir(folder).catch(() => [])).filter((name) => older.test(name))
  if (names.length === 0) return 0
  const { default: sharp } = await import('sharp')
  for (const name of names) {
    const bytes = await readFile(join(folder, name))
    const { width, height } = await sharp(bytes).metadata()
    const sha256 = await storePicture(db, { bytes, width, height })
    if (sha256.startsWith(name.slice(0, 40))) await rm(join(folder, name))
  }
  return names.length
}
