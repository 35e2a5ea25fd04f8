import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { placeOrder } from '@qatra/contract/orders/orders'
import { pino } from 'pino'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { startShop } from '../test/app.ts'
import { newPhone, signInByCode, until } from '../test/fixtures/codes.ts'
import { makeHousehold, makeVisitor } from '../test/fixtures/make.ts'
import { listen } from '../test/listen.ts'
import { hasPgBouncer, startPgBouncer } from '../test/processes/pgbouncer.ts'
import { openDb, openPool, run, statement } from './db.ts'
import { createListener } from './listener.ts'

const silent = pino({ level: 'silent' })

describe.skipIf(!hasPgBouncer)('a shop behind PgBouncer in transaction mode (Debian: pgbouncer)', async () => {
  if (!hasPgBouncer) return
  // Creates the database.
  const direct = await startShop()
  await direct.stop()
  const pooler = await startPgBouncer(direct.databaseUrl)
  const shop = await startShop(
    { databaseDirectUrl: direct.databaseUrl, preparedStatements: false, rateLimits: true },
    { databaseUrl: pooler.url },
  )
  afterAll(async () => {
    await shop.stop()
    await pooler.stop()
  })

  it('signs in, fills a cart, places an order, and reports it and its status to an open stream', async () => {
    const home = await makeHousehold(shop)
    const desk = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
    const stream = await listen(shop, desk)
    onTestFinished(() => stream.hangUp())
    const customer = await signInByCode(shop, newPhone())
    expect((await customer.call(addToCart, { body: { productId: home.water, quantity: 4 } })).status).toBe(200)
    const placed = await customer.call(placeOrder, { body: home.body }, { 'idempotency-key': 'pooled' })
    expect(placed.status).toBe(200)
    const { id } = placed.body
    await stream.until(({ data }) => data.orderId === id && data.kind === 'order-placed')
    const moved = await desk.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress' } })
    expect(moved.status).toBe(200)
    await stream.until(({ data }) => data.orderId === id && data.kind === 'order-moved')
    await until('the message to the customer', async () => {
      const rows = await shop.query(`select from pgboss.job where name = 'order-messages' and state = 'completed'`)
      return rows.length > 0
    })
  })

  it('serves many requests at once on fewer connections, without an error', async () => {
    const homes = await Promise.all(Array.from({ length: 8 }, () => makeHousehold(shop)))
    const ids = await Promise.all(homes.map(({ order }) => order()))
    expect(new Set(ids).size).toBe(homes.length)
    const carts = await Promise.all(homes.flatMap(({ customer }) => [1, 2, 3].map(() => customer.call(getCart))))
    expect(carts.map(({ status }) => status)).toEqual(carts.map(() => 200))
    const [row] = await shop.query<{ n: number }>(
      `select count(*)::integer as n from pg_stat_activity
       where datname = current_database() and application_name in ('qatra', 'qatra-jobs')`,
    )
    expect(row?.n).toBeLessThanOrEqual(4)
  })

  it('has the time-outs of a direct connection', async () => {
    const options = `select name, setting from pg_settings order by name`
    const own = openPool(direct.databaseUrl, () => {}, { max: 1 })
    const set = async (pool: typeof own) => {
      const { rows } = await pool.query<{ name: string; setting: string }>(options)
      return rows.filter(({ name }) => /^(?:statement_timeout|idle_in_tra.*|random_page_cost|jit)$/.test(name))
    }
    expect(await set(shop.app.pool)).toEqual(await set(own))
    await own.end()
    await expect(shop.query('select pg_sleep(30)')).rejects.toThrow('statement timeout')
  })

  it('would fail with named statements (mutant)', async () => {
    const pool = openPool(pooler.url, () => {}, { max: 8 })
    const one = statement('one', 'select 1 as n')
    const times = Array.from({ length: 40 })
    const results = await Promise.allSettled(times.map(() => run(openDb(pool), one)))
    expect(results.some((result) => result.status === 'rejected')).toBe(true)
    await pool.end()
    const nameless = openPool(pooler.url, () => {}, { max: 8, preparedStatements: false })
    const rows = await Promise.all(times.map(() => run(openDb(nameless), one)))
    expect(rows).toEqual(times.map(() => [{ n: 1 }]))
    await nameless.end()
  })

  it('would miss notifications with LISTEN through the pooler (mutant)', async () => {
    const heard: string[] = []
    for (const [name, url] of [
      ['direct', direct.databaseUrl],
      ['pooled', pooler.url],
    ] as const) {
      const listener = createListener(url, silent, { everyMs: 60_000 })
      onTestFinished(() => listener.stop())
      await listener.start()
      await listener.on(
        'prices',
        (payload) => void heard.push(`${name} ${payload}`),
        () => {},
      )
    }
    for (let n = 1; n <= 20; n += 1) await shop.query(`select pg_notify('prices', $1)`, [String(n)])
    await until('the last one', async () => heard.includes('direct 20'))
    expect(heard.filter((one) => one.startsWith('direct'))).toHaveLength(20)
    expect(heard.filter((one) => one.startsWith('pooled')).length).toBeLessThan(20)
  })

  it('does not start if the pooler drops the time-outs', async () => {
    const careless = await startPgBouncer(direct.databaseUrl, { hasTimeouts: false })
    const started = startShop({ databaseDirectUrl: direct.databaseUrl }, { databaseUrl: careless.url })
    await expect(started).rejects.toThrow('connect_query in deploy/ha/pgbouncer.ini')
    await careless.stop()
  })
})
