import { pino } from 'pino'
import { openDb, openPool } from '../../database/db.ts'
import { syncOrder } from '../../legacy-sync/jobs.ts'
import { legacyGateway } from '../../legacy-sync/legacy.gateway.ts'

/** A worker in a separate process that tests kill. Arguments: database, older system, order. */
const [databaseUrl = '', url = '', order = ''] = process.argv.slice(2)
const pool = openPool(databaseUrl, () => {})
await syncOrder({ pool, db: openDb(pool), log: pino({ level: 'silent' }) }, legacyGateway({ url, token: null }), order)
await pool.end()
