import { type Db, run, statement } from '../database/db.ts'

const mediaSql = statement('media', 'select bytes from media where sha256 = $1')
// Uploads of older versions are named by the first 40 digits of the hash.
const olderSql = statement('media-older', `select bytes from media where sha256 >= $1 and sha256 < $1 || 'g' limit 1`)

/** Contents of `/media/{name}`; null if there is no such picture. */
export async function findMedia(db: Db, name: string): Promise<Buffer | null> {
  const sha256 = /^[0-9a-f]{64}$/.exec(name)?.[0]
  const older = /^([0-9a-f]{40})\.webp$/.exec(name)?.[1]
  const found = sha256
    ? await run<{ bytes: Buffer }>(db, mediaSql, [sha256])
    : older
      ? await run<{ bytes: Buffer }>(db, olderSql, [older])
      : []
  return found[0]?.bytes ?? null
}
