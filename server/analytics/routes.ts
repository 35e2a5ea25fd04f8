import { initiateCheckout } from '@qatra/contract/analytics'
import type { Metrics } from '../http/monitoring/metrics.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { countCheckouts, countPurchases } from './figures.ts'

const checkouts = { burst: 20, perMinute: 30 }

/** Counts checkout events; ignores and discards their bodies. */
export function analyticsRoutes(app: App, metrics: Metrics) {
  const began = countCheckouts(metrics)
  countPurchases(metrics, app.pool)
  const limiter = app.rateLimiters.create('checkouts', checkouts)
  // Own scope, which accepts any body.
  app.http.register(async (http) => {
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, done) => done(null, undefined))
    serve(
      { ...app, http },
      initiateCheckout,
      async ({ client }) => {
        await limiter.consume(client.ip)
        began()
      },
      { transaction: 'none' },
    )
  })
}
