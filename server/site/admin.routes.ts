import * as api from '@qatra/contract/settings/settings'
import * as inbox from '@qatra/contract/whatsapp/inbox/settings'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { saveInboxSettings, saveSettings } from './commands.ts'
import { readInboxSettings, readSettings } from './queries.ts'

export function settingsRoutes(app: App, { reload: renew }: Pick<ReferenceData<unknown>, 'reload'>) {
  serve(app, api.getSettings, (ctx) => readSettings(ctx))
  serve(app, api.saveSettings, (ctx, { body }) => saveSettings(ctx, body), { renew })
  serve(app, inbox.getInboxSettings, (ctx) => readInboxSettings(ctx))
  serve(app, inbox.saveInboxSettings, (ctx, { body }) => saveInboxSettings(ctx, body), { renew })
}
