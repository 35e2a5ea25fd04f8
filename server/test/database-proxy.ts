import { connect, createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { readSessions } from '../auth/session-reader.ts'
import { createApp } from '../http/server/create-app.ts'
import type { TestShop } from './app.ts'

/**
 * A proxy to the database until the end of the test. `silence` keeps the current connections open but stops forwarding on
 * them; `goAway` ends all connections and refuses new ones. `watch` sees what is sent to the database, before any reply.
 */
export async function startProxy(databaseUrl: string, watch: (sent: string) => void = () => {}) {
  const url = new URL(databaseUrl)
  const port = Number(url.port || 5432)
  const folder = url.searchParams.get('host')
  const upstream = folder ? { path: `${folder}/.s.PGSQL.${port}` } : { port, host: url.hostname }
  const pairs: { client: Socket; database: Socket }[] = []
  let isAway = false
  let refused = 0
  const server = createServer((client) => {
    client.on('error', () => {}) // the other side closed the connection
    if (isAway) {
      refused += 1
      client.destroy()
      return
    }
    const database = connect(upstream)
    database.on('error', () => {})
    client.on('data', (bytes) => watch(String(bytes)))
    client.pipe(database).pipe(client)
    client.on('close', () => database.destroy())
    pairs.push({ client, database })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port')
  url.port = String(address.port)
  url.hostname = '127.0.0.1'
  url.searchParams.delete('host')
  return {
    url: url.href,
    connections: () => pairs.length,
    refused: () => refused,
    silence: () => {
      for (const { client, database } of pairs) {
        client.unpipe(database)
        database.unpipe(client)
        client.resume()
        database.resume()
      }
    },
    goAway: () => {
      isAway = true
      for (const { client } of pairs) client.destroy()
    },
    comeBack: () => {
      isAway = false
    },
  }
}

/** Another process of the shop, without its routes, whose database can go away until the end of the test. */
export async function appThroughProxy(shop: TestShop) {
  const proxy = await startProxy(shop.databaseUrl)
  const { config } = shop.app
  const app = await createApp({ config, databaseUrl: proxy.url, log: pino({ level: 'silent' }), readSessions })
  onTestFinished(async () => {
    await app.listener.stop()
    await app.pool.end()
  })
  return { proxy, app }
}
