import { randomUUID } from 'node:crypto'
import type { App } from '../platform/runtime.ts'
import { keepSimulated, noteReceipt } from './commands.ts'
import { failed, type TextGateway } from './letter.ts'
import { simulatorKey } from './queries.ts'

const RECEIPT_MS = 250

/**
 * A network of make-believe phones. WhatsApp to a number that ends in 9990 always fails; one that ends in 9991 gets
 * its messages and never confirms any; all others confirm after a moment.
 */
export function simulatorGateway(app: App, channel: 'whatsapp' | 'sms'): TextGateway {
  const pending = new Set<NodeJS.Timeout>()
  app.http.addHook('onClose', async () => {
    for (const timer of pending) clearTimeout(timer)
  })

  function confirmLater(messageId: string, reference: string) {
    const timer = setTimeout(() => {
      pending.delete(timer)
      noteReceipt(app, { messageId, reference, status: 'delivered' }).catch((error: unknown) =>
        app.log.warn({ err: error }, 'simulated receipt not noted'),
      )
    }, RECEIPT_MS)
    pending.add(timer)
  }

  return {
    async send({ to, text, reference }) {
      if (channel === 'whatsapp' && to.endsWith('9990')) {
        return failed('undeliverable', '131026', 'Message undeliverable')
      }
      const messageId = `sim.${randomUUID()}`
      const key = simulatorKey(app.config.secret)
      await keepSimulated(app, key, { id: messageId, phone: to, direction: 'outgoing', channel, body: text })
      app.say(
        `[simulator] ${channel === 'sms' ? 'SMS' : 'WhatsApp'} to ${to}: ${text.split('\n').filter(Boolean).join(' · ')}`,
      )
      if (!to.endsWith('9991')) confirmLater(messageId, reference)
      return { ok: true, messageId }
    },
  }
}
