import { storedHeadingOf } from '@qatra/contract/media'
import type { TemplatePart } from '@qatra/contract/whatsapp/templates/template-values'
import { type Db, run, statement } from '../database/db.ts'
import type { ServedFile } from '../http/serve-file.ts'

interface StoredFile extends Pick<ServedFile, 'mimeType' | 'size' | 'shownAs' | 'isPublic'> {
  sha256: string
}

const pieceSql = statement(
  'media-piece',
  'select substring(bytes from $2 for $3) as piece from media where sha256 = $1',
)

/** A stored file that the caller has authorized, read in pieces. */
export const servedMedia = (db: Db, { sha256, ...file }: StoredFile): ServedFile => ({
  ...file,
  tag: sha256.slice(0, 22),
  async read(from, to) {
    const [found] = await run<{ piece: Buffer }>(db, pieceSql, [sha256, from + 1, to - from])
    return found?.piece ?? null
  },
})

const bytesSql = statement('media-bytes', 'select bytes, mime_type as "mimeType" from media where sha256 = $1')

/** A whole file that the caller has authorized; null if it was deleted. */
export async function readMedia(db: Db, sha256: string): Promise<{ bytes: Buffer; mimeType: string } | null> {
  const [row] = await run<{ bytes: Buffer; mimeType: string }>(db, bytesSql, [sha256])
  return row ?? null
}

const publicSql = statement(
  'media-public',
  `select mime_type, octet_length(bytes) as size from media where sha256 = $1 and public_until is not null`,
)

/** The picture or PDF at `/media/{sha256}`; null if there is none, also for private files. */
export async function findPublicMedia(db: Db, sha256: string): Promise<ServedFile | null> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return null
  const [row] = await run<{ mime_type: string; size: number }>(db, publicSql, [sha256])
  if (!row) return null
  const shownAs = row.mime_type.startsWith('image/') ? 'inline' : { saved: 'qatra.pdf' }
  return servedMedia(db, { sha256, mimeType: row.mime_type, size: row.size, shownAs, isPublic: true })
}

const headingSql = statement(
  'media-heading',
  'select 1 from media where sha256 = $1 and public_until is not null and mime_type = $2 for key share',
)

/**
 * Whether the file of a heading is still stored; one of another site always is. It is not purged before the transaction
 * ends.
 */
export async function isHeadingStored(db: Db, part: TemplatePart, address: string): Promise<boolean> {
  const sha256 = storedHeadingOf(address)
  const mimeType = part === 'document' ? 'application/pdf' : 'image/jpeg'
  return sha256 === null || (await run(db, headingSql, [sha256, mimeType])).length === 1
}
