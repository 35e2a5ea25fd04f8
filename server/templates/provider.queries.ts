import type { App } from '../http/runtime.ts'
import { fetchTemplates } from './cloud.gateway.ts'
import type { ProviderTemplate } from './provider-template.ts'
import { simulatedTemplates } from './simulated.ts'

/** All templates of the provider; null if the list is incomplete. Slow: call it outside of transactions. */
export const askProvider = async ({ config }: Pick<App, 'config'>): Promise<readonly ProviderTemplate[] | null> =>
  config.simulator ? simulatedTemplates(config.publicUrl) : fetchTemplates(config.whatsapp)
