import { nextPromiseChange } from '@qatra/contract/calendar/slot'
import { findAreaAt, getArea, listAreas } from '@qatra/contract/places/areas'
import { getProduct, listProducts } from '@qatra/contract/products/products'
import { getSite } from '@qatra/contract/settings/site'
import { getVendorRecord } from '@qatra/contract/vendors/record'
import { deliversTo, getDeliveryDate, getDeliveryDays, getVendor, listVendors } from '@qatra/contract/vendors/vendors'
import * as areas from '../areas/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveShared } from '../http/serve-shared.ts'
import * as products from '../products/queries.ts'
import { readSite } from '../site/queries.ts'
import * as vendors from '../vendors/queries.ts'
import type { Catalogue } from './queries.ts'

/** Endpoints that read from the snapshot. */
export function catalogueRoutes(app: App, { current }: ReferenceData<Catalogue>) {
  const vendorsFor = (areaId: number | undefined, now: Date) =>
    areaId === undefined ? vendors.listVendors(current(), now) : vendors.listVendorsFor(current(), areaId, now)
  serveShared(app, listVendors, ({ query }, now) => vendorsFor(query.areaId, now), {
    cacheAs: ({ query: { areaId } }) =>
      areaId === undefined ? listVendors.path : `${listVendors.path}?areaId=${areaId}`,
    until: (_, now) => vendors.vendorsChangeAt(current(), now),
  })
  serve(
    app,
    getVendor,
    ({ actor, now }, { params }) =>
      vendors.toVendor(current(), vendors.requireVendor(current(), actor, params.id), now),
    { hasEtag: true },
  )
  const recordOf = vendors.vendorRecords()
  serve(app, getVendorRecord, (ctx, { params }) =>
    recordOf(ctx, vendors.requireVendor(current(), ctx.actor, params.id).id),
  )
  serveShared(app, deliversTo, ({ params }) => vendors.readDelivers(current(), params))
  serveShared(app, getDeliveryDate, ({ query }, now) =>
    vendors.readDeliveryDate(current(), query.vendorId, query.at === undefined ? now : new Date(query.at)),
  )

  serveShared(app, getDeliveryDays, ({ query }, now) =>
    vendors.readDeliveryDays(current(), query, query.at === undefined ? now : new Date(query.at)),
  )

  serveShared(app, listProducts, ({ query }) => products.listProducts(current(), query), {
    cacheAs: ({ query }) => addressOf(query, current()),
  })
  serve(app, getProduct, ({ actor }, { params }) => products.requireProduct(current(), actor, params.id), {
    hasEtag: true,
  })

  serveShared(app, listAreas, () => areas.listAreas(current()), { cacheAs: () => listAreas.path })
  serveShared(app, findAreaAt, ({ query }) => areas.requireAreaAt(current(), query))
  serveShared(app, getArea, ({ params }) => areas.requireArea(current(), params.id), {
    cacheAs: ({ params }) => (current().areas.has(params.id) ? `/api/areas/${params.id}` : null),
  })

  serveShared(app, getSite, (_, now) => readSite(current(), app.config, now), {
    cacheAs: () => getSite.path,
    until: (_, now) => nextPromiseChange([], now),
  })
}

/** Caches the lists that pages request: all products and those of one vendor. Other lists would be too many. */
function addressOf({ vendorId, category, search }: products.ProductFilter, catalogue: Catalogue): string | null {
  if (category || search) return null
  if (!vendorId) return listProducts.path
  return catalogue.vendors.has(vendorId) ? `${listProducts.path}?vendorId=${vendorId}` : null
}
