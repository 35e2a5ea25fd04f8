import * as api from '@qatra/contract/links-office'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { makeOfficeLink, revokeOfficeLink } from './office.commands.ts'
import { listOfficeLinks } from './office.queries.ts'

export function linkOfficeRoutes(app: App) {
  serve(app, api.listLinks, (ctx, { query }) => listOfficeLinks(ctx, query))
  serve(app, api.createLink, (ctx, { body }) => makeOfficeLink(ctx, app, body))
  serve(app, api.generateLink, (ctx, { body }) => makeOfficeLink(ctx, app, body))
  serve(app, api.revokeLink, (ctx, { params }) => revokeOfficeLink(ctx, params.id))
  serve(app, api.deleteLink, (ctx, { params }) => revokeOfficeLink(ctx, params.id))
}
