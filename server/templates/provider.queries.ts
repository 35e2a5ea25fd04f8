import type { App } from '../http/runtime.ts'
import { messagingFetch } from '../providers/gateways.ts'
import { providerSettings } from '../providers/settings.ts'
import { createTemplate, fetchTemplates, removeTemplate, replaceTemplate } from './cloud.gateway.ts'
import type { ProviderTemplate } from './provider-template.ts'

// All of these are slow: call them outside of transactions.
const present = (app: App) => providerSettings(app.config).whatsapp
const optionsOf = (app: App) => ({ fetch: messagingFetch(app) })

/** All templates of the provider; null if the list is incomplete. */
export const askProvider = (app: App): Promise<readonly ProviderTemplate[] | null> =>
  fetchTemplates(present(app), optionsOf(app))
export const submitTemplate = (app: App, template: object) => createTemplate(present(app), template, optionsOf(app))
export const resubmitTemplate = (app: App, template: Parameters<typeof replaceTemplate>[1]) =>
  replaceTemplate(present(app), template, optionsOf(app))
export const withdrawTemplate = (app: App, template: Parameters<typeof removeTemplate>[1]) =>
  removeTemplate(present(app), template, optionsOf(app))
