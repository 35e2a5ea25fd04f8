import type { App } from '../../../server/http/runtime.ts'
import { wordsOf } from '../../../server/providers/message.ts'
import { providerSettings } from '../../../server/providers/settings.ts'
import { storeOutgoing } from '../commands.ts'
import { type GraphAccount, type GraphFile, type GraphTemplate, simulatedApp } from './graph-account.ts'
import { simulatedMedia } from './media.ts'
import { mediaIdIn } from './sent-message.ts'
import { shownMessage } from './shown-message.ts'
import { simulatedTemplates } from './templates.ts'
import { call, phoneOf, receiptsCall, type SimulatedReceipt, signedCall, WEBHOOK } from './webhook-calls.ts'

const SENT_MS = 60
const DELIVERED_MS = 250
const READ_MS = 400
const UPLOAD_MS = 60_000
/** Receipts that are due within so long travel in one call. */
const GATHER_MS = 40
/** The review of a template. */
const REVIEW_MS = 1_500

type Planned = Pick<SimulatedReceipt, 'status'> & { after: number }

/**
 * Receipts of a message by the last digits of its phone. 9991: none. 9992: read at once. 9993: all in the wrong order
 * and twice. 9994: sent, then failed. The API itself refuses 9990.
 */
function planFor(phone: string): readonly Planned[] {
  const sent = { status: 'sent', after: SENT_MS } as const
  const delivered = { status: 'delivered', after: DELIVERED_MS } as const
  const read = { status: 'read', after: READ_MS } as const
  if (phone.endsWith('9991')) return []
  if (phone.endsWith('9992')) return [sent, delivered, read]
  if (phone.endsWith('9993')) {
    return [read, delivered, sent, read, sent].map(({ status }, place) => ({ status, after: SENT_MS * (place + 1) }))
  }
  if (phone.endsWith('9994')) return [sent, { status: 'failed', after: DELIVERED_MS }]
  return [sent, delivered]
}

/** Posts to the shop's own webhook as Meta does: signed, through the whole HTTP interface. */
export async function callWebhook(app: App, body: object): Promise<number> {
  const { bytes, headers } = signedCall(providerSettings(app.config).whatsapp.appSecret ?? '', body)
  const answer = await app.http.inject({ method: 'POST', url: WEBHOOK, headers, payload: bytes })
  return answer.statusCode
}

/** What reviewers take for an offer, which a template for service must not be. */
const offering = /discount|half price|خصم|نصف السعر/i

/** The news of a reviewed template. */
function templateCall({ name, language, status, id, rejected_reason: reason }: GraphTemplate) {
  const { object, entry } = call({
    field: 'message_template_status_update',
    value: {
      event: status,
      message_template_id: id,
      message_template_name: name,
      message_template_language: language,
      reason,
    },
  })
  // With its time, another review with the same outcome is another event.
  return { object, entry: entry.map((one) => ({ ...one, time: Math.floor(Date.now() / 1000) })) }
}

/** The demo's account: phones are rows of the database, which all processes share. */
export function phonesOf(app: App, later: (work: () => Promise<unknown>, ms: number) => void): GraphAccount {
  const { publicUrl } = app.config
  const present = () => providerSettings(app.config).whatsapp
  const { graphUrl, codeTemplate } = present()
  const templates = simulatedTemplates({ publicUrl, codeTemplate })
  let due: SimulatedReceipt[] = []
  /** Uploads whose message has not come yet. */
  const uploads = new Map<string, GraphFile>()

  async function flush() {
    const receipts = due
    due = []
    const status = await callWebhook(app, receiptsCall(receipts))
    if (status !== 200) app.log.warn({ status, count: receipts.length }, 'simulated receipts not taken')
  }
  function confirm(message: { messageId: string; phone: string; reference: string | null }) {
    for (const { status, after } of planFor(message.phone)) {
      later(async () => {
        if (due.length === 0) later(flush, GATHER_MS)
        const error = status === 'failed' ? { error: { code: 131026, title: 'Message undeliverable' } } : {}
        due.push({ ...message, status, at: new Date(), ...error })
      }, after)
    }
  }
  return {
    // Others in Meta's form can be entered on the set-up page.
    isToken: (text) => text === present().token || /^EAA[A-Za-z0-9]{17,}$/.test(text),
    graphUrl: () => graphUrl,
    templates,
    app: simulatedApp((text) => text === present().appSecret || /^[0-9a-f]{32}$/.test(text)),
    onSubmitted(template) {
      later(async () => {
        const isRefused = template.category === 'UTILITY' && offering.test(JSON.stringify(template.components))
        template.status = isRefused ? 'REJECTED' : 'APPROVED'
        template.rejected_reason = isRefused ? 'INCORRECT_CATEGORY' : 'NONE'
        await callWebhook(app, templateCall(template))
      }, REVIEW_MS)
    },
    findFile: async (mediaId) => uploads.get(mediaId) ?? simulatedMedia(mediaId),
    async storeFile(mediaId, file) {
      uploads.set(mediaId, file)
      later(async () => uploads.delete(mediaId), UPLOAD_MS)
    },
    async accept(id, message) {
      const { to, recipient = null, biz_opaque_callback_data: reference = null } = message
      const phone = phoneOf({ phone: to === undefined ? null : `+${to}`, businessScopedId: recipient })
      const parts = shownMessage(message, { listed: templates, code: codeTemplate })
      const file = uploads.get(mediaIdIn(message) ?? '')
      const replyTo = message.context?.message_id
      const shown = { ...parts, ...(file ? { mimeType: file.mimeType } : {}), ...(replyTo ? { replyTo } : {}) }
      await storeOutgoing(app, { id, phone, channel: 'whatsapp', body: wordsOf(parts), parts: shown, file })
      confirm({ messageId: id, phone, reference })
    },
  }
}
