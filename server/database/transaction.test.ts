import { describe, expect, it } from 'vitest'
import { asAppError } from '../http/error-handler.ts'
import { startShop } from '../test/app.ts'
import { openPool } from './db.ts'
import { inTransaction } from './transaction.ts'

const shop = await startShop()
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

describe('a transaction that lost a conflict', () => {
  it('is retried on the connection that it gave back', async () => {
    const pool = openPool(shop.databaseUrl, () => {}, 1)
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
