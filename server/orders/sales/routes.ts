import * as api from '@qatra/contract/sales'
import type { Catalogue } from '../../catalogue/queries.ts'
import { userOf } from '../../database/context.ts'
import type { ReferenceData } from '../../database/reference-data.ts'
import type { App } from '../../http/runtime.ts'
import { serve } from '../../http/serve.ts'
import { listPriceFloors } from '../../vendors/floors.queries.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import type { OrderLookup } from '../lookup-limit.ts'
import { countRefused } from '../placing/metrics.ts'
import { soldBy } from '../policy.ts'
import { pageOfOrders, requireOrder } from '../queries.ts'
import { placeSalesOrder } from './commands.ts'
import { listSalesDays, requireSalesCustomer } from './queries.ts'

/** Phone look-ups of one agent: enough for a busy morning, too few to scan numbers. */
export const lookUps = { burst: 60, perMinute: 10 }

export function salesRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const limiter = app.rateLimiters.create('sales-customers', { ...lookUps, keyOf: (agentId) => agentId })
  serve(app, api.findSalesCustomer, async (ctx, { query }) => {
    await limiter.consume(String(userOf(ctx).id))
    return requireSalesCustomer(ctx, query.phone)
  })
  serve(app, api.placeSalesOrder, (ctx, { body }) => placeSalesOrder(ctx, catalogue.current(), body), {
    onRefused: (refusal) => countRefused('sales', refusal),
  })
  serve(app, api.listPriceFloors, (ctx) => listPriceFloors(ctx, vendorInReach(ctx.actor)))
  serve(app, api.listSalesOrders, (ctx, { query }) => pageOfOrders(ctx, soldBy(ctx.actor), query))
  serve(app, api.listSalesDays, (ctx) => listSalesDays(ctx))
  serve(app, api.getSalesOrder, (ctx, { params }) =>
    limited(ctx, () => requireOrder(ctx, params.id, soldBy(ctx.actor))),
  )
}
