import * as api from '@qatra/contract/auth'
import { userOf } from '../platform/context.ts'
import { retryLater } from '../platform/errors.ts'
import { createLimiter } from '../platform/limits.ts'
import type { PersonalData } from '../platform/personal-data.ts'
import type { App } from '../platform/runtime.ts'
import { serve } from '../platform/serve.ts'
import { eraseAccount, exportAccount } from './account.commands.ts'

/** Per person. Leaves room for retries after network errors. */
const exportsOfPerson = { burst: 60, perMinute: 1 }

/** Export and erasure of personal data, using the registrations of all features. */
export function accountRoutes(app: App, features: readonly PersonalData[]) {
  const exporting = createLimiter({ ...exportsOfPerson, isOn: app.config.rateLimits, keyOf: (userId) => userId })
  serve(app, api.exportAccount, (ctx) => {
    const seconds = exporting.wait(String(userOf(ctx).id))
    if (seconds !== null) throw retryLater('TOO_MANY_REQUESTS', seconds)
    return exportAccount(ctx, features)
  })
  serve(app, api.eraseAccount, (ctx) => eraseAccount(ctx, app.cookies, features))
}
