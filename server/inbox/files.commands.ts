import type { FileProblem, Message } from '@qatra/contract/whatsapp/inbox/message'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { enqueue, publish } from '../jobs/domain-events.ts'
import { type NewMedia, storeMedia } from '../media/commands.ts'
import { requireMessage } from './messages.queries.ts'

export interface NewFile extends NewMedia {
  /** Duration, if the file has it. */
  seconds?: number | null
}

// Locks the message before the stored file, as its deletion does.
const messageSql = statement(
  'message-file-message',
  `select from whatsapp_messages where id = $1 and revoked_at is null
     and not exists (select from message_files where message_id = $1 and sha256 is not null) for key share`,
)
const storeSql = statement(
  'message-file-store',
  `with stored as (
     insert into message_files (message_id, sha256, size, seconds) values ($1, $2, $3, $4)
     on conflict (message_id) do update set sha256 = excluded.sha256, size = excluded.size, seconds = excluded.seconds,
       problem = null, changed_at = now()
     where message_files.sha256 is null returning message_id)
   select m.contact_id from whatsapp_messages m join stored on stored.message_id = m.id`,
)
const nameSql = statement(
  'message-file-name',
  `with named as (
     insert into message_files (message_id, problem, size) select id, $2, $3 from whatsapp_messages where id = $1
     on conflict (message_id) do update set problem = excluded.problem, size = excluded.size, changed_at = now()
     where message_files.sha256 is null returning message_id)
   select m.contact_id from whatsapp_messages m join named on named.message_id = m.id`,
)
const againSql = statement(
  'message-file-again',
  `insert into message_files (message_id) values ($1)
   on conflict (message_id) do update set problem = null, changed_at = now() where message_files.sha256 is null`,
)

const deleteSql = statement('message-file-delete', 'delete from message_files where message_id = $1')

/** Deletes the file of a message that the customer deleted. */
export const deleteMessageFile = ({ db }: Pick<JobContext, 'db'>, messageId: number) => run(db, deleteSql, [messageId])

async function publishChange(ctx: JobContext, rows: readonly { contact_id: number }[]) {
  const [row] = rows
  if (row) await publish(ctx, 'conversation.changed', { contactId: row.contact_id })
}

/** Stores the file of a message once; does nothing if the message was deleted. */
export async function storeMessageFile(ctx: JobContext, messageId: number, file: NewFile): Promise<void> {
  const messages = await run(ctx.db, messageSql, [messageId])
  if (messages.length === 0) return
  const sha256 = await storeMedia(ctx.db, file, 'private')
  await publishChange(ctx, await run(ctx.db, storeSql, [messageId, sha256, file.bytes.length, file.seconds ?? null]))
}

/** Stores why the file cannot be fetched. */
export async function saveFileProblem(
  ctx: JobContext,
  messageId: number,
  { problem, size = null }: { problem: FileProblem; size?: number | null },
): Promise<void> {
  await publishChange(ctx, await run(ctx.db, nameSql, [messageId, problem, size]))
}

/** Requests the file again; a second request finds the first one's job. @throws MESSAGE_NOT_FOUND */
export async function refetchFile(ctx: JobContext, messageId: number): Promise<Message> {
  const { parts } = await requireMessage(ctx, messageId)
  if (parts.file?.mayRetry) {
    await run(ctx.db, againSql, [messageId])
    await enqueue(ctx, 'message-files', { messageId, isAsked: true })
  }
  return requireMessage(ctx, messageId)
}
