import type { FileProblem, Message } from '@qatra/contract/whatsapp-message'
import { FILES } from '../conversations/incoming.commands.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue, publish } from '../jobs/domain-events.ts'
import type { FileType } from './file-kind.ts'
import { requireMessage } from './messages.queries.ts'

interface NewFile {
  bytes: Buffer
  mimeType: FileType
  seconds: number | null
}

const storeSql = statement(
  'message-file-keep',
  `with kept as (
     insert into message_files (message_id, bytes, mime_type, size, seconds)
     select id, $2::bytea, $3, length($2::bytea), $4 from whatsapp_messages where id = $1
     on conflict (message_id) do update set bytes = excluded.bytes, mime_type = excluded.mime_type,
       size = excluded.size, seconds = excluded.seconds, problem = null, changed_at = now()
     where message_files.bytes is null returning message_id)
   select m.contact_id from whatsapp_messages m join kept on kept.message_id = m.id`,
)
const nameSql = statement(
  'message-file-name',
  `with named as (
     insert into message_files (message_id, problem, size) select id, $2, $3 from whatsapp_messages where id = $1
     on conflict (message_id) do update set problem = excluded.problem, size = excluded.size, changed_at = now()
     where message_files.bytes is null returning message_id)
   select m.contact_id from whatsapp_messages m join named on named.message_id = m.id`,
)
const againSql = statement(
  'message-file-again',
  `insert into message_files (message_id) values ($1)
   on conflict (message_id) do update set problem = null, changed_at = now() where message_files.bytes is null`,
)

async function tell(ctx: JobContext, rows: readonly { contact_id: number }[]) {
  const [row] = rows
  if (row) await publish(ctx, 'conversation.changed', { contactId: row.contact_id })
}

/** Stores the file of a message once; does nothing if the message was deleted. */
export async function storeMessageFile(ctx: JobContext, messageId: number, file: NewFile): Promise<void> {
  await tell(ctx, await run(ctx.db, storeSql, [messageId, file.bytes, file.mimeType, file.seconds]))
}

/** Stores why the file cannot be fetched. */
export async function noteFileProblem(
  ctx: JobContext,
  messageId: number,
  { problem, size = null }: { problem: FileProblem; size?: number | null },
): Promise<void> {
  await tell(ctx, await run(ctx.db, nameSql, [messageId, problem, size]))
}

/** Requests the file again; a second request finds the first one's job. @throws MESSAGE_NOT_FOUND */
export async function refetchFile(ctx: JobContext, messageId: number): Promise<Message> {
  const { parts } = await requireMessage(ctx, messageId)
  if (parts.file?.mayRetry) {
    await run(ctx.db, againSql, [messageId])
    await enqueue(ctx, FILES, { messageId, isAsked: true })
  }
  return requireMessage(ctx, messageId)
}
