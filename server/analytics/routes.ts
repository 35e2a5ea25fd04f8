import { initiateCheckout } from '@qatra/contract/analytics'
import { retryLater } from '../platform/errors.ts'
import { createLimiter } from '../platform/limits.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { App } from '../platform/runtime.ts'
import { serve } from '../platform/serve.ts'
import { countCheckouts, countPurchases } from './figures.ts'

const checkouts = { burst: 20, perMinute: 30 }

/** Whatever a page sends about a checkout is welcome and unread: it is counted, and nothing of it is kept. */
export function analyticsRoutes(app: App, metrics: Metrics) {
  const began = countCheckouts(metrics)
  countPurchases(metrics, app.pool)
  const limiter = createLimiter({ ...checkouts, isOn: app.config.rateLimits })
  // A scope of its own, since bodies that no other endpoint would take are no reason to refuse here.
  app.http.register(async (http) => {
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, undefined))
    serve(
      { ...app, http },
      initiateCheckout,
      ({ client }) => {
        const seconds = limiter.wait(client.ip)
        if (seconds !== null) throw retryLater('TOO_MANY_REQUESTS', seconds)
        began()
      },
      { transaction: 'none' },
    )
  })
}
