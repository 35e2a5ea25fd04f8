import { changeOrderStatus } from '@qatra/contract/orders/admin'
import pg from 'pg'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { type Heard, type Listening, listen as open } from '../test/listen.ts'
import { lockWaits } from '../test/lock-waits.ts'

const shop = await startShop({ databasePoolSize: 10 })
const second = await startShop({}, { databaseUrl: shop.databaseUrl })
const opened: Listening[] = []
const listen: typeof open = async (...asked) => {
  const listening = await open(...asked)
  opened.push(listening)
  return listening
}
afterEach(() => {
  for (const one of opened.splice(0)) one.hangUp()
})
const desk = await makeVisitor(shop, { role: 'vendor_staff', vendorId: 1 })
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
const isReady = ({ event }: Heard) => event === 'ready'
const idsOf = (listening: Listening) => listening.reported().map(({ id }) => id)

const insert = `insert into notifications (kind, order_id, vendor_id, source)
  values ('order-placed', $1, 1, gen_random_uuid()::text) returning id`
async function happens(orderId: string): Promise<number> {
  const [row] = await shop.query<{ id: number }>(insert, [orderId])
  return row?.id ?? 0
}

/** A transaction that stays open. */
async function hold() {
  const client = new pg.Client({ connectionString: shop.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  return {
    insert: async (orderId: string) => (await client.query<{ id: number }>(insert, [orderId])).rows[0]?.id ?? 0,
    commit: () => client.query('commit'),
  }
}

describe('two processes on one database', () => {
  it('both report events of either', async () => {
    const [here, there] = [await listen(shop, desk), await listen(second, desk)]
    const colleague = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const id = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1 })
    await colleague.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress' } })
    const [a, b] = await Promise.all(
      [here, there].map((one) => one.until(({ data }) => data.orderId === id && data.kind === 'order-moved')),
    )
    expect(a).toEqual(b)
  })

  it('replay events that a lost connection missed on the other, once and in order', async () => {
    const before = await listen(shop, desk)
    const first = await happens('HEARD')
    await before.until(({ id }) => id === first)
    before.hangUp()
    const missed = [await happens('MISSED-1'), await happens('MISSED-2'), await happens('MISSED-3')]
    const after = await listen(second, desk, { lastId: first })
    await after.until(isReady)
    const live = await happens('LIVE')
    await after.until(({ id }) => id === live)
    expect(idsOf(after)).toEqual([...missed, live])
    // A page without a previous connection passes the id in the URL.
    const byAddress = await listen(shop, desk, { after: first })
    await byAddress.until(isReady)
    expect(idsOf(byAddress)).toEqual([...missed, live])
  })

  it('lose and repeat nothing during continuous reconnects', async () => {
    const [total, writers] = [160, 4]
    let lastWritten: number | null = null
    /** Reads for a moment, disconnects, and reconnects to the other process; returns all received ids. */
    async function follow(first: Listening, says: boolean) {
      let last = (await first.until(isReady)).id ?? 0
      const heard: number[] = []
      let current = first
      for (let turn = 0; ; turn += 1) {
        const wasOver = lastWritten !== null
        await pause(10 + Math.random() * 60)
        if (wasOver && says && heard.at(-1) !== lastWritten) await current.until(({ id }) => id === lastWritten)
        const ids = current.reported().map(({ id }) => id ?? 0)
        heard.push(...ids)
        last = ids.at(-1) ?? last
        current.hangUp()
        if (wasOver) return heard
        current = await listen(turn % 2 ? shop : second, desk, says ? { lastId: last } : {})
      }
    }
    const firsts = [await listen(shop, desk), await listen(shop, desk)] as const
    for (const first of firsts) await first.until(isReady)
    const [faithful, naive] = [follow(firsts[0], true), follow(firsts[1], false)]
    const written = (
      await Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          const ids: number[] = []
          for (let n = 0; n < total / writers; n += 1) {
            ids.push(await happens(`W${writer}-${n}`))
            await pause(Math.random() * 15)
          }
          return ids
        }),
      )
    ).flat()
    lastWritten = Math.max(...written)
    const inOrder = written.sort((a, b) => a - b)
    expect(await faithful).toEqual(inOrder)
    // Mutant: a client that does not send its last id loses the events in between.
    expect((await naive).length).toBeLessThan(total)
  })

  it('ignore kinds that only a newer version knows', async () => {
    const here = await listen(shop, desk)
    await here.until(isReady)
    await shop.query(`insert into notifications (kind, vendor_id, source) values ('from-the-future', 1, 'future')`)
    const known = await happens('KNOWN')
    await here.until(({ id }) => id === known)
    expect(idsOf(here)).toEqual([known])
    const third = await startShop({}, { databaseUrl: shop.databaseUrl })
    const there = await listen(third, desk, { lastId: known - 2 })
    await there.until(isReady)
    expect(idsOf(there)).toEqual([known])
  })

  it('continue after their database connection was lost', async () => {
    const here = await listen(shop, desk)
    await here.until(isReady)
    await shop.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'qatra-listener' and datname = current_database()`,
    )
    const unheard = await happens('NOBODY-LISTENS')
    await here.until(({ id }) => id === unheard)
  })
})

describe('transactions that commit in another order than their ids', () => {
  async function race(): Promise<{ reported: (number | null)[]; slow: number; quick: number; hasWaited: boolean }> {
    const here = await listen(shop, desk)
    await here.until(isReady)
    const [a, b] = [await hold(), await hold()]
    const slow = await a.insert('SLOW')
    let isIn = false
    const inserted = b.insert('QUICK').then(async (id) => {
      isIn = true
      await b.commit()
      return id
    })
    await until(
      'the later insert to wait or to be done',
      async () => isIn || (await lockWaits(shop, 'insert into notifications%')) > 0,
    )
    const hasWaited = !isIn
    // What did not wait is heard before the earlier one is visible.
    if (!hasWaited) await here.until(({ data }) => data.orderId === 'QUICK')
    await a.commit()
    const quick = await inserted
    await here.until(({ id }) => id === quick)
    const end = await happens('END')
    await here.until(({ id }) => id === end)
    return { reported: idsOf(here).filter((id) => id !== end), slow, quick, hasWaited }
  }

  it('wait for each other, so that no client receives only the later event', async () => {
    const { reported, slow, quick, hasWaited } = await race()
    expect(hasWaited).toBe(true)
    expect(reported).toEqual([slow, quick])
  })

  it('(mutant) would lose the earlier event if they did not wait', async () => {
    await shop.query('alter table notifications disable trigger count_in_order')
    const { reported, slow, quick, hasWaited } = await race()
    await shop.query('alter table notifications enable trigger count_in_order')
    expect(hasWaited).toBe(false)
    expect(slow).toBeLessThan(quick)
    expect(reported).toEqual([quick])
    const again = await listen(shop, desk, { lastId: quick })
    await again.until(isReady)
    expect(idsOf(again)).not.toContain(slow)
  })
})

describe('events missed too long ago, or too many', () => {
  const isReset = ({ event }: Heard) => event === 'reset'
  const resets = async (at: TestShop, lastId: number) => {
    const listening = await listen(at, desk, { lastId })
    const ready = await listening.until(isReady)
    return { isReset: listening.heard.some(isReset), reported: idsOf(listening), ready: ready.id }
  }

  it('make the page reload', async () => {
    const old = await happens('OLD')
    const next = await happens('OLD-TOO')
    await shop.query(`update notifications set created_at = now() - interval '25 hours' where id <= $1`, [next])
    const fresh = await happens('FRESH')
    const late = await startShop({}, { databaseUrl: shop.databaseUrl })
    expect(await resets(late, old - 1)).toEqual({ isReset: true, reported: [], ready: fresh })
    expect(await resets(late, next)).toEqual({ isReset: false, reported: [fresh], ready: fresh })
    expect(await resets(late, fresh)).toEqual({ isReset: false, reported: [], ready: fresh })
    // An id that was never assigned, as after restoring a backup.
    expect(await resets(late, fresh + 1_000)).toEqual({ isReset: true, reported: [], ready: fresh })
  })

  it('are counted per person', async () => {
    const before = await happens('BEFORE')
    const [row] = await shop.query<{ last: number }>(
      `with many as (
         insert into notifications (kind, order_id, vendor_id, source)
         select 'order-placed', 'M' || n, 2, gen_random_uuid()::text from generate_series(1, 501) n returning id)
       select max(id) as last from many`,
    )
    const other = await makeVisitor(shop, { role: 'vendor_staff', vendorId: 2 })
    const here = await listen(shop, other)
    await here.until(({ event, id }) => event === 'ready' || id === row?.last)
    const theirs = await listen(shop, other, { lastId: before })
    await theirs.until(isReset)
    expect(idsOf(theirs)).toEqual([])
    expect(await resets(shop, before)).toMatchObject({ isReset: false, reported: [] })
    const almost = await listen(shop, other, { lastId: before + 1 })
    await almost.until(isReady)
    expect(idsOf(almost).length).toBe(500)
  })
})
