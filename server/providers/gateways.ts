import type { App } from '../http/runtime.ts'
import type { CodeGateway, MessageGateway, TextGateway } from './provider.ts'
import { providerSettings } from './settings.ts'
import { smsGateway, twilioGateway } from './sms/gateway.ts'
import { SMS_RECEIPTS } from './sms/receipts.ts'
import { cloudGateway } from './whatsapp-cloud/gateway.ts'
import { fetchDeviceMedia } from './whatsapp-device/media.ts'

export interface Gateways {
  /** Conversations, news and campaigns. */
  messages: MessageGateway | null
  /** Codes by WhatsApp. */
  codes: CodeGateway | null
  sms: TextGateway | null
  /** Files that customers sent; also of a linked device, which sends in another process. */
  fetchMedia?: MessageGateway['fetchMedia']
}

/** Transport of calls to WhatsApp and SMS: the simulator's, or undefined for the network. */
export const messagingFetch = (app: App) => requireNetwork(app)?.messaging

/** The same for Telegram. */
export const telegramFetch = (app: App) => requireNetwork(app)?.telegram

/** No simulated call leaves the machine, also where the simulator was forgotten. */
function requireNetwork({ config, simulatedNetwork }: App) {
  if (config.simulator && !simulatedNetwork) throw new Error('The simulator is not loaded')
  return simulatedNetwork
}

const made = new WeakMap<App, Gateways>()

/** Which outside systems this process talks to, by its configuration; made once. */
export function gatewaysOf(app: App): Gateways {
  const known = made.get(app)
  if (known) return known
  const gateways = make(app)
  made.set(app, gateways)
  return gateways
}

function make(app: App): Gateways {
  const { simulator, publicUrl } = app.config
  const { whatsapp, sms } = providerSettings(app.config)
  const options = { fetch: messagingFetch(app) }
  const present = () => providerSettings(app.config).whatsapp
  const cloud = simulator || whatsapp.provider === 'cloud' ? cloudGateway(present, { ...options, publicUrl }) : null
  const byProvider = {
    none: () => null,
    twilio: () => twilioGateway(sms, `${publicUrl}${SMS_RECEIPTS}`, options),
    http: () => smsGateway(sms, options),
  }
  const fetchMedia = whatsapp.provider === 'web' && !simulator ? fetchDeviceMedia : cloud?.messages.fetchMedia
  return { messages: cloud?.messages ?? null, codes: cloud?.codes ?? null, sms: byProvider[sms.provider](), fetchMedia }
}
