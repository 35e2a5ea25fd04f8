import type { Logger } from 'pino'
import { readSessions } from './auth/session-reader.ts'
import { cartJobs } from './cart/jobs.ts'
import { cartRoutes } from './cart/routes.ts'
import { readCatalogue } from './catalogue/queries.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import type { Config } from './platform/config.ts'
import { createApp } from './platform/create-app.ts'
import { holdReference } from './platform/reference.ts'
import type { App } from './platform/runtime.ts'

export interface Shop {
  app: App
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** The table of contents: every feature's routes and jobs. */
export async function buildApp(parts: {
  config: Config
  databaseUrl: string
  log: Logger
  say?: (line: string) => void
}): Promise<Shop> {
  const app = await createApp({ ...parts, readSessions })
  const catalogue = await holdReference(readCatalogue, app.db, app.listener, app.log)
  catalogue.onChange(app.prepared.clear)

  catalogueRoutes(app, catalogue)
  cartRoutes(app, catalogue)
  cartJobs(app)

  return {
    app,
    async start() {
      await app.queue.start()
      await app.http.ready()
    },
    async stop() {
      await app.http.close()
      await app.queue.stop()
      await app.listener.stop()
      await app.pool.end()
    },
  }
}
