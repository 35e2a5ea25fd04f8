import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyPhone } from '@qatra/contract/users/auth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { version } from '../../http/monitoring/metrics.ts'
import { startShop, type TestShop } from '../app.ts'
import { codeIn, inbox, newPhone, tryCode, until } from '../fixtures/codes.ts'
import { portOf } from '../listen.ts'
import { startTelegram } from '../simulators/telegram.ts'

/** Longer than the interval at which a process with workers looks for jobs. */
const POLL_MS = 2_500

const telegram = await startTelegram()
/** Encrypts the codes. */
const secret = randomBytes(32)
const as = (role: 'web' | 'worker') => {
  const { token, groupId, apiUrl } = telegram
  const own = { token, groupId, apiUrl: `${apiUrl}/${role}`, webhookSecret: null, isSimulated: false }
  return { role, secret, hasBot: false, telegram: own }
}
const web = await startShop(as('web'))
afterAll(() => telegram.stop())

const jobsOf = (queue: string, state: string) =>
  web.query('select from pgboss.job where name = $1 and state = $2', [queue, state])
const get = async (shop: TestShop, path: string, method = 'GET') => {
  const answer = await fetch(`http://127.0.0.1:${await portOf(shop)}${path}`, { method })
  return { status: answer.status, body: await answer.text() }
}

describe('a process with ROLE=web', () => {
  it('answers requests and enqueues jobs, and leaves jobs, cron and Telegram to a worker', async () => {
    await web.query('update pgboss.version set cron_on = null')
    const phone = newPhone()
    const visitor = web.visitor()
    expect((await visitor.call(verifyPhone, { body: { phone } })).status).toBe(200)
    await sleep(POLL_MS)
    expect(await jobsOf('send-code', 'created')).toHaveLength(1)
    expect(await web.query('select from pgboss.version where cron_on is not null')).toEqual([])
    expect(telegram.asked).toEqual([])

    const worker = await startShop(as('worker'), { databaseUrl: web.databaseUrl })
    const code = await until('the code', async () => (await inbox(web, phone)).map(codeIn).find(Boolean))
    expect((await tryCode(visitor, phone, code)).status).toBe(200)
    await until('cron', async () => {
      const rows = await web.query('select from pgboss.version where cron_on is not null')
      return rows.length > 0
    })
    await until('Telegram', async () => telegram.asked.length > 0)
    expect(new Set(telegram.asked)).toEqual(new Set(['worker']))
    await worker.stop()
  })

  it('is ready without workers, and says its role', async () => {
    expect(await get(web, '/readyz')).toEqual({ status: 200, body: '{"status":"ok","role":"web"}' })
    expect(await get(web, '/healthz')).toEqual({
      status: 200,
      body: `{"status":"ok","role":"web","version":"${version}"}`,
    })
  })
})

describe('a process with ROLE=worker', () => {
  let worker: TestShop
  beforeAll(async () => {
    worker = await startShop(as('worker'), { databaseUrl: web.databaseUrl })
  })

  it.each(['/', '/products', '/api/vendors', '/api/auth/me', '/api/nothing', '/sitemap.xml', '/api/openapi.json'])(
    'answers 404 on %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) expect((await get(worker, path, method)).status).toBe(404)
    },
  )

  it('serves health and metrics, and says its role', async () => {
    expect(await get(worker, '/healthz')).toEqual({
      status: 200,
      body: `{"status":"ok","role":"worker","version":"${version}"}`,
    })
    expect(await get(worker, '/readyz')).toEqual({ status: 200, body: '{"status":"ok","role":"worker"}' })
    expect((await get(worker, '/metrics')).body).toContain('queue_jobs')
  })

  it('is not ready while it does not work on jobs, though the database is reached', async () => {
    const { isPolling } = worker.app.queue
    worker.app.queue.isPolling = () => false
    expect(await get(worker, '/readyz')).toEqual({ status: 503, body: '{"status":"no jobs","role":"worker"}' })
    worker.app.queue.isPolling = isPolling
    await worker.app.queue.stop()
  })
})
