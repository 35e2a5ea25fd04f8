import * as api from '@qatra/contract/users/invitations'
import { importPeople as importing, PEOPLE_BYTES } from '@qatra/contract/users/people-import'
import { createUser } from '@qatra/contract/users/users'
import { userOf } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveUpload } from '../http/uploads.ts'
import { createPerson, type Revocation } from '../users/admin.commands.ts'
import { accept, decline, invite, resend, withdraw } from './commands.ts'
import { importPeople } from './import.commands.ts'
import { listAdmin, listOwn } from './queries.ts'

export function invitationRoutes(app: App, revocation: Revocation) {
  const limits = { isLimited: app.config.rateLimits }
  // A super admin creates the account; a vendor's admin invites the person.
  serve(app, createUser, (ctx, { body }) =>
    userOf(ctx).role === 'super_admin' ? createPerson(ctx, body) : invite(ctx, body, limits),
  )
  serveUpload(app, importing, (ctx, input) => importPeople(ctx, app, input, limits), { bytes: PEOPLE_BYTES })
  serve(app, api.listAdminInvitations, (ctx, { query }) => listAdmin(ctx, query))
  serve(app, api.resendInvitation, (ctx, { params }) => resend(ctx, params.id, limits))
  serve(app, api.withdrawInvitation, (ctx, { params }) => withdraw(ctx, params.id))
  serve(app, api.listInvitations, (ctx) => listOwn(ctx))
  serve(app, api.acceptInvitation, (ctx, { params, body }) =>
    accept(ctx, app.cookies, { ...params, ...body }, revocation),
  )
  serve(app, api.declineInvitation, (ctx, { params }) => decline(ctx, params.id))
}
