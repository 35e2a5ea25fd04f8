import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { addToOutbox, claimNext, settle } from './commands.ts'
import { type LegacyGateway, legacyGateway } from './legacy.gateway.ts'
import { listDueOrders } from './queries.ts'

const MAX_SWEPT = 200
/** The rest is left to the next minute's run. */
const SWEEP_MS = 45_000
/** After this many consecutive calls without an answer the run stops, so that other orders keep their attempts. */
const SILENCES = 3
/** Limit of changes per order and run. */
const MAX_CHANGES = 5

/** Inactive until an address is configured; then changes are not recorded either. */
export function legacyJobs(
  app: App,
  gateway: LegacyGateway | null = app.config.legacy.url === null ? null : legacyGateway(app.config.legacy),
) {
  app.queue.handle('legacy-sync', { filter: () => gateway !== null, expireInSeconds: 120 }, async ({ data }) => {
    if (!gateway) return
    if ('event' in data) await inTransaction(app.pool, (db) => addToOutbox({ db }, data.id, data.event))
    await syncOrder(app, gateway, data.id)
  })
  app.queue.handle('legacy-sweep', { concurrency: 1, expireInSeconds: 90, retryLimit: 0 }, () =>
    gateway ? sweep(app, gateway) : Promise.resolve(),
  )
}

type Parts = Pick<App, 'pool' | 'db' | 'log'>

/** Sends all due changes of an order, oldest first, outside of transactions. */
export async function syncOrder(
  app: Parts,
  gateway: LegacyGateway,
  id: string,
): Promise<'synced' | 'refused' | 'silent' | 'idle'> {
  let isSynced = false
  for (let change = 0; change < MAX_CHANGES; change += 1) {
    const claim = await inTransaction(app.pool, (db) => claimNext({ db }, id))
    if (!claim) break
    const outcome = await gateway.send({ ...claim.request, known: claim.known })
    await inTransaction(app.pool, (db) => settle({ db }, claim, outcome))
    if (outcome.kind === 'synced') {
      isSynced = true
      continue
    }
    app.log.warn({ orderId: id, kind: outcome.kind, status: outcome.status }, 'order not synced with the older system')
    return outcome.kind === 'refused' ? 'refused' : 'silent'
  }
  return isSynced ? 'synced' : 'idle'
}

/** Sends due changes and those of dead workers. */
export async function sweep(app: Parts, gateway: LegacyGateway): Promise<void> {
  const end = performance.now() + SWEEP_MS
  let silences = 0
  for (const id of await listDueOrders(app, MAX_SWEPT)) {
    if (silences >= SILENCES || performance.now() > end) return
    const result = await syncOrder(app, gateway, id)
    silences = result === 'silent' ? silences + 1 : 0
  }
}
