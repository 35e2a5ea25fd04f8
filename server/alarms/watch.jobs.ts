import { setTimeout as sleep } from 'node:timers/promises'
import type { Lang } from '@qatra/contract/lib/lang'
import { run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { type Alarm, alarmKinds, raiseAlert, sendAlarms } from '../lib/alerts.ts'
import { describeError } from '../lib/logger.ts'
import { translatorFor } from '../lib/translate.ts'
import { telegramOf } from '../telegram/gateway.ts'
import { findAlarms, findEndingCertificate, findFullDisk, findQuiet } from './checks.queries.ts'

const TICK_MS = 15_000
/** A restart of the database is no alarm. */
const DATABASE_AWAY_MS = 20_000
const HOUR_MS = 3_600_000

/** Super admins with a linked Telegram account and notifications on. */
const peopleSql = statement(
  'alarm-people',
  `select telegram_chat_id as "chatId", language from users
   where role = 'super_admin' and is_active and erased_at is null and notification_enabled
     and telegram_chat_id is not null`,
)
interface Listener {
  chatId: string
  language: Lang
}

// What a process did not finish sending within a minute is taken over.
const claimSql = statement(
  'alarm-claim',
  `insert into alarms (kind, figures) values ($1, $2)
   on conflict (kind) do update set figures = excluded.figures, claimed_at = now(), sent_at = null
   where alarms.sent_at < now() - $3 * interval '1 hour'
     or (alarms.sent_at is null and alarms.claimed_at < now() - interval '1 minute')
   returning kind`,
)
const sentSql = statement('alarm-sent', 'update alarms set sent_at = now() where kind = $1')
const unsentSql = statement(
  'alarm-unsent',
  `select kind, figures from alarms where sent_at is null and claimed_at < now() - interval '1 minute'`,
)

/** Looks for alarms and sends those of this process, by Telegram and e-mail; without the queue, which may be what fails. */
export function createWatch(app: App) {
  let people: Listener[] = []
  let awaySince: number | null = null
  /** What this process knows to be sent, for a time without the database. */
  const sentAt = new Map<Alarm['kind'], number>()

  async function look(): Promise<Alarm[]> {
    const found = (await Promise.all([findFullDisk(app.config.dataDir), findEndingCertificate(app)])).flat()
    try {
      people = await run<Listener>(app.db, peopleSql)
      found.push(...(await findAlarms(app.db)), ...(await findQuiet(app.db)))
      awaySince = null
    } catch (error) {
      awaySince ??= performance.now()
      const away = performance.now() - awaySince
      if (away >= DATABASE_AWAY_MS) found.push({ kind: 'database-away', figures: { seconds: Math.floor(away / 1000) } })
      else app.log.warn({ err: describeError(error) }, 'alarms not looked for')
    }
    return found
  }

  /** True for the process that sends it. */
  async function claim({ kind, figures }: Alarm): Promise<boolean> {
    try {
      // Another statement would wait for its time-out too.
      if (awaySince !== null) throw new Error('The database is away')
      const hours = alarmKinds[kind]
      const claimed = await run(app.db, claimSql, [kind, JSON.stringify(figures), hours])
      sentAt.set(kind, performance.now())
      return claimed.length > 0
    } catch {
      const isDue = performance.now() - (sentAt.get(kind) ?? -Number.POSITIVE_INFINITY) > alarmKinds[kind] * HOUR_MS
      if (isDue) sentAt.set(kind, performance.now())
      return isDue
    }
  }

  async function send(alarm: Alarm): Promise<void> {
    if (!(await claim(alarm))) return
    const outcomes = await Promise.all([...people.map((one) => byTelegram(app, one, alarm)), byMail(app, alarm)])
    // Whatever failed is tried again with all the others in a minute: twice is better than never.
    if (outcomes.every(Boolean)) await run(app.db, sentSql, [alarm.kind]).catch(() => {})
    else sentAt.delete(alarm.kind)
  }

  const sendLater = (alarm: Alarm) =>
    void send(alarm).catch((error: unknown) => app.log.warn({ err: describeError(error) }, 'alarm not sent'))

  async function tick() {
    for (const { kind, figures } of await look()) raiseAlert(app.log, kind, figures)
    if (awaySince === null) for (const alarm of await run<Alarm>(app.db, unsentSql)) sendLater(alarm)
  }

  return { tick, send, sendLater }
}

const wordsOf = (app: App, { kind, figures }: Alarm, lang: Lang) => {
  const say = translatorFor(lang)
  return say('telegram.alarm', { what: say(`telegram.alarm.${kind}`, figures), kind, url: app.config.publicUrl })
}

/** Whether nothing is left to send: Telegram took it, or never will. */
async function byTelegram(app: App, { chatId, language }: Listener, alarm: Alarm): Promise<boolean> {
  const telegram = telegramOf(app)
  if (!telegram) return true
  const result = await telegram.send({ chatId, threadId: null }, wordsOf(app, alarm, language))
  if (!result.ok) app.log.warn({ kind: result.kind }, 'alarm not sent by Telegram')
  return result.ok || result.kind === 'blocked' || result.kind === 'refused'
}

async function byMail(app: App, alarm: Alarm): Promise<boolean> {
  const { smtpUrl, to } = app.config.alarmMail
  if (smtpUrl === null || to === null) return true
  // Loaded on first use.
  const { createTransport } = await import('nodemailer')
  const text = (['ar', 'en'] as const).map((lang) => wordsOf(app, alarm, lang)).join('\n\n')
  try {
    const message = { from: to, to, subject: `Qatra: ${alarm.kind}`, text, textEncoding: 'base64' as const }
    await createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 10_000 }).sendMail(message)
    return true
  } catch (error) {
    app.log.warn({ err: describeError(error) }, 'alarm not sent by e-mail')
    return false
  }
}

/** Watches until it is stopped. */
export function watchShop(app: App): { stop: () => void } {
  const { tick, sendLater } = createWatch(app)
  const stopping = new AbortController()
  sendAlarms(sendLater)
  async function watch() {
    while (!stopping.signal.aborted) {
      await tick().catch((error: unknown) => app.log.warn({ err: describeError(error) }, 'alarms not looked for'))
      await sleep(TICK_MS, null, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  void watch()
  return { stop: () => stopping.abort() }
}
