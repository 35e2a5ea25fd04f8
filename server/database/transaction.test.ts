import { sql } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { asAppError } from '../http/error-handler.ts'
import { startShop } from '../test/app.ts'
import { openPool } from './db.ts'
import { allInOrder, inTransaction } from './transaction.ts'

const shop = await startShop({ role: 'web', databasePoolSize: 10 })
const lost = () => Object.assign(new Error('deadlock detected'), { code: '40P01' })

it('a statement that exceeds the time limit is cancelled and fails with UNAVAILABLE', async () => {
  const [limit] = await shop.query<{ statement_timeout: string }>('show statement_timeout')
  expect(limit?.statement_timeout).toBe('5s')
  const slow = inTransaction(shop.app.pool, async (db) => {
    await db.execute(`set local statement_timeout = '50ms'`)
    await db.execute('select pg_sleep(20)')
  })
  const error: unknown = await slow.catch((reason: unknown) => reason)
  expect(asAppError(error)?.code).toBe('UNAVAILABLE')
})

it('a transaction that loses its connection fails with UNAVAILABLE, without an uncaught exception', async () => {
  const pool = openPool(shop.databaseUrl, () => {}, { max: 1 })
  const failing = inTransaction(pool, async (db) => {
    const { rows } = await db.$client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await Promise.all([
      db.$client.query('select pg_sleep(20)'),
      shop.query('select pg_terminate_backend($1)', [rows[0]?.pid]),
    ])
  })
  const error: unknown = await failing.catch((reason: unknown) => reason)
  expect(asAppError(error)?.code).toBe('UNAVAILABLE')
  expect(await inTransaction(pool, (db) => db.$client.query('select 1 as n'))).toMatchObject({ rows: [{ n: 1 }] })
  await pool.end()
})

it('the statements of one turn are written to the socket at once', async () => {
  const pool = openPool(shop.databaseUrl, () => {}, { max: 1 })
  const client = await pool.connect()
  client.release()
  if (!(client instanceof pg.Client)) throw new Error('A pool of pg has its clients')
  const { stream } = client.connection
  let writes = 0
  for (const name of ['_write', '_writev'] as const) {
    const original = stream[name]?.bind(stream) as (...args: unknown[]) => void
    stream[name] = (...args: unknown[]) => {
      writes += 1
      original(...args)
    }
  }
  const results = await inTransaction(pool, (db, commitWith) =>
    commitWith(allInOrder([db.execute('select 1 as n'), db.execute('select 2 as n')])),
  )
  expect(results.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 2 }]])
  expect(writes).toBe(1)
  await pool.end()
})

describe('a transaction that lost a conflict', () => {
  it('is retried on the connection that it gave back', async () => {
    const pool = openPool(shop.databaseUrl, () => {}, { max: 1 })
    let tries = 0
    const work = async () => {
      tries += 1
      if (tries < 3) throw lost()
      return 'done'
    }
    expect(await inTransaction(pool, work)).toBe('done')
    expect(tries).toBe(3)
    await pool.end()
  })

  it('fails with UNAVAILABLE after three tries that all lose', async () => {
    let tries = 0
    const losing = inTransaction(shop.app.pool, async () => {
      tries += 1
      throw lost()
    })
    const error: unknown = await losing.catch((reason: unknown) => reason)
    expect([asAppError(error)?.code, tries]).toEqual(['UNAVAILABLE', 3])
  })
})

describe('a transaction that sends its commit behind the last statement', () => {
  const count = async (table: string) => (await shop.query(`select from ${table}`)).length

  it('commits once, and its connection is usable afterwards', async () => {
    await shop.query('create table committed (n integer unique)')
    const pool = openPool(shop.databaseUrl, () => {}, { max: 1 })
    const made = await inTransaction(pool, async (db, commitWith) => {
      const insert = db.$client.query<{ n: number }>('insert into committed values (1) returning n')
      const { rows } = await commitWith(insert)
      expect(await count('committed')).toBe(1)
      return rows
    })
    expect(made).toEqual([{ n: 1 }])
    expect((await pool.query('select pg_current_xact_id_if_assigned() as xid')).rows).toEqual([{ xid: null }])
    await pool.end()
  })

  it('writes nothing if that statement fails, and throws its error', async () => {
    await shop.query('create table refused (n integer check (n < 2))')
    const pool = openPool(shop.databaseUrl, () => {}, { max: 1 })
    const failing = inTransaction(pool, async (db, commitWith) => {
      await db.$client.query('insert into refused values (1)')
      await commitWith(db.$client.query('insert into refused values (2)'))
    })
    await expect(failing).rejects.toThrow(/check constraint/)
    expect(await count('refused')).toBe(0)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })
})

it('statements that are awaited together are each sent once, query builders too', async () => {
  const { rows } = await inTransaction(shop.app.pool, async (db) => {
    await db.execute('create temporary sequence sent')
    const next = db.select({ value: sql<string>`nextval('sent')` }).from(sql`(values (1)) as one`)
    await allInOrder([next, db.execute('select 1')])
    return db.execute<{ count: string }>(`select currval('sent') as count`)
  })
  expect(Number(rows[0]?.count)).toBe(1)
})
