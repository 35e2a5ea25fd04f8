import * as api from '@qatra/contract/users/auth'
import { userOf } from '../database/context.ts'
import type { PersonalData } from '../database/personal-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { eraseAccount, exportAccount } from './account.commands.ts'

/** Per person. Leaves room for retries after network errors. */
const exportsOfPerson = { burst: 60, perMinute: 1 }

/** Export and erasure of personal data, using the registrations of all features. */
export function accountRoutes(app: App, features: readonly PersonalData[]) {
  const exporting = app.rateLimiters.create('exports', { ...exportsOfPerson, keyOf: (userId) => userId })
  serve(app, api.exportAccount, async (ctx) => {
    await exporting.consume(String(userOf(ctx).id))
    return exportAccount(ctx, features)
  })
  serve(app, api.eraseAccount, (ctx) => eraseAccount(ctx, app.cookies, features))
}
