import * as api from '@qatra/contract/settings/settings'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { saveSettings } from './commands.ts'
import { readSettings } from './queries.ts'

export function settingsRoutes(app: App, { reload: renew }: Pick<ReferenceData<unknown>, 'reload'>) {
  serve(app, api.getSettings, (ctx) => readSettings(ctx))
  serve(app, api.saveSettings, (ctx, { body }) => saveSettings(ctx, body), { renew })
}
