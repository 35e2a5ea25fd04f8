import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { deleteOldRows } from '../../jobs/retention.ts'
import { AppError } from '../../lib/errors.ts'
import { startShop } from '../../test/app.ts'
import { createRateLimiters, type RateLimit, type RateLimiter } from './rate-limiter.ts'

const shop = await startShop({ role: 'web' })
const silent = { warn: vi.fn<(about: unknown, message?: string) => void>() }
let counter = 0
const newName = () => `test-${(counter += 1)}`

/** The limiters of one process. */
function startProcess({ databaseUrl = shop.databaseUrl, isOn = true } = {}) {
  const process = createRateLimiters({
    config: { rateLimits: isOn, preparedStatements: true },
    databaseUrl,
    log: silent,
  })
  onTestFinished(() => process.stop())
  return process
}
const limiterOf = (name: string, limit: RateLimit) => startProcess().create(name, limit)
const twoOf = (name: string, limit: RateLimit) => [limiterOf(name, limit), limiterOf(name, limit)] as const

/** Null if allowed; else the seconds of Retry-After. */
const consume = (limiter: RateLimiter, from = '192.0.2.1') =>
  limiter.consume(from).then(
    () => null,
    (error: unknown) => (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS' ? error.retryAfter : error),
  )
const allowedOf = async (calls: ReturnType<typeof consume>[]) =>
  (await Promise.all(calls)).filter((seconds) => seconds === null).length
const rowsOf = (name: string) =>
  shop.query<{ key: string }>('select key from rate_limits where key like $1', [`${name} %`])

/** Address of a server that accepts connections and never answers. */
async function muteServer() {
  const sockets: Socket[] = []
  const mute = createServer((socket) => void sockets.push(socket))
  await new Promise<void>((listening) => mute.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    mute.close()
  })
  const { port } = mute.address() as { port: number }
  return { databaseUrl: `postgres://127.0.0.1:${port}/none`, tries: () => sockets.length }
}

const { now: monotonic } = performance
/** Stops the monotonic clock; returns a function that advances it. */
function stopClock() {
  let now = Math.ceil(monotonic.call(performance))
  // A spy would record each of some hundred thousand calls.
  performance.now = () => now
  return (ms: number) => void (now += ms)
}
afterEach(() => {
  performance.now = monotonic
  vi.restoreAllMocks()
  silent.warn.mockClear()
})

describe('a rate limiter', () => {
  it('allows a burst, then a fixed number per minute, for each network', async () => {
    const advance = stopClock()
    const limiter = startProcess({ databaseUrl: 'postgres://127.0.0.1:9/none' }).create(newName(), {
      burst: 3,
      perMinute: 60,
    })
    const answers = async (...from: string[]) => {
      const seconds = []
      for (const one of from) seconds.push(await consume(limiter, one))
      return seconds
    }
    const one = '192.0.2.1'
    expect(await answers(one, one, one, one, '192.0.2.200', '192.0.3.1')).toEqual([null, null, null, 1, 1, null])
    advance(2_000)
    expect(await answers(one, one, one)).toEqual([null, null, 1])
  })

  it('counts nothing when it is off', async () => {
    const name = newName()
    const limiter = startProcess({ isOn: false }).create(name, { burst: 1, perMinute: 1 })
    expect(await allowedOf(Array.from({ length: 100 }, () => consume(limiter)))).toBe(100)
    expect(await rowsOf(name)).toEqual([])
  })

  it('evicts the oldest networks above its capacity and stays fast', async () => {
    stopClock()
    const limiter = startProcess({ databaseUrl: 'postgres://127.0.0.1:9/none' }).create(newName(), {
      burst: 1,
      perMinute: 1,
    })
    const network = (n: number) => `${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.1`
    expect(await consume(limiter, network(0))).toBeNull()
    expect(await consume(limiter, network(0))).toBe(60)
    for (let n = 1; n < 120_000; n++) await limiter.consume(network(n))
    expect(await consume(limiter, network(119_999))).toBe(60)
    expect(await consume(limiter, network(0))).toBeNull()
  })
})

describe('rate limiters of two processes', () => {
  it('allow one burst together for parallel calls, and refill it once', async () => {
    const [first, second] = twoOf(newName(), { burst: 20, perMinute: 20 })
    const both = (count: number) => Array.from({ length: count }, () => [consume(first), consume(second)]).flat()
    const begun = performance.now()
    let allowed = await allowedOf(both(40))
    expect(allowed).toBeGreaterThanOrEqual(20)
    while (performance.now() - begun < 7_000) {
      allowed += await allowedOf(both(1))
      await sleep(20)
    }
    const refilled = (performance.now() - begun) / 3_000
    expect(allowed).toBeGreaterThanOrEqual(20 + Math.floor(refilled) - 1)
    expect(allowed).toBeLessThanOrEqual(20 + Math.ceil(refilled))
  })

  it('exceed a large burst by a twentieth each at most', async () => {
    const [first, second] = twoOf(newName(), { burst: 600, perMinute: 1 })
    const allowed = await allowedOf(Array.from({ length: 600 }, () => [consume(first), consume(second)]).flat())
    expect(allowed).toBeGreaterThanOrEqual(600 - 30)
    expect(allowed).toBeLessThanOrEqual(600 + 2 * 30)
  })

  it('ask the database only for every twentieth of a burst', async () => {
    const name = newName()
    stopClock()
    const limiter = limiterOf(name, { burst: 600, perMinute: 1_200 })
    for (let n = 1; n < 30; n += 1) expect(await consume(limiter)).toBeNull()
    expect(await rowsOf(name)).toEqual([])
    expect(await consume(limiter)).toBeNull()
    expect(await rowsOf(name)).toEqual([{ key: `${name} 192.0.2.0/24` }])
  })

  it('share a budget if the clock of one is ten minutes fast', async () => {
    const [first, second] = twoOf(newName(), { burst: 20, perMinute: 6 })
    expect(await allowedOf(Array.from({ length: 21 }, () => consume(first)))).toBe(20)
    const { now } = Date
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000)
    expect(await consume(second)).toBeGreaterThan(5)
  })

  it('refuse for the time of one call only, even if the clock of the database was set back', async () => {
    const name = newName()
    const [first, second] = twoOf(name, { burst: 20, perMinute: 6 })
    expect(await consume(first)).toBeNull()
    await shop.query(`update rate_limits set full_at = full_at + interval '10 minutes' where key like $1`, [
      `${name} %`,
    ])
    expect(await consume(second)).toBe(10)
  })

  it('do not share budgets of other names and networks', async () => {
    const name = newName()
    const [first, second] = twoOf(name, { burst: 1, perMinute: 1 })
    const other = limiterOf(newName(), { burst: 1, perMinute: 1 })
    expect(await consume(first)).toBeNull()
    expect(await consume(second)).toBe(60)
    expect(await consume(second, '192.0.3.1')).toBeNull()
    expect(await consume(other)).toBeNull()
  })
})

describe('without the database', () => {
  it('a process keeps its own count, and reports it when the database is back', async () => {
    const name = newName()
    const [first, second] = twoOf(name, { burst: 4, perMinute: 1 })
    await shop.query('alter table rate_limits rename to rate_limits_away')
    expect([await consume(first), await consume(first), await consume(first)]).toEqual([null, null, null])
    expect(silent.warn).toHaveBeenCalledTimes(1)
    await shop.query('alter table rate_limits_away rename to rate_limits')
    stopClock()(6_000)
    expect(await consume(first)).toBeNull()
    expect(await consume(second)).toBeGreaterThan(50)
  })

  it('calls below the limit are not charged when the database is back', async () => {
    const advance = stopClock()
    const [first, second] = twoOf(newName(), { burst: 20, perMinute: 60 })
    await shop.query('alter table rate_limits rename to rate_limits_away')
    for (let n = 0; n < 20; n += 1) {
      expect(await consume(first)).toBeNull()
      advance(1_000)
    }
    await shop.query('alter table rate_limits_away rename to rate_limits')
    advance(6_000)
    expect(await consume(first)).toBeNull()
    expect(await allowedOf(Array.from({ length: 15 }, () => consume(second)))).toBe(15)
  })

  it('a database that does not answer is asked by one call, and not by the following ones', async () => {
    const { databaseUrl, tries } = await muteServer()
    const limiter = startProcess({ databaseUrl }).create(newName(), { burst: 2, perMinute: 1 })
    expect(await consume(limiter)).toBeNull()
    expect(tries()).toBe(1)
    stopClock()
    expect(await consume(limiter)).toBeNull()
    for (let n = 0; n < 20; n += 1) expect(await consume(limiter)).toBeGreaterThan(30)
    expect(tries()).toBe(1)
  })

  it('a database that still does not answer is asked by one of fifty parallel calls', async () => {
    const { databaseUrl, tries } = await muteServer()
    const limiter = startProcess({ databaseUrl }).create(newName(), { burst: 1, perMinute: 1 })
    await consume(limiter)
    stopClock()(6_000)
    await Promise.all(Array.from({ length: 50 }, (_, n) => consume(limiter, `192.0.${n}.1`)))
    expect(tries()).toBe(2)
  })
})

it('the purge deletes the rows of full buckets only', async () => {
  const name = newName()
  const quick = limiterOf(`${name}-quick`, { burst: 1, perMinute: 60_000 })
  const slow = limiterOf(`${name}-slow`, { burst: 1, perMinute: 1 })
  await consume(quick)
  await consume(slow)
  await sleep(50)
  await deleteOldRows(shop.app, ({ isHourly }) => isHourly === true)
  expect((await rowsOf(`${name}-quick`)).length + (await rowsOf(`${name}-slow`)).length).toBe(1)
  expect(await rowsOf(`${name}-slow`)).toHaveLength(1)
})
