import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Logger, pino } from 'pino'
import { afterAll, inject } from 'vitest'
import { buildApp, type Shop } from '../app.ts'
import { type Config, readConfig } from '../config/config.ts'
import { type Visitor, visit } from './visitor.ts'

export interface TestShop extends Shop {
  databaseUrl: string
  /** Console output. */
  said: string[]
  /** A visitor with a cookie jar of its own. */
  visitor: () => Visitor
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
}

let counter = 0

/** A new database, cloned from the migrated and seeded template. */
async function newDatabase(): Promise<string> {
  const template = new URL(inject('templateUrl'))
  const name = `t_${process.pid}_${counter++}_${Math.floor(performance.now())}`
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query(
    `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template.pathname.slice(1))}`,
  )
  await admin.end()
  const url = new URL(template)
  url.pathname = `/${name}`
  return url.href
}

/** The whole application on a new database, or a further process on the database of another. */
export async function startShop(
  overrides: Partial<Config> = {},
  { databaseUrl: shared, ...parts }: { log?: Logger; web?: string; databaseUrl?: string } = {},
): Promise<TestShop> {
  const databaseUrl = shared ?? (await newDatabase())
  const config = {
    ...readConfig({
      NODE_ENV: 'test',
      PORT: '0',
      PUBLIC_URL: 'http://localhost:3000',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'qatra-test-')),
      RATE_LIMITS: 'off',
      SEED_DEMO: 'true',
    }),
    ...overrides,
  }
  const log = parts.log ?? pino({ level: process.env.LOG_LEVEL ?? 'silent' })
  const said: string[] = []
  const shop = await buildApp({ ...parts, config, databaseUrl, log, print: (line) => said.push(line) })
  await shop.start()
  afterAll(async () => {
    await shop.stop()
  })
  return Object.assign(shop, {
    databaseUrl,
    said,
    visitor: () => visit(shop),
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await shop.app.pool.query<Row>(text, values)).rows,
  })
}
