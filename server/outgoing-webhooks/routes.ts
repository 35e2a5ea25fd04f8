import * as api from '@qatra/contract/outgoing-webhooks'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import * as commands from './commands.ts'

export function outgoingWebhookRoutes(app: App) {
  serve(app, api.listHooks, (ctx, { query }) => commands.listHooks(ctx, query.vendorId))
  serve(app, api.createHook, (ctx, { body }) => commands.createHook(ctx, app.config, body))
  serve(app, api.switchHook, (ctx, { params, body }) => commands.switchHook(ctx, params.id, body.isEnabled))
  serve(app, api.deleteHook, (ctx, { params }) => commands.deleteHook(ctx, params.id))
  serve(app, api.pingHook, (ctx, { params }) => commands.pingHook(ctx, params.id))
  serve(app, api.listHookDeliveries, (ctx, { params, query }) => commands.listHookDeliveries(ctx, params.id, query))
  serve(app, api.resendHookDelivery, (ctx, { params }) => commands.resendDelivery(ctx, params.id))
}
