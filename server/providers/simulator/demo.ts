import type { App } from '../../http/runtime.ts'
import { providerSettings } from '../settings.ts'
import { storeOutgoing } from './commands.ts'
import { fetchFrom, type SimulatedFetch } from './provider-http.ts'
import { createSmsApi, smsReceiptCall } from './sms/sms-api.ts'
import { createGraphApi } from './whatsapp-cloud/graph-api.ts'
import { phonesOf } from './whatsapp-cloud/phones.ts'

const DELIVERED_MS = 250

const made = new WeakMap<App, SimulatedFetch>()

/**
 * Answers the calls to WhatsApp and SMS within the process while the simulator is on, so that none leaves the machine.
 * Undefined with real providers.
 */
export function simulatedFetch(app: App): SimulatedFetch | undefined {
  if (!app.config.simulator) return undefined
  const known = made.get(app)
  if (known) return known
  const { whatsapp, sms } = providerSettings(app.config)
  const later = createTimers(app)
  const graphApi = createGraphApi(phonesOf(app, later))
  const smsApi = createSmsApi({
    token: sms.token,
    async accept({ id, to, text, reference }) {
      await storeOutgoing(app, { id: `sms.${id}`, phone: to, channel: 'sms', body: text })
      // Such phones confirm nothing, as on WhatsApp.
      if (to.endsWith('9991')) return
      const call = smsReceiptCall(sms, app.config.publicUrl, { id, reference, status: 'delivered' })
      later(() => app.http.inject({ method: 'POST', ...call }), DELIVERED_MS)
    },
  })
  const fetch = fetchFrom((url) => (url.startsWith(whatsapp.graphUrl) ? graphApi : smsApi))
  made.set(app, fetch)
  return fetch
}

/** Delays work until the process stops. */
function createTimers(app: App) {
  const pending = new Set<NodeJS.Timeout>()
  app.http.addHook('onClose', async () => {
    for (const timer of pending) clearTimeout(timer)
  })
  return (work: () => Promise<unknown>, ms: number) => {
    const timer = setTimeout(() => {
      pending.delete(timer)
      work().catch((error: unknown) => app.log.warn({ err: error }, 'the simulated network failed'))
    }, ms)
    pending.add(timer)
  }
}
