import type { App } from '../../http/runtime.ts'
import type { ApiResult, Telegram } from '../../providers/telegram/gateway.ts'
import { inBoth } from '../words.ts'
import { type DeletionRequest, TELEGRAM_FORGET } from './forget.commands.ts'

/** Telegram's limit per call. */
const AT_ONCE = 100

/** Failed deletions are retried; at last they are failed jobs, to be done by hand. */
export function eraseJobs(app: App, telegram: Telegram) {
  app.queue.handle<DeletionRequest>(TELEGRAM_FORGET, { retryLimit: 8, retryDelay: 20 }, async ({ data }) => {
    for (const { chatId, ids } of data.messages) {
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const deleted = await telegram.deleteMessages(chatId, ids.slice(at, at + AT_ONCE))
        // In blocked or deleted chats the messages cannot be deleted.
        if (!deleted.ok && isForLater(deleted)) throw new Error(`Telegram deleted nothing: ${deleted.text}`)
        if (!deleted.ok)
          app.log.warn({ kind: deleted.kind }, 'Telegram could not delete messages about an erased person')
      }
    }
    for (const topic of data.topics) await eraseTopic(app, telegram, topic)
  })
}

const isForLater = (result: ApiResult<unknown>) => !result.ok && (result.kind === 'busy' || result.kind === 'unknown')

/** Deletes the topic with its messages; without the right to do so, renames and closes it. */
async function eraseTopic(app: App, telegram: Telegram, threadId: string): Promise<void> {
  const { groupId } = telegram
  if (groupId === null) return
  const deleted = await telegram.deleteTopic(groupId, threadId)
  if (deleted.ok || deleted.kind === 'no-topic') return
  if (isForLater(deleted)) throw new Error(`Telegram deleted no topic: ${deleted.text}`)
  app.log.warn({ kind: deleted.kind }, 'the bot may not delete topics')
  const steps = [
    () => telegram.renameTopic(groupId, threadId, inBoth('telegram.erased.name', ' · ')),
    () => telegram.send({ chatId: groupId, threadId }, inBoth('telegram.erased')),
    () => telegram.closeTopic(groupId, threadId),
  ]
  for (const step of steps) {
    const done = await step()
    if (!done.ok && done.kind !== 'no-topic') throw new Error(`Telegram closed no topic: ${done.text}`)
  }
}
