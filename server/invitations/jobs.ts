import { inLang } from '@qatra/contract/lib/lang'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { mayGetSms, mayGetWhatsapp } from '../lib/phone-reach.ts'
import { translatorFor } from '../lib/translate.ts'
import { queueNews } from '../order-messages/commands.ts'
import type { TemplateMessage } from '../providers/message.ts'
import { findToSend, type InvitationToSend } from './queries.ts'

export function invitationJobs(app: App) {
  app.queue.handle('invitation-news', { expireInSeconds: 60 }, ({ data }) => send(app, data.invitationId))
}

function messageOf(
  { language, vendor_name: name, vendor_name_ar: nameAr }: InvitationToSend,
  url: string,
): TemplateMessage {
  const vendor = inLang(language, name, nameAr)
  return {
    type: 'template',
    name: 'staff_invitation',
    language,
    body: [vendor.replace(/\s+/g, ' ')],
    text: translatorFor(language)('news.invitation', { vendor, url }),
  }
}

/** Sends to any phone, with or without an account: the person finds the invitation after signing in. */
async function send(app: App, id: number): Promise<void> {
  const invitation = await findToSend(app.db, id)
  if (!invitation) return
  const { phone, messages } = invitation
  if (!mayGetWhatsapp(phone, app.config.codeCountries)) return
  const message = messageOf(invitation, `${app.config.publicUrl}/invitations`)
  const news = { phone, message, dedupeKey: `invitation:${id}:${messages}`, hasFallback: mayGetSms(phone) }
  await runJobTransaction(app.pool, (ctx) => queueNews(ctx, news))
}
