import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { version } from './metrics.ts'

const shop = await startShop()
const get = (url: string, headers: Record<string, string> = {}) => shop.visitor().send('GET', url, { headers })

describe('/metrics', () => {
  it('has requests by route, pool, queue, event loop and cache, for this machine only', async () => {
    await get('/api/vendors/1')
    const { status, body } = await get('/metrics')
    expect(status).toBe(200)
    const text = String(body)
    expect(text).toMatch(
      /qatra_http_request_duration_seconds_count\{method="GET",route="\/api\/vendors\/:id",status="200"\} 1/,
    )
    for (const name of [
      'qatra_database_pool_connections{state="idle"}',
      'nodejs_eventloop_lag_seconds',
      'qatra_http_prepared_answers_total',
      'process_resident_memory_bytes',
      '# TYPE qatra_queue_jobs gauge',
      `qatra_build_info{version="${version}"} 1`,
    ]) {
      expect(text).toContain(name)
    }
  })

  it('is refused through a proxy', async () => {
    for (const name of [
      'x-forwarded-for',
      'forwarded',
      'x-forwarded-proto',
      'x-forwarded-host',
      'x-forwarded-port',
      'x-real-ip',
      'via',
      'cf-connecting-ip',
      'true-client-ip',
      'fastly-client-ip',
      'x-client-ip',
      'x-cluster-client-ip',
      'x-original-forwarded-for',
      'client-ip',
      'fly-client-ip',
      'x-azure-clientip',
    ]) {
      const { status, refusal } = await get('/metrics', { [name]: '127.0.0.1' })
      expect([name, status, refusal.code]).toEqual([name, 403, 'FORBIDDEN'])
    }
  })

  it('with a token is open to its holders', async () => {
    const guarded = await startShop({ metricsToken: 'a-long-metrics-token' })
    const ask = (authorization: string) =>
      guarded.visitor().send('GET', '/metrics', { headers: { authorization, 'x-forwarded-for': '1.2.3.4' } })
    expect((await ask('Bearer a-long-metrics-token')).status).toBe(200)
    for (const wrong of ['Bearer x', 'Bearer ', 'Basic a-long-metrics-token', 'Bearer a-long-metrics-toke\u00ef']) {
      expect((await ask(wrong)).status).toBe(403)
    }
  })

  it('has no label from an unknown URL', async () => {
    await get('/api/orders/SECRET-ORDER')
    await get('/made-up-by-somebody')
    expect(String((await get('/metrics')).body)).not.toMatch(/SECRET-ORDER|made-up-by-somebody/)
  })
})

describe('/readyz', () => {
  it('is 503 while the database is down, and /healthz is 200', async () => {
    const other = await startShop()
    expect((await other.visitor().send('GET', '/readyz')).status).toBe(200)
    await other.app.pool.end()
    expect((await other.visitor().send('GET', '/readyz')).status).toBe(503)
    expect((await other.visitor().send('GET', '/healthz')).status).toBe(200)
    other.app.pool.end = async () => {} // the test's cleanup stops it again
  })

  it('is 503 from the stop signal on, while requests are still answered', async () => {
    const stopping = await startShop()
    const address = await stopping.app.http.listen({ host: '127.0.0.1', port: 0 })
    expect((await fetch(`${address}/api/vendors`)).headers.get('connection')).toBe('keep-alive')
    stopping.drain()
    expect((await fetch(`${address}/readyz`)).status).toBe(503)
    const answer = await fetch(`${address}/api/vendors`)
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  })
})
