import * as api from '@qatra/contract/notifications/notifications'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveStream } from '../http/streams/serve-stream.ts'
import { readNotifications } from './commands.ts'
import { openFeed } from './feed.ts'
import { listNotifications } from './queries.ts'

export async function notificationRoutes(app: App) {
  const feed = await openFeed(app)
  serveStream(app, api.streamEvents, 'admin', (user, { query }, lastId) =>
    feed.begin(user, 'admin', lastId ?? query.after ?? null),
  )
  serveStream(app, api.streamMyOrders, 'my-orders', (user, { query }, lastId) =>
    feed.begin(user, 'my-orders', lastId ?? query.after ?? null),
  )
  serve(app, api.listNotifications, (ctx, { query }) => listNotifications(ctx, query))
  serve(app, api.readNotifications, (ctx, { body }) => readNotifications(ctx, body))
}
