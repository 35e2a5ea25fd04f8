import { getDeliveryArea } from '@qatra/contract/areas'
import type { Serving } from '../areas/queries.ts'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { readDeliveryArea } from './delivery-area.queries.ts'

export const deliveryAreaRoutes = (app: App, { current }: Pick<ReferenceData<AreaSnapshot & Serving>, 'current'>) =>
  serve(app, getDeliveryArea, (ctx) => readDeliveryArea(ctx, current()))
