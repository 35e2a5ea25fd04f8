import { claimMessage, recordOutcome } from '../conversations/commands.ts'
import { findStatus } from '../conversations/queries.ts'
import { awaitDatabase } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import type { JobOf } from '../jobs/queues.ts'
import { mayGetSms, mayGetWhatsapp } from '../lib/phone-reach.ts'
import { unseal } from '../lib/secrets.ts'
import { type Gateways, gatewaysOf } from '../providers/gateways.ts'
import type { Outcome } from '../providers/provider.ts'
import { findLinkToSend, type LinkToSend } from './admin.queries.ts'
import { saveLinkMessage } from './commands.ts'
import { keptLinkText, linkText, linkUrl, travelKey, untilText } from './link-text.ts'

type Channels = Pick<Gateways, 'messages' | 'sms'>

/** Template approved at Meta: {{1}} is the expiry, the button's address ends in the token. */
const TEMPLATE = 'login_link'

export function linkJobs(app: App, channels: Channels = gatewaysOf(app)) {
  app.queue.handle('send-link', { retryLimit: 4, retryDelay: 5, expireInSeconds: 30 }, ({ data }) =>
    sendLink(app, channels, data),
  )
}

/** WhatsApp first; SMS immediately if it fails. Used, expired or revoked links are not sent. */
async function sendLink(app: App, { messages, sms }: Channels, { linkId, sealed }: JobOf<'send-link'>): Promise<void> {
  const link = await findLinkToSend(app, linkId)
  if (!link) return
  const token = unseal(travelKey(app.config.secret), sealed, String(linkId))
  if (token === null) throw new Error('The token was sealed with another secret')
  const { phone, language } = link
  const text = linkText(link, linkUrl(app.config.publicUrl, token))
  const byWhatsapp = messages && mayGetWhatsapp(phone, app.config.codeCountries)
  const first = byWhatsapp
    ? await sendOnce(app, { linkId, link, channel: 'whatsapp' }, (reference) =>
        messages.send({
          to: { phone, businessScopedId: null },
          message: {
            type: 'template',
            name: TEMPLATE,
            language,
            body: [untilText(link)],
            buttons: [{ index: 0, type: 'url', value: token }],
            text,
          },
          reference,
        }),
      )
    : 'failed'
  if (first === 'sent') return
  const second =
    sms && mayGetSms(phone)
      ? await sendOnce(app, { linkId, link, channel: 'sms' }, (reference) =>
          sms.send({ to: phone, lang: language, text, reference }),
        )
      : 'failed'
  if (second === 'busy' || (second === 'failed' && first === 'busy')) throw new Error('The providers are busy')
}

interface Sending {
  linkId: number
  link: LinkToSend
  channel: 'whatsapp' | 'sms'
}

/** Claims, sends, stores the result: a crash in between leaves a claim that is not repeated. */
async function sendOnce(
  app: App,
  { linkId, link, channel }: Sending,
  send: (reference: string) => Promise<Outcome>,
): Promise<'sent' | 'busy' | 'failed'> {
  const dedupeKey = `link:${linkId}:${channel}`
  const id = await claimMessage(app, {
    dedupeKey,
    to: link.phone,
    channel,
    type: channel === 'sms' ? 'text' : 'template',
    content: keptLinkText(link, app.config.publicUrl),
  })
  // Claimed before: a failed message moves on to the next channel, one that may have arrived does not.
  if (id === null) return (await findStatus(app.db, dedupeKey)) === 'failed' ? 'failed' : 'sent'
  await saveLinkMessage(app, linkId, id)
  const outcome = await send(String(id))
  await awaitDatabase(() => recordOutcome(app, id, outcome))
  if (outcome.ok) return 'sent'
  app.log.warn({ channel, kind: outcome.kind, errorCode: outcome.error.code }, 'link not sent')
  return outcome.kind === 'busy' ? 'busy' : 'failed'
}
