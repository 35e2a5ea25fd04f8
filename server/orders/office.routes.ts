import * as api from '@qatra/contract/orders'
import type { App } from '../platform/runtime.ts'
import { serve } from '../platform/serve.ts'
import { changeOrderStatus } from './commands.ts'

export function orderOfficeRoutes(app: App) {
  serve(app, api.changeOrderStatus, (ctx, { params, body }) => changeOrderStatus(ctx, params.id, body))
}
