import { getAccount } from '@qatra/contract/whatsapp/connection/account'
import * as api from '@qatra/contract/whatsapp/connection/connection'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { readAccount } from './account.queries.ts'
import { resetConnection } from './connection.commands.ts'
import { readConnection } from './connection.queries.ts'

export function connectionRoutes(app: App) {
  serve(app, api.getConnection, (ctx) => readConnection(ctx, app.config))
  serve(app, getAccount, (ctx) => readAccount(ctx, app.config))
  serve(app, api.resetConnection, (ctx) => resetConnection(ctx, app.config))
}
