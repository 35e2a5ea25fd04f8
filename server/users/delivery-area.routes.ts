import * as api from '@qatra/contract/places/areas'
import type { Serving } from '../areas/queries.ts'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { chooseDeliveryArea } from './delivery-area.commands.ts'
import { readDeliveryArea } from './delivery-area.queries.ts'

export function deliveryAreaRoutes(app: App, { current }: Pick<ReferenceData<AreaSnapshot & Serving>, 'current'>) {
  serve(app, api.getDeliveryArea, (ctx) => readDeliveryArea(ctx, current()))
  serve(app, api.chooseDeliveryArea, (ctx, { body }) => chooseDeliveryArea(ctx, current(), body.areaId))
}
