import * as api from '@qatra/contract/notifications/push'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { confirm, subscribe, unsubscribe } from './commands.ts'
import { readPush } from './queries.ts'
import { vapidKeys } from './vapid.ts'

export function pushRoutes(app: App) {
  const { publicKey } = vapidKeys(app.config.secret)
  serve(app, api.getPush, (ctx) => readPush(ctx, publicKey))
  serve(app, api.subscribePush, (ctx, { body }) => subscribe(ctx, app.config, body))
  serve(app, api.unsubscribePush, (ctx) => unsubscribe(ctx))
  serve(app, api.confirmPush, (ctx, { body }) => confirm(ctx, body.id))
}
