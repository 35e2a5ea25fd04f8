import * as keysApi from '@qatra/contract/api-keys'
import * as api from '@qatra/contract/users/auth'
import * as impersonationApi from '@qatra/contract/users/impersonation'
import * as passkeysApi from '@qatra/contract/users/passkeys'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { updateProfile } from '../users/commands.ts'
import { readMe } from '../users/queries.ts'
import { sendCode, signInWithCode } from './codes.commands.ts'
import {
  endDueImpersonations,
  readImpersonation,
  startImpersonation,
  stopImpersonation,
} from './impersonation.commands.ts'
import { createKey, listKeys, revokeKey } from './keys.commands.ts'
import { signInWithMessage, startMessageLogin } from './message-login.commands.ts'
import { confirmRecovery } from './passkey-recovery.commands.ts'
import * as passkeys from './passkeys.commands.ts'
import { type SignInParts, signOut } from './sessions.commands.ts'

export function authRoutes(app: App, { current }: Pick<SignInParts, 'current'>) {
  const parts = { ...app, current }
  serve(app, api.verifyPhone, (ctx, { body }) => sendCode(ctx, app, body))
  serve(app, api.verifyCode, (ctx, { body }) => signInWithCode(ctx, parts, body))
  serve(app, api.startMessageLogin, (ctx, { body }) => startMessageLogin(ctx, app, body))
  serve(app, api.finishMessageLogin, (ctx, { body }) => signInWithMessage(ctx, parts, body.secret))
  const passkeyTries = app.rateLimiters.create('passkey-sign-in', { burst: 20, perMinute: 10 })
  serve(app, passkeysApi.startPasskeySignIn, async (ctx) => {
    await passkeyTries.consume(ctx.client.ip)
    return passkeys.startPasskeySignIn(ctx, app)
  })
  serve(app, passkeysApi.finishPasskeySignIn, async (ctx, { body }) => {
    await passkeyTries.consume(ctx.client.ip)
    return passkeys.signInWithPasskey(ctx, parts, body)
  })
  serve(app, passkeysApi.listPasskeys, (ctx) => passkeys.listPasskeys(ctx))
  serve(app, passkeysApi.startPasskey, (ctx) => passkeys.startPasskey(ctx, app))
  serve(app, passkeysApi.addPasskey, (ctx, { body }) => passkeys.addPasskey(ctx, app, body))
  serve(app, passkeysApi.renamePasskey, (ctx, { params, body }) => passkeys.renamePasskey(ctx, params.id, body.name))
  serve(app, passkeysApi.removePasskey, (ctx, { params }) => passkeys.removePasskey(ctx, params.id))
  serve(app, passkeysApi.confirmRecovery, (ctx, { params }) => confirmRecovery(ctx, params.id))
  serve(app, api.logout, (ctx) => signOut(ctx, app.cookies))
  serve(app, api.getMe, readMe, { isReadWithoutPrimary: true })
  serve(app, api.getProfile, readMe, { isReadWithoutPrimary: true })
  serve(app, api.updateProfile, (ctx, { body }) => updateProfile(ctx, body))
}

export function impersonationRoutes(app: App) {
  serve(app, impersonationApi.startImpersonation, (ctx, { params, body }) =>
    startImpersonation(ctx, app.cookies, { userId: params.userId, reason: body.reason }),
  )
  serve(app, impersonationApi.stopImpersonation, (ctx) => stopImpersonation(ctx, app.cookies))
  serve(app, impersonationApi.getImpersonation, readImpersonation)
}

export function keyRoutes(app: App) {
  serve(app, keysApi.listKeys, (ctx, { query }) => listKeys(ctx, query))
  serve(app, keysApi.createKey, (ctx, { body }) => createKey(ctx, body))
  serve(app, keysApi.revokeKey, (ctx, { params }) => revokeKey(ctx, params.id))
}

export function impersonationJobs(app: App) {
  app.queue.handle('due-impersonations', {}, async () => {
    await inTransaction(app.pool, (db) => endDueImpersonations({ db }))
  })
}
