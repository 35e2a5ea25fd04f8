import type { Config } from '../config/config.ts'
import { hmac, keyFor } from '../lib/secrets.ts'
import { account } from './simulator/whatsapp-cloud/webhook-calls.ts'

/**
 * Accounts of WhatsApp and SMS. Those of the simulator have keys of this installation, so that nobody else's calls are
 * believed.
 */
export function providerSettings({
  simulator,
  whatsapp,
  sms,
  secret,
}: Pick<Config, 'simulator' | 'whatsapp' | 'sms' | 'secret'>): Pick<Config, 'whatsapp' | 'sms'> {
  if (!simulator) return { whatsapp, sms }
  const key = (purpose: string) => hmac(keyFor(secret, 'simulated webhooks'), purpose)
  return {
    whatsapp: {
      ...whatsapp,
      token: whatsapp.token ?? key('token'),
      phoneNumberId: whatsapp.phoneNumberId ?? account.phoneNumberId,
      businessAccountId: whatsapp.businessAccountId ?? account.businessId,
      appSecret: whatsapp.appSecret ?? key('sign'),
      verifyToken: whatsapp.verifyToken ?? key('verify'),
    },
    sms:
      sms.provider === 'none' ? { ...sms, provider: 'http', url: 'https://sms.test/messages', token: key('sms') } : sms,
  }
}
