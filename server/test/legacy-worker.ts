import { pino } from 'pino'
import { syncOrder } from '../legacy/jobs.ts'
import { legacyGateway } from '../legacy/legacy.gateway.ts'
import { openDb, openPool } from '../database/db.ts'

/** A worker in a process of its own, which tests kill: database, older system, order. */
const [databaseUrl = '', url = '', order = ''] = process.argv.slice(2)
const pool = openPool(databaseUrl, () => {})
await syncOrder({ pool, db: openDb(pool), log: pino({ level: 'silent' }) }, legacyGateway({ url, token: null }), order)
await pool.end()
