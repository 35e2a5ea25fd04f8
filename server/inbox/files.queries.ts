import { type Db, run, statement } from '../database/db.ts'
import type { ServedFile } from '../http/serve-file.ts'
import { AppError } from '../lib/errors.ts'
import { safeFileName } from '../lib/file-name.ts'
import { endingOf, isFileType, kindOf } from './file-kind.ts'

export interface FileToFetch {
  mediaId: string
  messageType: string
  /** Bytes fetched for the contact within a day, including failed attempts. */
  bytesOfDay: number
}

const waitingSql = statement(
  'message-file-waiting',
  `select m.payload ->> 'mediaId' as media_id, m.message_type,
     (select coalesce(sum(o.size), 0)::float8 from message_files o join whatsapp_messages om on om.id = o.message_id
      where om.contact_id = m.contact_id and (o.bytes is not null or o.problem = 'kind')
        and o.created_at > now() - interval '1 day') as bytes_of_day
   from whatsapp_messages m left join message_files f on f.message_id = m.id
   where m.id = $1 and m.direction = 'incoming' and m.channel = 'whatsapp'
     and m.message_type in ('audio', 'video', 'document') and m.payload ->> 'mediaId' <> ''
     and f.bytes is null and f.problem is null
     and not exists (select from message_pictures p where p.message_id = m.id)`,
)

/** The file to request from the provider; null if it is stored or cannot be fetched. */
export async function findFileToFetch({ db }: { db: Db }, messageId: number): Promise<FileToFetch | null> {
  const [row] = await run<{ media_id: string; message_type: string; bytes_of_day: number }>(db, waitingSql, [messageId])
  return row ? { mediaId: row.media_id, messageType: row.message_type, bytesOfDay: row.bytes_of_day } : null
}

const keptSql = statement(
  'message-file',
  `select f.mime_type, f.size, m.payload ->> 'filename' as name from message_files f
   join whatsapp_messages m on m.id = f.message_id where f.message_id = $1 and f.bytes is not null`,
)
const pieceSql = statement(
  'message-file-piece',
  `select substring(bytes from $2 for $3) as piece from message_files where message_id = $1 and bytes is not null`,
)

/** @throws MESSAGE_NOT_FOUND if the message has no stored file */
export async function requireMessageFile({ db }: { db: Db }, messageId: number): Promise<ServedFile> {
  const [row] = await run<{ mime_type: string; size: number; name: string | null }>(db, keptSql, [messageId])
  if (!row || !isFileType(row.mime_type)) throw new AppError('MESSAGE_NOT_FOUND')
  const { mime_type: mimeType, size, name } = row
  const saved = safeFileName(name, `whatsapp-${messageId}`, endingOf(mimeType))
  return {
    ...{ mimeType, size },
    shownAs: kindOf(mimeType) === 'document' ? { saved } : 'inline',
    tag: `${messageId}-${size}`,
    async read(from, to) {
      const [found] = await run<{ piece: Buffer }>(db, pieceSql, [messageId, from + 1, to - from])
      return found?.piece ?? null
    },
  }
}
