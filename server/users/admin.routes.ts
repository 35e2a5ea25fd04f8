import * as api from '@qatra/contract/users/users'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { changeRole, type Revocation, removeVendorAccess, updatePerson } from './admin.commands.ts'
import { listPeople, requirePerson } from './admin.queries.ts'

export function peopleRoutes(app: App, revocation: Revocation) {
  serve(app, api.listUsers, (ctx, { query }) => listPeople(ctx, query))
  serve(app, api.getUser, (ctx, { params }) => requirePerson(ctx, params.id))
  serve(app, api.updateUser, (ctx, { params, body }) => updatePerson(ctx, params.id, body, revocation))
  serve(app, api.changeRole, (ctx, { params, body }) => changeRole(ctx, params.id, body, revocation))
  serve(app, api.removeVendorAccess, (ctx, { params }) => removeVendorAccess(ctx, params.id, revocation))
}
