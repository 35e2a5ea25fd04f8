import { createHash } from 'node:crypto'
import { cut } from '@qatra/contract/lib/fit'
import type { UploadedFile } from '@qatra/contract/lib/upload'
import { type PictureProblem, shownPicture } from '@qatra/contract/media'
import { PICTURE_BYTES } from '@qatra/contract/products/admin'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { translatorFor } from '../lib/translate.ts'
import { type FileType, fileTypeOf } from './file-kind.ts'
import { type Picture, reencodePicture } from './picture.ts'

const PDF = 'application/pdf'
/** Characters; encoded, the address stays below the limit of a value. */
const LONGEST_NAME = 70

/** A file to store, after its type was checked by contents. */
export interface NewMedia {
  bytes: Buffer
  mimeType: FileType | Picture['mimeType']
  /** Of pictures. */
  width?: number
  height?: number
}

// The update locks an existing row until the end of the transaction, so that it is not deleted as unused before then.
const storeSql = statement(
  'media-store',
  `insert into media (sha256, bytes, mime_type, width, height, public_until)
   values ($1, $2, $3, $4, $5, case when $6 then now() + interval '7 days' end)
   on conflict (sha256) do update set public_until = greatest(media.public_until, excluded.public_until)`,
)

/** Stores a file under the hash of its contents; equal files share a row. A public file stays public. */
export async function storeMedia(db: Db, file: NewMedia, visibility: 'public' | 'private'): Promise<string> {
  const { bytes, mimeType, width = null, height = null } = file
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await run(db, storeSql, [sha256, bytes, mimeType, width, height, visibility === 'public'])
  return sha256
}

// Waits for a purge of the picture; the lock keeps a later one from deleting it.
const missingSql = statement(
  'media-missing',
  `select url from unnest($1::text[]) url where not exists (
     select from media where sha256 = substr(url, 8) and public_until is not null for key share)`,
)

/** The addresses of stored pictures that do not exist. The others are not purged before the transaction ends. */
export async function missingPictures(db: Db, urls: readonly (string | null)[]): Promise<ReadonlySet<string>> {
  const own = urls.filter((url) => shownPicture(url) !== null)
  const rows = own.length > 0 ? await run<{ url: string }>(db, missingSql, [own]) : []
  return new Set(rows.map(({ url }) => url))
}

/** Locks a picture that is saved as `field`. @throws INVALID_BODY if it was purged */
export async function requirePicture(ctx: Ctx, field: string, url: string | null | undefined): Promise<void> {
  if (!url || (await missingPictures(ctx.db, [url])).size === 0) return
  throw invalidFields(ctx, { [field]: 'validation.pictureGone' })
}

/** @throws PICTURE_REFUSED */
export async function storeUpload({ actor, db }: Ctx, { bytes }: UploadedFile) {
  const refuse = (problem: string) =>
    new AppError('PICTURE_REFUSED', { problem, fields: { file: translatorFor(actor.lang)(`media.${problem}`) } })
  if (bytes.length > PICTURE_BYTES) throw new AppError('TOO_LARGE')
  const picture = await reencodePicture(bytes)
  if (typeof picture === 'string') throw refuse(picture)
  const { width, height } = picture
  return { url: `/media/${await storeMedia(db, picture, 'public')}`, width, height }
}

/** A file that WhatsApp takes for the heading of a template: a PDF as it is, a picture as JPEG. @throws FILE_REFUSED */
export async function headingFile({ actor }: Pick<Ctx, 'actor'>, given: Uint8Array): Promise<NewMedia> {
  const bytes = Buffer.from(given)
  if (fileTypeOf(bytes) === PDF) return { bytes, mimeType: PDF }
  const picture = await reencodePicture(bytes, 'image/jpeg')
  if (typeof picture !== 'string') return picture
  const text = translatorFor(actor.lang)(picture === 'kind' ? 'media.headingKind' : `media.${picture}`)
  throw new AppError('FILE_REFUSED', { problem: picture, fields: { file: text } })
}

/** Stores the file of a heading where WhatsApp can fetch it. @throws FILE_REFUSED */
export async function storeHeading(ctx: Ctx, { bytes, name }: UploadedFile): Promise<{ url: string }> {
  const file = await headingFile(ctx, bytes)
  const url = `/media/${await storeMedia(ctx.db, file, 'public')}`
  const shown = file.mimeType === PDF && name ? encodeURIComponent(cut(name.toWellFormed(), LONGEST_NAME)) : ''
  return { url: shown === '' ? url : `${url}?name=${shown}` }
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

/** Collects new addresses. */
export const collectRemotePictures = (db: Db) => run(db, collectSql)

/** Claims an address that is due. */
export async function claimRemotePicture(db: Db): Promise<{ url: string; attempts: number } | null> {
  const [row] = await run<{ url: string; attempts: number }>(db, claimSql)
  return row ?? null
}

const fetchedSql = statement(
  'remote-picture-fetched',
  `update remote_pictures set status = 'fetched', sha256 = $2, problem = null where url = $1`,
)

/** Stores the re-encoded picture. Returns the problem if the bytes are not a valid picture. */
export async function storeRemotePicture(db: Db, url: string, bytes: Buffer): Promise<PictureProblem | null> {
  const picture = await reencodePicture(bytes)
  if (typeof picture === 'string') return picture
  // After a crash between these statements the next run fetches again.
  await run(db, fetchedSql, [url, await storeMedia(db, picture, 'public')])
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
