import type { FileProblem, MessageFile, MessageParts } from '@qatra/contract/whatsapp/inbox/message'
import { typesWithFile } from '../conversations/received.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { ServedFile } from '../http/serve-file.ts'
import { AppError } from '../lib/errors.ts'
import { safeFileName } from '../lib/file-name.ts'
import { endingOf, type FileType, isFileType, kindOf } from '../media/file-kind.ts'
import { servedMedia } from '../media/queries.ts'

export interface FileToFetch {
  mediaId: string
  messageType: string
  isOwn: boolean
  /** Bytes fetched for the contact within a day, including failed attempts. */
  bytesOfDay: number
}

const waitingSql = statement(
  'message-file-waiting',
  `select m.payload ->> 'mediaId' as media_id, m.message_type, m.direction = 'outgoing' as is_own,
     (select coalesce(sum(o.size), 0)::float8 from message_files o join whatsapp_messages om on om.id = o.message_id
      where om.contact_id = m.contact_id and (o.sha256 is not null or o.problem in ('kind', 'broken'))
        and o.created_at > now() - interval '1 day') as bytes_of_day
   from whatsapp_messages m left join message_files f on f.message_id = m.id
   where m.id = $1 and (m.direction = 'incoming' or m.sent_by_type = 'phone') and m.channel = 'whatsapp'
     and m.message_type = any($2) and m.payload ->> 'mediaId' <> '' and f.sha256 is null and f.problem is null`,
)

/** The file to request from the provider; null if it is stored or cannot be fetched. */
export async function findFileToFetch({ db }: { db: Db }, messageId: number): Promise<FileToFetch | null> {
  const [row] = await run<{ media_id: string; message_type: string; is_own: boolean; bytes_of_day: number }>(
    db,
    waitingSql,
    [messageId, typesWithFile],
  )
  if (!row) return null
  const { media_id: mediaId, message_type: messageType, is_own: isOwn, bytes_of_day: bytesOfDay } = row
  return { mediaId, messageType, isOwn, bytesOfDay }
}

const voiceSql = statement(
  'message-voice',
  `select b.bytes, b.mime_type, f.seconds from message_files f
   join media b using (sha256) join whatsapp_messages m on m.id = f.message_id
   where f.message_id = $1 and m.direction = 'incoming' and not m.payload ? 'transcript'`,
)

interface Voice {
  bytes: Buffer
  mimeType: FileType
  /** Null if the file does not tell. */
  seconds: number | null
}

/** The stored sound of a customer's message whose words are not known. */
export async function findVoice({ db }: { db: Db }, messageId: number): Promise<Voice | null> {
  const [row] = await run<{ bytes: Buffer; mime_type: string; seconds: number | null }>(db, voiceSql, [messageId])
  return row && isFileType(row.mime_type) ? { bytes: row.bytes, mimeType: row.mime_type, seconds: row.seconds } : null
}

const storedSql = statement(
  'message-file',
  `select b.sha256, b.mime_type, octet_length(b.bytes) as size, m.payload ->> 'filename' as name from message_files f
   join media b using (sha256) join whatsapp_messages m on m.id = f.message_id where f.message_id = $1`,
)
interface Stored {
  sha256: string
  mime_type: string
  size: number
  name: string | null
}

/** @throws MESSAGE_NOT_FOUND if the message has no stored picture */
export async function requireMessagePicture({ db }: { db: Db }, messageId: number): Promise<ServedFile> {
  const [row] = await run<Stored>(db, storedSql, [messageId])
  if (row?.mime_type !== 'image/webp') throw new AppError('MESSAGE_NOT_FOUND')
  const { sha256, mime_type: mimeType, size } = row
  return servedMedia(db, { sha256, mimeType, size, shownAs: 'inline', isPublic: false })
}

/** @throws MESSAGE_NOT_FOUND if the message has no stored file, or a picture */
export async function requireMessageFile({ db }: { db: Db }, messageId: number): Promise<ServedFile> {
  const [row] = await run<Stored>(db, storedSql, [messageId])
  if (!row || !isFileType(row.mime_type)) throw new AppError('MESSAGE_NOT_FOUND')
  const { sha256, mime_type: mimeType, size, name } = row
  const saved = safeFileName(name, `whatsapp-${messageId}`, endingOf(mimeType))
  const shownAs = kindOf(mimeType) === 'document' ? { saved } : 'inline'
  return servedMedia(db, { sha256, mimeType, size, shownAs, isPublic: false })
}

/** Limit of file contents per export, in bytes; files beyond it are exported as metadata only. */
const MAX_EXPORTED_BYTES = 2 * 1024 * 1024

const exportSql = statement(
  'files-of-person',
  `select message_id as "messageId", mime_type as "mimeType", size, seconds, created_at as "createdAt",
     case when sum(size) over (order by message_id desc) <= $3 then encode(bytes, 'base64') end as base64
   from (
     select f.message_id, b.mime_type, f.size, f.seconds, f.created_at, b.bytes
     from message_files f join media b using (sha256) join whatsapp_messages m on m.id = f.message_id
     where m.contact_id = (select id from contacts where phone = $1) order by 1 desc limit $2
   ) newest order by message_id desc`,
)

/** For the export of personal data. */
export const exportFiles = (db: Db, phone: string, maxRows: number) =>
  run<object>(db, exportSql, [phone, maxRows, MAX_EXPORTED_BYTES])

interface Found {
  isKept: boolean
  mimeType: string | null
  size: number | null
  seconds: number | null
  problem: FileProblem | null
}

interface Carrying {
  direction: 'incoming' | 'outgoing'
  channel: string
  messageType: string
  sentByType: string
  payload: unknown
}

/** After this long the fetching job has given up. */
const MAX_FETCH_SECONDS = 15 * 60
/** Meta stores customers' files for 30 days. */
const KEPT_SECONDS = 30 * 86_400

/**
 * State of a message's file, `age` seconds after it was requested; null for messages without a file and channels that
 * provide none.
 */
export function fileOf(message: Carrying, found: Found | null, age: number): Pick<MessageParts, 'file'> {
  if (message.channel !== 'whatsapp' || !typesWithFile.includes(message.messageType)) return {}
  // Replies have their file from the start.
  const isFetched = message.direction === 'incoming' || message.sentByType === 'phone'
  if (!isFetched) return found?.isKept ? { file: stateOf(found, age) } : {}
  return { file: stateOf(found ?? (hasMedia(message.payload) ? nothing : { ...nothing, problem: 'gone' }), age) }
}

const hasMedia = (payload: unknown) =>
  typeof payload === 'object' && payload !== null && 'mediaId' in payload && Boolean(payload.mediaId)

const nothing: Found = { isKept: false, mimeType: null, size: null, seconds: null, problem: null }

function stateOf({ isKept, mimeType, size, seconds, problem: noted }: Found, age: number): MessageFile {
  if (isKept) return { state: 'kept', mimeType, size, seconds, problem: null, mayRetry: false }
  const problem = noted ?? (age > MAX_FETCH_SECONDS ? 'away' : null)
  const named = { mimeType: null, size, seconds: null }
  if (problem === null) return { ...named, state: 'fetching', problem, mayRetry: false }
  const isThere = problem === 'away' || problem === 'much'
  if (isThere && age > KEPT_SECONDS) return { ...named, state: 'named', problem: 'gone', mayRetry: false }
  return { ...named, state: 'named', problem, mayRetry: isThere }
}
