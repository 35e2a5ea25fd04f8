import * as api from '@qatra/contract/search-admin'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import type { ProductSnapshot } from '../products/snapshot.ts'
import { searchAdmin } from './queries.ts'

export function searchRoutes(app: App, catalogue: Pick<ReferenceData<ProductSnapshot & AreaSnapshot>, 'current'>) {
  serve(app, api.searchAdmin, (ctx, { query }) => searchAdmin(ctx, catalogue.current(), query.q))
}
