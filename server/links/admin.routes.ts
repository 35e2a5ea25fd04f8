import * as api from '@qatra/contract/links/admin'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { makeAdminLink, revokeAdminLink } from './admin.commands.ts'
import { listAdminLinks } from './admin.queries.ts'

export function linkAdminRoutes(app: App) {
  serve(app, api.listLinks, (ctx, { query }) => listAdminLinks(ctx, query))
  serve(app, api.createLink, (ctx, { body }) => makeAdminLink(ctx, app, body))
  serve(app, api.generateLink, (ctx, { body }) => makeAdminLink(ctx, app, body))
  serve(app, api.revokeLink, (ctx, { params }) => revokeAdminLink(ctx, params.id))
  serve(app, api.deleteLink, (ctx, { params }) => revokeAdminLink(ctx, params.id))
}
