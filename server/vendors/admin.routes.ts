import * as api from '@qatra/contract/vendors/admin'
import { getBusiness, saveBusiness as putBusiness } from '@qatra/contract/vendors/business'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { createVendor, deleteVendor, saveBusiness, setVendorAreas, updateVendor } from './admin.commands.ts'
import {
  type Known,
  listAreasOfVendor,
  requireBusiness,
  requireManagedVendor,
  searchManagedVendors,
} from './admin.queries.ts'

export function vendorAdminRoutes(app: App, { current, reload: renew }: ReferenceData<Known>) {
  serve(app, api.listManagedVendors, (ctx, { query }) => searchManagedVendors(ctx, current(), query))
  serve(app, api.createVendor, (ctx, { body }) => createVendor(ctx, current(), body), { renew })
  serve(app, api.getManagedVendor, (ctx, { params }) => requireManagedVendor(ctx, current(), params.id))
  serve(app, api.updateVendor, (ctx, { params, body }) => updateVendor(ctx, current(), params.id, body), { renew })
  serve(app, api.deleteVendor, (ctx, { params }) => deleteVendor(ctx, params.id), { renew })
  serve(app, api.listVendorAreas, (ctx, { params }) => listAreasOfVendor(ctx, params.id))
  serve(app, api.setVendorAreas, (ctx, { params, body }) => setVendorAreas(ctx, params.id, body.areaIds), { renew })
  serve(app, getBusiness, (ctx, { params }) => requireBusiness(ctx, params.id))
  serve(app, putBusiness, (ctx, { params, body }) => saveBusiness(ctx, params.id, body), { renew })
}
