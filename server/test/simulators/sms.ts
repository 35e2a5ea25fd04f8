import { createSmsApi, type SentSms } from '../../../demo/simulators/sms/sms-api.ts'
import { type ProviderServer, serveProvider } from './server.ts'

/** The simulated SMS provider on a port of its own, with its state in memory. */
export interface SmsServer extends ProviderServer {
  token: string
  sent: SentSms[]
}

export async function startSms(): Promise<SmsServer> {
  const token = 'a-token-of-the-sms-provider-1b7c'
  const sent: SentSms[] = []
  const server = await serveProvider(createSmsApi({ token, accept: async (message) => void sent.push(message) }))
  return { ...server, token, sent }
}
