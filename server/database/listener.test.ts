import { connect, createServer, type Server, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { createListener, type Listener } from './listener.ts'

const silent = pino({ level: 'silent' })
const quick = { everyMs: 100, timeoutMs: 3_000 }

let shop: TestShop
const listeners: Listener[] = []
const servers: Server[] = []
beforeAll(async () => {
  shop = await startShop()
})
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop()
  for (const server of servers.splice(0)) server.close()
})

/** A proxy to the database; `silence` keeps the current connections open but stops forwarding on them. */
async function startProxy(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const port = Number(url.port || 5432)
  const folder = url.searchParams.get('host')
  const upstream = folder ? { path: `${folder}/.s.PGSQL.${port}` } : { port, host: url.hostname }
  const pairs: { client: Socket; database: Socket }[] = []
  const server = createServer((client) => {
    const database = connect(upstream)
    for (const socket of [client, database]) socket.on('error', () => {}) // the other side closed the connection
    client.pipe(database).pipe(client)
    client.on('close', () => database.destroy())
    pairs.push({ client, database })
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  url.port = String(address.port)
  url.hostname = '127.0.0.1'
  url.searchParams.delete('host')
  return {
    url: url.href,
    connections: () => pairs.length,
    silence: () => {
      for (const { client, database } of pairs) {
        client.unpipe(database)
        database.unpipe(client)
        client.resume()
        database.resume()
      }
    },
  }
}

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
