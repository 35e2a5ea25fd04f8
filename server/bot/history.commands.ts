import { cut } from '@qatra/contract/lib/fit'
import { type Db, run, statement } from '../database/db.ts'
import type { Incoming } from './dialogue/turn-context.ts'
import { writingOf } from './understanding/language.ts'

/** A message whose turn it is. */
export interface Job {
  messageId: number
  contactId: number
}

/** Result of one processed turn. */
export interface ProcessedTurn {
  contactId: number
  /** Whether messages are queued for sending. */
  isAnswered: boolean
}

const historySql = statement(
  'bot-history',
  `insert into bot_message_history (contact_id, message_id, phone_number, message_type, message_text, detected_intent,
     detected_language, bot_state, response_generated, processing_time_ms)
   select id, $2, phone, $3, $4, $5, $6, $7, $8, $9 from contacts where id = $1`,
)
const MAX_KEPT_LENGTH = 1_000

interface HistoryEntry {
  contactId: number
  incoming: Incoming
  intent: string
  /** State when the message arrived. */
  state: string
  response: string | null
  startedAt: number
}

export async function writeHistory({ db }: { db: Db }, entry: HistoryEntry): Promise<void> {
  const { contactId, incoming, intent, state, response, startedAt } = entry
  // Codes and unverified numbers are not logged.
  const text = state === 'code' || state === 'phone' ? '••••' : incoming.content
  await run(db, historySql, [
    contactId,
    incoming.id,
    incoming.type,
    cut(text, MAX_KEPT_LENGTH).toWellFormed(),
    intent,
    incoming.type === 'text' ? writingOf(incoming.content).script : null,
    state,
    response === null ? null : cut(response, MAX_KEPT_LENGTH).toWellFormed(),
    Math.round(performance.now() - startedAt),
  ])
}

const eraseSql = statement(
  'bot-history-erase',
  `with missed as (delete from bot_misses where message_id = $1)
   update bot_message_history set message_text = null where contact_id = $2 and message_id =
     (select min(message_id) from bot_message_history where contact_id = $2 and message_id >= $1)
     and exists (select from whatsapp_messages where id = $1 and direction = 'incoming')`,
)

/** Erases a deleted message of the customer; the text of a turn has the id of its last message. */
export const eraseText = ({ db }: { db: Db }, job: Job) => run(db, eraseSql, [job.messageId, job.contactId])
