import * as api from '@qatra/contract/queues'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { discardFailed, retryFailed } from './commands.ts'
import { listFailures, readQueues } from './queries.ts'

export function queueRoutes(app: App) {
  serve(app, api.listQueues, (ctx) => readQueues(ctx))
  serve(app, api.listFailedJobs, (ctx, { query }) => listFailures(ctx, query))
  serve(app, api.retryJobs, (ctx, { body }) => retryFailed(ctx, app.queue, body))
  serve(app, api.discardJobs, (ctx, { body }) => discardFailed(ctx, app.queue, body))
}
