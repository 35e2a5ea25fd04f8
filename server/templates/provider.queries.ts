import type { App } from '../http/runtime.ts'
import { fetchTemplates } from './cloud.gateway.ts'
import type { ProviderTemplate } from './provider-template.ts'
import { simulatedTemplates } from './simulated.ts'

/** All that the provider has; null where it does not tell all of it. Takes its time: outside of any transaction. */
export const askProvider = async ({ config }: Pick<App, 'config'>): Promise<readonly ProviderTemplate[] | null> =>
  config.simulator ? simulatedTemplates(config.publicUrl) : fetchTemplates(config.whatsapp)
