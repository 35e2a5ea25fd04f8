import * as api from '@qatra/contract/settings/setup'
import { areaList, areasSource } from '../areas/bahrain/area-list.ts'
import { installAreas } from '../areas/import.commands.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { deleteTestOrder, placeTestOrder } from './commands.ts'
import { readSetup } from './queries.ts'

export function setupRoutes(app: App, { current, reload: renew }: ReferenceData<Catalogue>) {
  serve(app, api.getSetup, (ctx) => readSetup(ctx, app.config))
  serve(app, api.getShippedAreas, () => ({ ...areasSource, count: areaList.length }))
  serve(app, api.installAreas, (ctx) => installAreas(ctx), { renew })
  serve(app, api.placeTestOrder, (ctx, { body }) => placeTestOrder(ctx, current(), body.vendorId))
  serve(app, api.deleteTestOrder, (ctx) => deleteTestOrder(ctx))
}
