import * as api from '@qatra/contract/orders'
import type { App } from '../platform/runtime.ts'
import { serve } from '../platform/serve.ts'
import { changeOrderStatus } from './commands.ts'
import { guardGuessing } from './guessing.ts'

export function orderOfficeRoutes(app: App) {
  const looking = guardGuessing(app.config)
  serve(app, api.changeOrderStatus, (ctx, { params, body }) =>
    looking(ctx, () => changeOrderStatus(ctx, params.id, body)),
  )
}
