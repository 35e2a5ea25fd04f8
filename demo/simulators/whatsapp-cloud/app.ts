import type { GraphApp } from './graph-account.ts'

/** The app of a simulated account, before its webhook is set. */
export const simulatedApp = (secret: string): GraphApp => ({
  id: '100000000000003',
  secret,
  webhook: null,
  isSubscribed: false,
  businessVerification: 'verified',
  numberStatus: 'CONNECTED',
  scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
  expiresAt: 0,
})
