import { claimMessage, noteOutcome } from '../channel/commands.ts'
import { gatewaysOf as channelsOf } from '../channel/gateway.ts'
import type { TextGateway } from '../channel/letter.ts'
import { findStatus } from '../channel/queries.ts'
import { mayGetSms, mayGetWhatsapp } from '../channel/reach.ts'
import { simulatorGateway } from '../channel/simulator.gateway.ts'
import type { App } from '../platform/runtime.ts'
import { unseal } from '../platform/secrets.ts'
import { noteMessage } from './commands.ts'
import { keptLinkText, linkText, linkUrl, travelKey } from './link-text.ts'
import { findLinkToSend, type LinkToSend } from './office.queries.ts'

interface LinkJob {
  linkId: number
  sealed: string
}
interface LinkGateways {
  whatsapp: TextGateway | null
  sms: TextGateway | null
}

/** Real WhatsApp takes a first message as an approved template only, so these words go by SMS there. */
function gatewaysOf(app: App): LinkGateways {
  const whatsapp = app.config.simulator ? simulatorGateway(app, 'whatsapp') : null
  return { whatsapp, sms: channelsOf(app).sms }
}

export function linkJobs(app: App, gateways: LinkGateways = gatewaysOf(app)) {
  app.queue.handle<LinkJob>('send-link', { retryLimit: 4, retryDelay: 5, expireInSeconds: 30 }, ({ data }) =>
    sendLink(app, gateways, data),
  )
}

/** WhatsApp first; SMS at once where it fails. What is used, expired or revoked meanwhile goes nowhere. */
async function sendLink(app: App, gateways: LinkGateways, { linkId, sealed }: LinkJob): Promise<void> {
  const link = await findLinkToSend(app, linkId)
  if (!link) return
  const token = unseal(travelKey(app.config.secret), sealed, String(linkId))
  if (token === null) throw new Error('The token was sealed with another secret')
  const sending = { linkId, link, text: linkText(link, linkUrl(app.config.publicUrl, token)) }
  const whatsapp = mayGetWhatsapp(link.phone, app.config.codeCountries) ? gateways.whatsapp : null
  const first = whatsapp ? await sendOnce(app, whatsapp, { ...sending, channel: 'whatsapp' }) : 'failed'
  if (first === 'sent') return
  const sms = mayGetSms(link.phone) ? gateways.sms : null
  const second = sms ? await sendOnce(app, sms, { ...sending, channel: 'sms' }) : 'failed'
  if (second === 'busy' || (second === 'failed' && first === 'busy')) throw new Error('The providers are busy')
}

interface Sending {
  linkId: number
  link: LinkToSend
  text: string
  channel: 'whatsapp' | 'sms'
}

/** Claims, calls, notes: a crash in between leaves a claim that nobody repeats. */
async function sendOnce(
  app: App,
  gateway: TextGateway,
  { linkId, link, text, channel }: Sending,
): Promise<'sent' | 'busy' | 'failed'> {
  const dedupeKey = `link:${linkId}:${channel}`
  const id = await claimMessage(app, {
    dedupeKey,
    to: link.phone,
    channel,
    type: 'text',
    content: keptLinkText(link, app.config.publicUrl),
  })
  // Taken up before: what ended badly leaves the next channel to try, what may have arrived does not.
  if (id === null) return (await findStatus(app.db, dedupeKey)) === 'failed' ? 'failed' : 'sent'
  await noteMessage(app, linkId, id)
  const outcome = await gateway.send({ to: link.phone, lang: link.language, text, reference: String(id) })
  await noteOutcome(app, id, outcome)
  if (outcome.ok) return 'sent'
  app.log.warn({ channel, kind: outcome.kind, errorCode: outcome.error.code }, 'link not sent')
  return outcome.kind === 'busy' ? 'busy' : 'failed'
}
