import * as api from '@qatra/contract/places/areas-admin'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { createArea, deleteArea, updateArea } from './admin.commands.ts'
import { listManagedAreas } from './admin.queries.ts'
import { importAreas } from './import.commands.ts'
import type { AreaSnapshot } from './snapshot.ts'

const FILE_LIMIT = 4 * 1024 * 1024

export function areaAdminRoutes(app: App, { current, reload: renew }: ReferenceData<AreaSnapshot>) {
  serve(app, api.listManagedAreas, listManagedAreas)
  serve(app, api.createArea, (ctx, { body }) => createArea(ctx, current(), body), { renew })
  serve(app, api.updateArea, (ctx, { params, body }) => updateArea(ctx, current(), params.id, body), { renew })
  serve(app, api.deleteArea, (ctx, { params }) => deleteArea(ctx, params.id), { renew })
  serve(app, api.importAreas, (ctx, input) => importAreas(app, ctx, current(), input), {
    renew,
    bodyLimit: FILE_LIMIT,
    timeoutMs: 60_000,
    transaction: 'none',
  })
}
