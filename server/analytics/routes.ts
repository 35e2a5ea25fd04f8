import { initiateCheckout } from '@qatra/contract/analytics'
import { Counter } from 'prom-client'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'

const checkouts = { burst: 20, perMinute: 30 }

const begun = new Counter({
  name: 'qatra_checkouts_begun_total',
  help: 'Checkouts begun, as the pages of this process tell',
})

/** Counts checkout events; ignores and discards their bodies. */
export function analyticsRoutes(app: App) {
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
        begun.inc()
      },
      { transaction: 'none' },
    )
  })
}
