import type { App } from '../http/runtime.ts'
import { messagingFetch } from '../providers/gateways.ts'
import { providerSettings } from '../providers/settings.ts'
import { managementOf, readAccount } from './management.gateway.ts'

/** Calls to Meta with the settings of this process. Slow: make them outside of transactions. */
const callsOf = (app: App) => [providerSettings(app.config).whatsapp, { fetch: messagingFetch(app) }] as const

export const askAboutAccount = (app: App) => readAccount(...callsOf(app))
export const meta = (app: App) => managementOf(...callsOf(app))
