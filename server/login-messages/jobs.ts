import { codeKeys } from '../auth/code.ts'
import { printCodeOfClaim } from '../auth/codes.commands.ts'
import { isLoginMessage } from '../auth/message-login.ts'
import { type CodeToSend, findCodeToSend, readUsage } from '../auth/queries.ts'
import { claimMessage, recordOutcome } from '../conversations/commands.ts'
import { findStatus } from '../conversations/queries.ts'
import { awaitDatabase } from '../database/db.ts'
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
  const whatsapp = mayGetWhatsapp(outbound.phone, app.config.codeCountries) ? gateways.codes : null
  const first = whatsapp ? await sendOnce(app, whatsapp, { ...job, outbound, channel: 'whatsapp' }) : 'impossible'
  if (first === 'sent' || first === 'taken') return
  const second = await sendSms(app, gateways, { ...job, outbound })
  // If no channel accepted it and one may later, the queue retries while the code is valid.
  if (second === 'busy' || (first === 'busy' && second === 'impossible')) throw new Error('The providers are busy')
  if (job.isOfClaim && second !== 'sent' && second !== 'taken') {
    printCodeOfClaim(app, outbound.phone, codeOf(app, job.sealed, outbound.phone))
  }
}

/** Runs after half a minute: without a receipt the SMS is sent too. */
async function sendUnconfirmed(app: App, gateways: Gateways, job: CodeJob): Promise<void> {
  const outbound = await findCodeToSend(app.db, job.codeId)
  if (!outbound) return
  const status = await findStatus(app.db, dedupeKeyOf(job.codeId, 'whatsapp'))
  if (status === 'delivered' || status === 'read') return
  if ((await sendSms(app, gateways, { ...job, outbound })) === 'busy') throw new Error('The SMS provider is busy')
}

type Result = 'sent' | 'taken' | 'failed' | 'busy' | 'impossible'
type Sending = CodeJob & { outbound: CodeToSend }

async function sendSms(app: App, gateways: Gateways, sending: Sending): Promise<Result> {
  if (!gateways.sms || !mayGetSms(sending.outbound.phone)) return 'impossible'
  if (!sending.outbound.is_trusted && app.config.rateLimits && (await areWasted(app))) return 'impossible'
  return sendOnce(app, gateways.sms, { ...sending, channel: 'sms' })
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

/** Claims, sends, stores the result: a crash in between leaves a claim that is not repeated. */
async function sendOnce(
  app: App,
  gateway: CodeGateway,
  { codeId, sealed, outbound, channel }: Sending & { channel: 'whatsapp' | 'sms' },
): Promise<Result> {
  const { phone, language } = outbound
  const code = codeOf(app, sealed, phone)
  const origin = channel === 'sms' ? app.config.publicUrl : null
  const id = await claimMessage(app, {
    dedupeKey: dedupeKeyOf(codeId, channel),
    to: phone,
    channel,
    type: channel === 'sms' ? 'text' : 'template',
    content: keptCodeText(language, origin),
  })
  if (id === null) return 'taken'
  const text = codeText(language, code, origin)
  const outcome = await gateway.send({ to: phone, lang: language, code, text, reference: String(id) })
  await awaitDatabase(() => recordOutcome({ db: app.db }, id, outcome))
  if (outcome.ok) return 'sent'
  app.log.warn({ channel, kind: outcome.kind, errorCode: outcome.error.code }, 'code not sent')
  return outcome.kind === 'busy' ? 'busy' : 'failed'
}
