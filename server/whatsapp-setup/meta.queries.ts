import type { WhatsappConfig } from '../config/messaging.ts'
import type { App } from '../http/runtime.ts'
import { messagingFetch } from '../providers/gateways.ts'
import { providerSettings } from '../providers/settings.ts'
import { managementOf, readAccount } from './management.gateway.ts'

/** Calls to Meta with the present settings, or others that are tried. Slow: make them outside of transactions. */
const callsOf = (app: App, settings: WhatsappConfig = providerSettings(app.config).whatsapp) =>
  [settings, { fetch: messagingFetch(app) }] as const

export const askAboutAccount = (app: App, settings?: WhatsappConfig) => readAccount(...callsOf(app, settings))
export const meta = (app: App, settings?: WhatsappConfig) => managementOf(...callsOf(app, settings))
