import { codeKeys } from '../auth/code.ts'
import { printCodeOfClaim } from '../auth/codes.commands.ts'
import { isLoginMessage } from '../auth/message-login.ts'
import { type CodeToSend, findCodeToSend, readUsage } from '../auth/queries.ts'
import { type Delivery, deliverByFirst } from '../conversations/delivering.jobs.ts'
import { findStatus } from '../conversations/queries.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import type { JobOf } from '../jobs/queues.ts'
import { raiseAlert } from '../lib/alerts.ts'
import { mayGetSms, mayGetWhatsapp } from '../lib/phone-reach.ts'
import { unseal } from '../lib/secrets.ts'
import { codeText, keptCodeText } from '../providers/code-text.ts'
import { type Gateways, gatewaysOf } from '../providers/gateways.ts'
import type { CodeGateway } from '../providers/provider.ts'
import { answerLoginMessage } from './replies.commands.ts'

export function loginMessageJobs(app: App) {
  app.queue.handle(
    'message-login',
    {
      filter: isLoginMessage,
      isUrgent: true,
      retryLimit: 3,
      retryDelay: 2,
      expireInSeconds: 30,
    },
    ({ data }) => runJobTransaction(app.pool, (ctx) => answerLoginMessage(ctx, app, data.messageId)),
  )
}

type CodeJob = JobOf<'send-code'>

/** `isHere`: whether this process handles the jobs; the linked device handles them in a process of its own. */
export function channelJobs(
  app: App,
  gateways: Gateways = gatewaysOf(app),
  { isHere = app.config.whatsapp.provider !== 'web' }: { isHere?: boolean } = {},
) {
  const urgent = { isUrgent: true, concurrency: isHere ? 4 : 0, retryLimit: 3, retryDelay: 3, expireInSeconds: 30 }
  app.queue.handle('send-code', urgent, ({ data }) => sendCode(app, gateways, data))
  app.queue.handle('code-fallback', { retryLimit: 3, retryDelay: 3, expireInSeconds: 30 }, ({ data }) =>
    sendUnconfirmed(app, gateways, data),
  )
}

/** WhatsApp first; SMS immediately if it fails. */
async function sendCode(app: App, gateways: Gateways, job: CodeJob): Promise<void> {
  const outbound = await findCodeToSend(app.db, job.codeId)
  if (!outbound) return
  const { phone } = outbound
  const whatsapp = mayGetWhatsapp(phone, app.config.codeCountries) ? gateways.codes : null
  let isSent = false
  try {
    isSent = await deliverByFirst(app, [
      () => whatsapp && deliveryBy(app, whatsapp, { ...job, outbound, channel: 'whatsapp' }),
      () => bySms(app, gateways, { ...job, outbound }),
    ])
  } finally {
    // Before each retry too: nobody else can help the first super admin.
    if (job.isOfClaim && !isSent) printCodeOfClaim(app, phone, codeOf(app, job.sealed, phone))
  }
}

/** Runs after half a minute: without a receipt the SMS is sent too. */
async function sendUnconfirmed(app: App, gateways: Gateways, job: CodeJob): Promise<void> {
  const outbound = await findCodeToSend(app.db, job.codeId)
  if (!outbound) return
  const status = await findStatus(app.db, dedupeKeyOf(job.codeId, 'whatsapp'))
  if (status === 'delivered' || status === 'read') return
  await deliverByFirst(app, [() => bySms(app, gateways, { ...job, outbound })])
}

type Sending = CodeJob & { outbound: CodeToSend }

async function bySms(app: App, { sms }: Gateways, sending: Sending): Promise<Delivery | null> {
  const { phone, is_trusted: isTrusted } = sending.outbound
  if (!sms || !mayGetSms(phone)) return null
  if (!isTrusted && app.config.rateLimits && (await areWasted(app))) return null
  return deliveryBy(app, sms, { ...sending, channel: 'sms' })
}

const SAMPLE = 50
const LEAST_USED = 0.3

/** A low share of used codes indicates SMS pumping. */
async function areWasted(app: App): Promise<boolean> {
  const { sent, used } = await readUsage(app.db)
  if (sent < SAMPLE || used / sent >= LEAST_USED) return false
  raiseAlert(app.log, 'codes-unused', { sent, used })
  return true
}

function codeOf({ config }: Pick<App, 'config'>, sealed: string, phone: string): string {
  const code = unseal(codeKeys(config.secret).travel, sealed, phone)
  if (code === null) throw new Error('The code was sealed with another secret')
  return code
}

const dedupeKeyOf = (codeId: number, channel: 'whatsapp' | 'sms') => `code:${codeId}:${channel}`

function deliveryBy(
  app: App,
  gateway: CodeGateway,
  { codeId, sealed, outbound, channel }: Sending & { channel: 'whatsapp' | 'sms' },
): Delivery {
  const { phone: to, language: lang } = outbound
  const code = codeOf(app, sealed, to)
  const origin = channel === 'sms' ? app.config.publicUrl : null
  return {
    message: {
      dedupeKey: dedupeKeyOf(codeId, channel),
      to,
      channel,
      type: channel === 'sms' ? 'text' : 'template',
      content: keptCodeText(lang, origin),
    },
    call: (reference) => gateway.send({ to, lang, code, text: codeText(lang, code, origin), reference }),
  }
}
