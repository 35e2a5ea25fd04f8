import * as api from '@qatra/contract/links/links'
import type { SignInParts } from '../auth/sessions.commands.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { openLink } from './commands.ts'
import { readLinkStatus } from './queries.ts'

export function linkRoutes(app: App, { current }: Pick<SignInParts, 'current'>) {
  serve(app, api.getLinkStatus, (ctx, { params }) => readLinkStatus(ctx, params.token))
  serve(app, api.verifyLink, (ctx, { params }) => openLink(ctx, { ...app, current }, params.token))
}
