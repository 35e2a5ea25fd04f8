import { type Db, run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'

const waitingSql = statement(
  'message-picture-waiting',
  `select payload ->> 'mediaId' as media_id from whatsapp_messages m
   where id = $1 and direction = 'incoming' and channel = 'whatsapp' and message_type in ('image', 'sticker')
     and not exists (select from message_pictures p where p.message_id = m.id)`,
)

/** Provider's id of a picture that is not stored yet; null if there is none. */
export async function findPictureToFetch({ db }: { db: Db }, messageId: number): Promise<string | null> {
  const [row] = await run<{ media_id: string | null }>(db, waitingSql, [messageId])
  return row?.media_id ?? null
}

const bytesSql = statement('message-picture', 'select bytes from message_pictures where message_id = $1')

/** @throws MESSAGE_NOT_FOUND if the message has no stored picture */
export async function requireMessagePicture({ db }: { db: Db }, messageId: number): Promise<Buffer> {
  const [row] = await run<{ bytes: Buffer }>(db, bytesSql, [messageId])
  if (!row) throw new AppError('MESSAGE_NOT_FOUND')
  return row.bytes
}
