import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { until } from '../test/fixtures/codes.ts'
import { isUnavailable, openPool } from './db.ts'
import { startEmbeddedDatabase } from './embedded/embedded-database.ts'

const database = await startEmbeddedDatabase({
  dataDir: mkdtempSync(join(tmpdir(), 'qatra-replication-')),
  log: () => {},
  // A standby that never comes; only sessions after this one wait for it.
  settings: { synchronous_standby_names: 'nobody', synchronous_commit: 'local' },
})
const admin = new pg.Client({ connectionString: database.url })
await admin.connect()
await admin.query('create table orders (id integer)')
await admin.query('alter role current_user set synchronous_commit = on')
const pool = openPool(database.url, () => {}, { max: 1 })
const plain = new pg.Pool({ connectionString: database.url, max: 1 })
afterAll(async () => {
  await pool.end()
  await plain.end()
  await admin.end()
  await database.stop()
})

/** The error of a statement that waits for the standby until it is cancelled; else null. */
async function errorOf(work: Promise<unknown>) {
  const error = work.then(
    () => null,
    (reason: unknown) => reason,
  )
  await until('the wait', async () => {
    const { rows } = await admin.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    )
    return rows.length > 0
  })
  return error
}

describe('a commit that stopped waiting for its synchronous standby', () => {
  it('is rejected as unavailable at the end of a transaction', async () => {
    const client = await pool.connect()
    await client.query('begin')
    await client.query('insert into orders values (1)')
    expect(isUnavailable(await errorOf(client.query('commit')))).toBe(true)
    client.release()
  })

  it('is rejected as unavailable in a single statement', async () => {
    expect(isUnavailable(await errorOf(pool.query('insert into orders values (2)')))).toBe(true)
  })

  it('leaves a pool that serves the next query', async () => {
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('would be acknowledged by a plain pool (mutant)', async () => {
    expect(await errorOf(plain.query('insert into orders values (3)'))).toBeNull()
  })
})

it('a write at a standby that is not the primary yet is unavailable', async () => {
  const client = await plain.connect()
  await client.query('set default_transaction_read_only = on')
  const error = await client.query('insert into orders values (4)').catch((reason: unknown) => reason)
  await client.query('reset default_transaction_read_only')
  client.release()
  expect(isUnavailable(error)).toBe(true)
})
