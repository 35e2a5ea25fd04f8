import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../bench/lib/postgres.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'

/** A folder for the files of servers. */
export function makeFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `qatra-${name}-`))
  return { folder, removeFolder: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Connections of a drill, which outlive its server and database. */
export function openPool(url, max = 2) {
  const db = new pg.Pool({ connectionString: url, max })
  db.on('error', () => {})
  return db
}

/** PostgreSQL, connections to it and a folder for the files of servers. `close` removes them. */
export async function openSandbox(name, port, max = 2) {
  const database = await startPostgres(port)
  const { folder, removeFolder } = makeFolder(name)
  const db = openPool(database.url, max)
  async function close() {
    await db.end()
    await database.stop()
    removeFolder()
  }
  return { database, folder, db, close }
}

/** One server on each port, for a proxy on this machine. `restart` replaces one; `kill` ends all. */
export async function startShops({ database, folder }, ports) {
  const settings = {
    DATABASE_URL: database.url,
    TRUSTED_PROXIES: '127.0.0.1',
    SECRET_KEY: randomBytes(32).toString('base64'),
  }
  const shops = []
  async function restart(place) {
    shops[place] = startServer({ port: ports[place], dataDir: folder, settings })
    await ready(shops[place].address)
  }
  async function kill() {
    for (const { child } of shops) child.kill('SIGKILL')
    await Promise.all(shops.map(({ ended }) => ended))
  }
  for (const place of ports.keys()) await restart(place)
  return { shops, restart, kill, servers: ports.map((port) => `127.0.0.1:${port}`) }
}

/** Settings of a shop that sends to this simulated Graph API. Only a shop that plays its messages may lift the limits. */
export const cloudSettings = (meta) => ({
  RATE_LIMITS: 'on',
  ALLOW_SIMULATOR: 'false',
  WHATSAPP_PROVIDER: 'cloud',
  WHATSAPP_TOKEN: meta.token,
  WHATSAPP_PHONE_NUMBER_ID: meta.phoneNumberId,
  WHATSAPP_APP_SECRET: 'the-secret-of-the-application-b41f',
  WHATSAPP_GRAPH_URL: meta.graphUrl,
})
