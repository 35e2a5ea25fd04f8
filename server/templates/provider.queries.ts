import type { App } from '../http/runtime.ts'
import { messagingFetch } from '../providers/gateways.ts'
import { providerSettings } from '../providers/settings.ts'
import { fetchTemplates } from './cloud.gateway.ts'
import type { ProviderTemplate } from './provider-template.ts'

/** All templates of the provider; null if the list is incomplete. Slow: call it outside of transactions. */
export const askProvider = (app: App): Promise<readonly ProviderTemplate[] | null> =>
  fetchTemplates(providerSettings(app.config).whatsapp, { fetch: messagingFetch(app) })
