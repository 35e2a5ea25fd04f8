import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { startProxy } from '../test/database-proxy.ts'
import { until } from '../test/fixtures/codes.ts'
import { createListener, type Listener } from './listener.ts'

const silent = pino({ level: 'silent' })
const quick = { everyMs: 100, timeoutMs: 3_000 }

let shop: TestShop
const listeners: Listener[] = []
beforeAll(async () => {
  shop = await startShop()
})
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
})

async function startListener(url: string, settings = quick) {
  const listener = createListener(url, silent, settings)
  listeners.push(listener)
  const received: string[] = []
  let gaps = 0
  await listener.start()
  await listener.on(
    'prices',
    (payload) => void received.push(payload),
    () => {
      gaps += 1
    },
  )
  return { received, gaps: () => gaps }
}
const notify = (payload: string) => shop.query('select pg_notify($1, $2)', ['prices', payload])

describe('the listener', () => {
  it('replaces an open but silent connection, reports the gap and receives notifications again', async () => {
    const proxy = await startProxy(shop.databaseUrl)
    const { received, gaps } = await startListener(proxy.url)
    await notify('before')
    await until('the first notice', async () => received.includes('before'))
    proxy.silence()
    await notify('lost')
    await until('the gap to be reported', async () => gaps() === 1)
    await notify('after')
    await until('a notice on the new connection', async () => received.includes('after'))
    expect(received).toEqual(['before', 'after'])
    expect(proxy.connections()).toBe(2)
  })

  it('listens to a channel that is added while it connects again', async () => {
    const received: string[] = []
    let connections = 0
    const proxy = await startProxy(shop.databaseUrl, (sent) => {
      // The last channel of the connection.
      if (!sent.includes('listen "prices"')) return
      connections += 1
      if (connections !== 2) return
      void listeners[0]?.on(
        'late',
        (payload) => void received.push(payload),
        () => void received.push('gap'),
      )
    })
    await startListener(proxy.url)
    proxy.silence()
    await until('the new connection', async () => received.includes('gap'))
    await shop.query('select pg_notify($1, $2)', ['late', 'news'])
    await until('the notice', async () => received.includes('news'))
    expect(received).toEqual(['gap', 'news'])
  })

  it('keeps a connection that delivers heartbeats', async () => {
    const proxy = await startProxy(shop.databaseUrl)
    const { gaps } = await startListener(proxy.url, { everyMs: 100, timeoutMs: 10_000 })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect([gaps(), proxy.connections()]).toEqual([0, 1])
  })

  it('receives nothing on a silent connection without heartbeats', async () => {
    const proxy = await startProxy(shop.databaseUrl)
    const { received, gaps } = await startListener(proxy.url, { ...quick, everyMs: 3_600_000 })
    proxy.silence()
    await notify('lost')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect([received, gaps()]).toEqual([[], 0])
  })
})
