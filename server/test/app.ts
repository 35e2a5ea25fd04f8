import pg from 'pg'
import { type Logger, pino } from 'pino'
import { inject } from 'vitest'
import { buildApp, type Shop } from '../app.ts'
import type { Config } from '../config/config.ts'
import { testConfig } from './config.ts'
import { type Visitor, visit } from './visitor.ts'

export interface TestShop extends Shop {
  databaseUrl: string
  /** Console output. */
  said: string[]
  /** A visitor with a cookie jar of its own. */
  visitor: () => Visitor
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
}

/** Tests let delayed jobs start at once, and would mostly wait for the next poll. */
const POLL_SECONDS = 0.2

let counter = 0
const running = new Set<Shop>()
const databases = new Set<string>()

async function administer(...statements: string[]) {
  if (statements.length === 0) return
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  for (const text of statements) await admin.query(text)
  await admin.end()
}

/** A new database, cloned from the migrated and seeded template. */
async function newDatabase(): Promise<string> {
  const url = new URL(inject('templateUrl'))
  const template = pg.escapeIdentifier(url.pathname.slice(1))
  const name = `t_${process.pid}_${counter++}_${Math.floor(performance.now())}`
  // A copy of files takes a fifth of the time of the default, which writes each page through the log.
  await administer(`create database ${pg.escapeIdentifier(name)} template ${template} strategy file_copy`)
  databases.add(name)
  url.pathname = `/${name}`
  return url.href
}

/** Called after each test file (each-file.ts): files share processes, so nothing of a file may go on. */
export async function stopShops() {
  await Promise.all([...running].map((shop) => shop.stop()))
  // A shop that was still starting has not removed itself.
  running.clear()
  await administer(...[...databases].map((name) => `drop database ${pg.escapeIdentifier(name)} with (force)`))
  databases.clear()
}

/**
 * The whole application on a new database, or a further process on the database of another. With `role: 'web'` it runs no
 * jobs, which saves time where a test asserts nothing about messages and other effects of jobs.
 */
export async function startShop(
  overrides: Partial<Config> = {},
  { databaseUrl: shared, ...parts }: { log?: Logger; web?: string; databaseUrl?: string } = {},
): Promise<TestShop> {
  const databaseUrl = shared ?? (await newDatabase())
  const config = { ...testConfig(), ...overrides }
  const log = parts.log ?? pino({ level: process.env.LOG_LEVEL ?? 'silent' })
  const said: string[] = []
  const print = (line: string) => said.push(line)
  const shop = await buildApp({ ...parts, config, databaseUrl, log, print, pollSeconds: POLL_SECONDS })
  running.add(shop)
  await shop.start()
  const stop = shop.stop
  return Object.assign(shop, {
    stop: async () => {
      if (running.delete(shop)) await stop()
    },
    databaseUrl,
    said,
    visitor: () => visit(shop),
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await shop.app.pool.query<Row>(text, values)).rows,
  })
}
