import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import type { Picture } from '../media/picture.ts'

const storeSql = statement(
  'message-picture-keep',
  `with kept as (
     insert into message_pictures (message_id, bytes, width, height)
     select id, $2, $3, $4 from whatsapp_messages where id = $1
     on conflict (message_id) do nothing returning message_id)
   select m.contact_id from whatsapp_messages m join kept on kept.message_id = m.id`,
)

/** Stores the picture of a message once; does nothing if the message was deleted. */
export async function storeMessagePicture(ctx: JobContext, messageId: number, picture: Picture): Promise<void> {
  const { bytes, width, height } = picture
  const [row] = await run<{ contact_id: number }>(ctx.db, storeSql, [messageId, bytes, width, height])
  if (row) await publish(ctx, 'conversation.changed', { contactId: row.contact_id })
}
