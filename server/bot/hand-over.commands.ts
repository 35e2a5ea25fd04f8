import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { officeWords } from '../calendar/office-hours.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { requestHandoff } from '../conversations/conversations.commands.ts'
import { isForPeople, markProcessed } from '../conversations/incoming.commands.ts'
import { queueIfOpen } from '../conversations/sending.commands.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { translatorFor } from '../lib/translate.ts'
import { type Outgoing, wordsOf } from '../providers/message.ts'
import { meanwhileKey } from './dialogue/hand-over.ts'
import { readMemory } from './dialogue/memory.ts'
import { gather } from './gathering.ts'
import { type Job, type ProcessedTurn, writeHistory } from './history.commands.ts'
import type { Parts } from './intent-runner.commands.ts'
import { findWaiting, lockContact, type Waiting, type WaitingMessage } from './queries.ts'

interface Turn {
  catalogue: Pick<Catalogue, 'settings' | 'holidays'>
  waiting: Waiting
  messages: readonly WaitingMessage[]
  startedAt: number
}

/** Closes the messages of a turn that the bot does not answer. */
async function closeTurn(ctx: JobContext, intent: string, { waiting, messages, startedAt }: Turn): Promise<void> {
  const { contactId } = waiting
  for (const incoming of messages) {
    await markProcessed(ctx, incoming.id, null)
    await writeHistory(ctx, { contactId, incoming, intent, state: 'idle', response: null, startedAt })
  }
}

/** Hands the conversation to staff, and says so if the service window is open: the hand-over does not depend on it. */
async function handOver(
  ctx: JobContext,
  reason: 'failed' | 'late',
  { catalogue, waiting, messages }: Turn,
): Promise<boolean> {
  const { contactId, language, account, memory: stored, now } = waiting
  await requestHandoff(ctx, contactId, reason)
  const say = translatorFor(language)
  const hasOpenOrder = account?.hasOpenOrder ?? false
  const memory = readMemory(stored, language)
  const isOrdering = memory.state !== 'idle'
  const office = officeWords(catalogue, now, language)
  const isNews = office !== null && !office.isOpen && memory.closedSaidOn !== bahrainDate(now)
  const meanwhile = say(meanwhileKey({ hasOpenOrder, isOrdering }))
  const text = [say(`bot.person.${reason}`), ...(isNews ? [office.text] : []), meanwhile].join('\n')
  const dedupeKey = `bot:${messages[0]?.id}:${reason}`
  const message = { type: 'text', text } as const
  return (await queueIfOpen(ctx, { to: { contactId }, message, dedupeKey, by: { type: 'bot' } })) !== null
}

/** Messages that the bot fails on. */
export async function handOverAfterError(
  ctx: JobContext,
  parts: Parts,
  catalogue: Turn['catalogue'],
  job: Job,
): Promise<void> {
  const startedAt = performance.now()
  const held = await lockContact(ctx.db, job)
  const waiting = held === null ? null : await findWaiting(ctx.db, held, job.messageId)
  if (!waiting) return
  const { messages } = gather(waiting.messages, waiting.now, parts.config.botGatherSeconds * 1000)
  const turn = { catalogue, waiting, messages, startedAt }
  await closeTurn(ctx, 'failed', turn)
  await handOver(ctx, 'failed', turn)
}

/** Meta delivers again for up to seven days after an outage, and the shop itself may have been down. */
const LATE_MS = 2 * 60 * 60_000

/** An order or a cancellation that was written so long ago is not carried out as if it were written now. */
export const isLate = (writtenAt: Date, now: Date): boolean => now.getTime() - writtenAt.getTime() > LATE_MS

/** Leaves a late turn to a person; words that concern nobody, such as an opt-out, were handled on their own. */
export async function leaveLate(ctx: JobContext, turn: Turn): Promise<ProcessedTurn> {
  const { contactId, handoffAt } = turn.waiting
  await closeTurn(ctx, 'late', turn)
  if (!turn.messages.some((message) => isForPeople(message, message.content))) return { contactId, isAnswered: false }
  if (handoffAt === null) return { contactId, isAnswered: await handOver(ctx, 'late', turn) }
  await requestHandoff(ctx, contactId, 'late')
  return { contactId, isAnswered: false }
}

/** Why a conversation was handed over that the bot may not answer until a person has. */
export const ROBOT = 'robot'
const MOST_SAME_A_MINUTE = 10

const repeatedSql = statement(
  'bot-repeated',
  `select count(*)::int as n from (
     select content, created_at from whatsapp_messages
     where contact_id = $1 and direction = 'outgoing' and sent_by_type = 'bot' order by id desc limit 40) last
   where content = any($2::text[]) and created_at > now() - interval '1 minute' group by content order by n desc limit 1`,
)

/** Whether an answer was given ten times within a minute: the other side is a robot that answers each of ours. */
export async function isRepeating(
  { db }: { db: Db },
  contactId: number,
  replies: readonly Outgoing[],
): Promise<boolean> {
  if (replies.length === 0) return false
  const [row] = await run<{ n: number }>(db, repeatedSql, [contactId, replies.map(wordsOf)])
  return (row?.n ?? 0) >= MOST_SAME_A_MINUTE
}
