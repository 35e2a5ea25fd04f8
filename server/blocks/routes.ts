import * as api from '@qatra/contract/places/blocks-admin'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { deleteBlock, deleteBlocks, importBlocks } from './commands.ts'
import { listBlocks } from './queries.ts'
import type { BlockSnapshot } from './snapshot.ts'

const FILE_LIMIT = 4 * 1024 * 1024

export function blockRoutes(app: App, { current, reload: renew }: ReferenceData<AreaSnapshot & BlockSnapshot>) {
  serve(app, api.listBlocks, (ctx, { query }) => listBlocks(ctx, query))
  serve(app, api.deleteBlock, (ctx, { params }) => deleteBlock(ctx, params.id), { renew })
  serve(app, api.deleteBlocks, deleteBlocks, { renew })
  serve(app, api.importBlocks, (ctx, input) => importBlocks(app, ctx, current(), input), {
    renew,
    bodyLimit: FILE_LIMIT,
    timeoutMs: 60_000,
    transaction: 'none',
  })
}
