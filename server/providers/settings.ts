import type { Config } from '../config/config.ts'
import { hmac, keyFor } from '../lib/secrets.ts'

/** The simulated account, which calls the shop's webhook. */
export const simulatedAccount = {
  businessId: '100000000000001',
  phoneNumberId: '100000000000002',
  number: '97317000000',
}
/** Name of the simulated Telegram bot. */
export const SIMULATED_BOT_NAME = 'QatraSimulatorBot'

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
      phoneNumberId: whatsapp.phoneNumberId ?? simulatedAccount.phoneNumberId,
      businessAccountId: whatsapp.businessAccountId ?? simulatedAccount.businessId,
      appSecret: whatsapp.appSecret ?? key('sign'),
      verifyToken: whatsapp.verifyToken ?? key('verify'),
    },
    sms:
      sms.provider === 'none' ? { ...sms, provider: 'http', url: 'https://sms.test/messages', token: key('sms') } : sms,
  }
}
