import { bahrainDate } from '@qatra/contract/calendar/calendar'
import * as api from '@qatra/contract/products/admin'
import { createBottleType, listBottleTypes, updateBottleType } from '@qatra/contract/products/bottle-types'
import {
  BULK_BYTES,
  bulkProducts,
  bulkTemplate,
  listProductImports as listImports,
  undoProductImport,
} from '@qatra/contract/products/bulk'
import * as bottles from '../bottles/queries.ts'
import * as types from '../bottles/types.commands.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveTable } from '../http/serve-table.ts'
import { serveUpload } from '../http/uploads.ts'
import { AppError } from '../lib/errors.ts'
import { retryRemotePicture } from '../media/commands.ts'
import { managesVendor, vendorInReach } from '../vendors/policy.ts'
import {
  exportProducts,
  listAdminProducts,
  listProductAudit,
  listProductImports,
  requireOwnProduct,
  toAdminProduct,
} from './admin.queries.ts'
import * as template from './bulk/columns.ts'
import { uploadProducts } from './bulk/commands.ts'
import { undoImport } from './bulk/undo.commands.ts'
import { createProduct, deleteProduct, updateProduct } from './commands.ts'
import type { ProductSnapshot } from './snapshot.ts'

/** Product management for staff. */
export function productAdminRoutes(app: App, { current, reload: renew }: ReferenceData<ProductSnapshot>) {
  serve(app, api.listAdminProducts, (ctx, { query }) => listAdminProducts(current(), ctx, query))
  serveTable(app, api.exportProducts, async (ctx, { query }) => {
    const table = await exportProducts(current(), ctx, query)
    return { list: 'products', filters: query, name: `qatra-products-${bahrainDate(ctx.now)}`, table }
  })
  serve(app, api.createProduct, (ctx, { body }) => createProduct(ctx, current(), body), { renew })
  serve(app, api.getAdminProduct, (ctx, { params }) =>
    toAdminProduct(requireOwnProduct(current(), ctx, params.id), current().pictures),
  )
  serve(app, api.updateProduct, (ctx, { params, body }) => updateProduct(ctx, current(), params.id, body), { renew })
  serve(app, api.deleteProduct, (ctx, { params }) => deleteProduct(ctx, params.id), { renew })
  serve(app, api.listProductAudit, (ctx, { params }) => listProductAudit(ctx, params.id))

  serveUpload(app, bulkProducts, (ctx, input) => uploadProducts(ctx, app, current(), input), {
    bytes: BULK_BYTES,
    renew: async ({ created, updated = 0 }) => (created + updated > 0 ? renew() : undefined),
  })
  serve(app, listImports, (ctx, { query }) => listProductImports(ctx, query))
  serve(app, undoProductImport, (ctx, { params }) => undoImport(ctx, current(), params.importId), { renew })
  serve(app, api.retryPicture, async (ctx, { body: { url } }) => {
    const { products, vendors } = current()
    const isOwn =
      [...products.values()].some((each) => each.imageUrl === url && managesVendor(ctx.actor, each.vendorId)) ||
      [...vendors.values()].some((each) => each.logoUrl === url && managesVendor(ctx.actor, each.id))
    if (!isOwn) throw new AppError('NOT_FOUND')
    await retryRemotePicture(ctx, url)
    // The job also runs every minute.
    ctx.afterCommit(() => void app.queue.send('fetch-pictures', {}).catch(() => undefined))
    return { success: true as const }
  })
  serve(app, listBottleTypes, (ctx, { query }) =>
    bottles.listBottleTypes(ctx, vendorInReach(ctx.actor, query.vendorId || null)),
  )
  serve(app, createBottleType, (ctx, { body }) => types.createBottleType(ctx, body), { renew })
  serve(app, updateBottleType, (ctx, { params, body }) => types.updateBottleType(ctx, params.id, body), { renew })
  serve(app, bulkTemplate, (ctx) => {
    ctx.setHeader('content-disposition', 'attachment; filename="products.csv"')
    return template.bulkTemplate(vendorInReach(ctx.actor) ?? 1)
  })
}
