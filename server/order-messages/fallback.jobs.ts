import { claimMessage, recordOutcome } from '../conversations/commands.ts'
import { withdrawMessage } from '../conversations/sending.commands.ts'
import { awaitDatabase } from '../database/db.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetSms } from '../lib/phone-reach.ts'
import { type Gateways, gatewaysOf } from '../providers/gateways.ts'
import { NEWS_FALLBACK, repeatAsTemplate } from './commands.ts'
import { findNewsMissed } from './customer.queries.ts'

/** Repeats news as its template after the service window, and sends an SMS if WhatsApp failed or gave no receipt within half a minute. */
export function newsFallbackJobs(app: App, gateways: Pick<Gateways, 'sms'> = gatewaysOf(app)) {
  app.queue.handle<{ messageId: number }>(
    NEWS_FALLBACK,
    { on: ['message.failed'], concurrency: 2, retryLimit: 6, retryDelay: 5 },
    async ({ data }) => {
      if (await runJobTransaction(app.pool, (ctx) => repeatAsTemplate(ctx, data.messageId))) return
      const { sms } = gateways
      const news = sms && (await findNewsMissed(app.db, data.messageId))
      if (!news || !mayGetSms(news.phone)) return
      // Withdraws the WhatsApp message: a recovered provider must not send it again hours later.
      await runJobTransaction(app.pool, (ctx) => withdrawMessage(ctx, data.messageId))
      const { phone: to, language: lang, content: text, dedupe_key: key } = news
      const message = { dedupeKey: `${key}:sms`, to, channel: 'sms', type: 'text', content: text } as const
      const id = await claimMessage(app, message)
      if (id === null) return
      const outcome = await sms.send({ to, lang, text, reference: String(id) })
      await awaitDatabase(() => runJobTransaction(app.pool, (ctx) => recordOutcome(ctx, id, outcome)))
      if (!outcome.ok && outcome.kind === 'busy') throw new Error('The SMS provider is busy')
    },
  )
}
