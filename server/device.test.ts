import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { lockKeys } from './database/advisory-lock.ts'
import { startShop } from './test/app.ts'
import { until } from './test/fixtures/codes.ts'

const shop = await startShop()
const owner = new pg.Client({ connectionString: shop.databaseUrl })
await owner.connect()
await owner.query('select pg_advisory_lock($1)', [lockKeys.device])
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await owner.end()
})

function startDevice() {
  const child = fork(join(import.meta.dirname, 'device.ts'), {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'test',
      DATABASE_URL: shop.databaseUrl,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'qatra-device-')),
      WHATSAPP_PROVIDER: 'web',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  return child
}
const connections = async () =>
  (
    await shop.query<{ query: string }>(
      `select query from pg_stat_activity where datname = current_database() and application_name = 'qatra-device'`,
    )
  ).map(({ query }) => query)

it('a process that waits for the lock ends with its parent, and its connection with it', async () => {
  const child = startDevice()
  await until('the wait', async () => (await connections()).some((query) => query.includes('advisory_lock')))
  child.disconnect()
  await until('the end', async () => child.exitCode !== null)
  expect(child.exitCode).toBe(0)
  await until('the end of its connection', async () => (await connections()).length === 0)
})

it('a process whose parent ends before it has loaded its modules ends', async () => {
  const child = startDevice()
  child.disconnect()
  await until('the end', async () => child.exitCode !== null)
  expect(child.exitCode).toBe(0)
})

it('the state of the device is announced to the inbox, though another process handles the job', async () => {
  const announced = () =>
    shop.query(
      `select id from pgboss.job where name = 'conversation-notifications' and data ->> 'event' = 'connection.changed'`,
    )
  expect(await announced()).toEqual([])
  await owner.query('select pg_advisory_unlock($1)', [lockKeys.device])
  startDevice()
  await until('the news', async () => (await announced()).length > 0)
})
