import type { App } from '../http/runtime.ts'
import type { CodeGateway, MessageGateway, TextGateway } from './provider.ts'
import { simulatorGateway, simulatorMessages } from './simulator/simulator.gateway.ts'
import { smsGateway } from './sms/http.gateway.ts'
import { SMS_RECEIPTS } from './sms/receipts.ts'
import { twilioGateway } from './sms/twilio.gateway.ts'
import { cloudGateway } from './whatsapp-cloud/gateway.ts'

export interface Gateways {
  /** Conversations, news and campaigns. */
  messages: MessageGateway | null
  /** Codes by WhatsApp. */
  codes: CodeGateway | null
  sms: TextGateway | null
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
  const { simulator, whatsapp } = app.config
  if (simulator) {
    return {
      messages: simulatorMessages(app),
      codes: simulatorGateway(app, 'whatsapp'),
      sms: simulatorGateway(app, 'sms'),
    }
  }
  const cloud = whatsapp.provider === 'cloud' ? cloudGateway(whatsapp) : null
  return { messages: cloud?.messages ?? null, codes: cloud?.codes ?? null, sms: smsOf(app.config) }
}

function smsOf({ sms, publicUrl }: App['config']): TextGateway | null {
  if (sms.provider === 'twilio') return twilioGateway(sms, `${publicUrl}${SMS_RECEIPTS}`)
  return sms.provider === 'http' ? smsGateway(sms) : null
}
