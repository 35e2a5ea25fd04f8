import { type Delivery, deliverByFirst } from '../conversations/delivering.jobs.ts'
import type { App } from '../http/runtime.ts'
import type { JobOf } from '../jobs/queues.ts'
import { mayGetSms, mayGetWhatsapp } from '../lib/phone-reach.ts'
import { unseal } from '../lib/secrets.ts'
import { type Gateways, gatewaysOf } from '../providers/gateways.ts'
import { findLinkToSend } from './admin.queries.ts'
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
  const { phone: to, language: lang } = link
  const text = linkText(link, linkUrl(app.config.publicUrl, token))
  const deliveryBy = (channel: 'whatsapp' | 'sms', call: Delivery['call']): Delivery => ({
    message: {
      dedupeKey: `link:${linkId}:${channel}`,
      to,
      channel,
      type: channel === 'sms' ? 'text' : 'template',
      content: keptLinkText(link, app.config.publicUrl),
    },
    async call(reference) {
      await saveLinkMessage(app, linkId, Number(reference))
      return call(reference)
    },
  })
  const message = {
    type: 'template',
    name: TEMPLATE,
    language: lang,
    body: [untilText(link)],
    buttons: [{ index: 0, type: 'url', value: token }],
    text,
  } as const
  const whatsapp = mayGetWhatsapp(to, app.config.codeCountries) ? messages : null
  await deliverByFirst(app, [
    () =>
      whatsapp &&
      deliveryBy('whatsapp', (reference) =>
        whatsapp.send({ to: { phone: to, businessScopedId: null }, message, reference }),
      ),
    () => (sms && mayGetSms(to) ? deliveryBy('sms', (reference) => sms.send({ to, lang, text, reference })) : null),
  ])
}
