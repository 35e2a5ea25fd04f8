import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addToCart } from '@qatra/contract/cart/cart'
import { getOrder, listMyOrders } from '@qatra/contract/orders/orders'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { buildApp } from '../app.ts'
import { startEmbeddedDatabase } from '../database/embedded/embedded-database.ts'
import { storeMedia } from '../media/commands.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeBottleType, makeHousehold } from '../test/fixtures/make.ts'
import { visit } from '../test/visitor.ts'
import { readBackup } from './check.ts'
import { keyMarkOf } from './manifest.ts'
import { type RestoreOptions, restoreBackup } from './restore.ts'
import { prune, type Taken, takeBackup } from './take.ts'

const migrationsFolder = join(import.meta.dirname, '../migrations')
const top = mkdtempSync(join(tmpdir(), 'qatra-backup-'))
const folder = join(top, 'backups')
const image = Buffer.from(Array.from({ length: 2_500_000 }, (_, n) => (n * n) % 251))
let imageUrl = ''

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>
let waiting: string
let taken: Taken

beforeAll(async () => {
  shop = await startShop()
  home = await makeHousehold(shop)
  await home.order()
  // Values that a text format could break.
  await shop.query(`update users set name = $2, permissions = $3 where phone = $1`, [
    home.customer.phone,
    'a\tb\nc\\d\\N "قطرة" 💧',
    ['x,y', '{}', ''],
  ])
  await shop.visitor().call(addToCart, { body: { productId: 1, quantity: 2 } })
  // Stops the queue, so that its job stays waiting.
  await shop.app.queue.stop()
  waiting = await home.order()
  const picture = { bytes: image, mimeType: 'image/webp', width: 10, height: 10 } as const
  imageUrl = `/media/${await storeMedia(shop.app.db, picture, 'public')}`
  const voice = { bytes: Buffer.from(image).reverse(), mimeType: 'audio/ogg' } as const
  await shop.query(
    `with m as (insert into whatsapp_messages (direction, channel, message_type, status)
       values ('incoming', 'whatsapp', 'audio', 'received') returning id)
     insert into message_files (message_id, sha256, size) select id, $1, $2 from m`,
    [await storeMedia(shop.app.db, voice, 'private'), image.length],
  )
  await shop.query(
    `insert into ledger_entries (ledger, vendor_id, holder, holder_id, bottle_type_id, day, kind, amount, due, key, happened_at)
     select 'bottles', $1, 'customer', u.id, $2, current_date, kind, amount, due, 'backup:' || kind, now()
     from users u, (values ('opening', 5, 4000), ('returned', -2, 0)) e (kind, amount, due) where u.phone = $3`,
    [home.vendor, await makeBottleType(shop, home.vendor), home.customer.phone],
  )
  await shop.query(`select create_month('audit_log', '2021-05-01')`)
  await shop.query(`insert into audit_log (action, resource, created_at) values ('old', 'month', '2021-05-05')`)
  taken = await takeBackup({ databaseUrl: shop.databaseUrl, folder, keyMark: 'mark' })
})

const made: string[] = []
const owner = `plain_owner_${process.pid}`
async function asAdmin(text: string) {
  const client = new pg.Client({ connectionString: inject('adminUrl') })
  await client.connect()
  await client.query(text)
  await client.end()
}
afterAll(async () => {
  rmSync(top, { recursive: true, force: true })
  for (const name of made) await asAdmin(`drop database if exists ${name} with (force)`)
  if (made.length > 0) await asAdmin(`drop role if exists ${owner}`)
  // Each drop waits for a checkpoint.
})

/** An empty database whose owner is a role without special rights. */
async function emptyDatabase(): Promise<string> {
  const name = `t_restore_${process.pid}_${made.length}`
  const isFirst = made.length === 0
  made.push(name)
  if (isFirst) {
    await asAdmin(`create role ${owner} login`)
  }
  await asAdmin(`create database ${name} owner ${owner}`)
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  url.username = owner
  return url.href
}

const into = (databaseUrl: string, changes: Partial<RestoreOptions> = {}) =>
  restoreBackup({
    file: taken.file,
    databaseUrl,
    migrationsFolder,
    replaces: false,
    withJobs: true,
    ...changes,
  })

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** The structure of a schema as text. */
const anatomy = `
  select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as part from pg_constraint
    where connamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
  union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
  union all select schemaname || ' ' || indexdef from pg_indexes where schemaname in ('public', 'pgboss', 'drizzle')
  union all select sequencename || ' ' || coalesce(last_value::text, '') from pg_sequences where schemaname = 'public'
  order by 1`
const anyTable = `select from pg_tables where schemaname in ('public', 'pgboss', 'drizzle')`
/** Count and hash of every table, computed by the database instead of the code under test. */
const rowsOf = (url: string) =>
  query<{ t: string; hash: string }>(
    url,
    `select t, (xpath('/row/h/text()', query_to_xml(format(
       'select count(*) || '' '' || md5(coalesce(string_agg(r::text, chr(10) order by r::text collate "C"), '''')) as h from %s r', t),
       true, true, '')))[1]::text as hash
     from (select c.oid::regclass::text as t from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace) x
     order by 1`,
  )

describe('a backup', () => {
  it('is readable only by its owner, opens with tar and zstd, and is complete', async () => {
    expect(statSync(taken.file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toHaveLength(1)
    const { manifest, summary } = await readBackup(taken.file)
    expect(manifest.keyMark).toBe('mark')
    expect(summary.tables['public.media']?.rows).toBe(2)
    expect(summary.tables['public.message_files']?.rows).toBe(1)
    expect(summary.tables['pgboss.job']?.rows).toBeGreaterThan(0)
    const listing = spawnSync('sh', ['-c', 'zstd -dc "$0" | tar t', taken.file], { encoding: 'utf8' })
    if (listing.status === 0) expect(listing.stdout).toContain('tables/public.orders/000001.copy\n')
  })

  it('restored into an empty database of an ordinary role has equal rows, constraints, sequences, files and waiting jobs', async () => {
    const url = await emptyDatabase()
    await into(url)
    expect(await rowsOf(url)).toEqual(await rowsOf(shop.databaseUrl))
    expect(await query(url, anatomy)).toEqual(await query(shop.databaseUrl, anatomy))
    // Entries are written again without the trigger that moves the balances.
    const [balances] = await query<{ all: number; asEntries: number }>(
      url,
      `select count(*)::int as all, count(*) filter (where b.count = e.count and b.deposit = e.deposit)::int as "asEntries"
       from bottle_balances b left join (
         select holder_id, bottle_type_id, address_id, sum(amount) as count, sum(due) as deposit from ledger_entries
         where ledger = 'bottles' group by 1, 2, 3) e on e.holder_id = b.customer_id
         and e.bottle_type_id = b.bottle_type_id and e.address_id is not distinct from b.address_id`,
    )
    expect(balances?.all).toBeGreaterThan(0)
    expect(balances?.asEntries).toBe(balances?.all)

    const again = await buildApp({ config: shop.app.config, databaseUrl: url, log: pino({ level: 'silent' }) })
    await again.start()
    try {
      const shown = await again.app.http.inject({ method: 'GET', url: imageUrl })
      expect([shown.statusCode, shown.rawPayload.equals(image)]).toEqual([200, true])
      const customer = visit(again)
      for (const [name, value] of home.customer.cookies) customer.cookies.set(name, value)
      expect((await customer.call(listMyOrders)).body.total).toBe(2)
      expect((await customer.call(getOrder, { params: { id: waiting } })).body.status).toBe('new')
      expect((await customer.call(addToCart, { body: { productId: home.water, quantity: 1 } })).status).toBe(200)
      const state = async () =>
        (await query<{ state: string }>(url, `select state from pgboss.job where data->>'id' = '${waiting}'`))[0]?.state
      await expect.poll(state).toBe('completed')
    } finally {
      await again.stop()
    }
  })

  it('omits the jobs if requested', async () => {
    const url = await emptyDatabase()
    await into(url, { withJobs: false })
    expect(await query(url, 'select count(*)::integer as n from pgboss.job')).toEqual([{ n: 0 }])
  })

  it('of an older schema is restored with it and then migrated; one of an unknown schema is refused', async () => {
    const [url, other] = [await emptyDatabase(), await emptyDatabase()]
    const ours = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'))
    const last = ours.entries.at(-1)
    const later = join(top, 'migrations')
    const withSteps = (entries: unknown[]) => {
      cpSync(migrationsFolder, later, { recursive: true })
      cpSync(join(migrationsFolder, '../database/partitions.sql'), join(top, 'database/partitions.sql'))
      writeFileSync(join(later, 'more.sql'), `alter table users add column shoe_size integer default 42 not null;`)
      writeFileSync(join(later, 'meta/_journal.json'), JSON.stringify({ ...ours, entries }))
      return { migrationsFolder: later }
    }
    const more = { ...last, idx: last.idx + 1, when: last.when + 1, tag: 'more' }
    await into(url, withSteps([...ours.entries, more]))
    expect(await query(url, 'select distinct shoe_size from users')).toEqual([{ shoe_size: 42 }])
    expect(await query(url, 'select from drizzle.__drizzle_migrations')).toHaveLength(ours.entries.length + 1)

    await expect(into(other, withSteps(ours.entries.slice(0, -1)))).rejects.toThrow('newer version')
    await expect(into(other, withSteps([...ours.entries.slice(0, -1), { ...last, tag: 'more' }]))).rejects.toThrow(
      'tables would not fit',
    )
    expect(await query(other, anyTable)).toEqual([])
  })

  it('is refused by a database with tables, unless replacing is requested', async () => {
    const url = await emptyDatabase()
    await into(url)
    await query(url, `update users set name = 'Changed since'`)
    await expect(into(url)).rejects.toThrow('has tables already')
    expect(await query(url, `select count(*)::integer as n from users where name <> 'Changed since'`)).toEqual([
      { n: 0 },
    ])
    await into(url, { replaces: true })
    expect(await rowsOf(url)).toEqual(await rowsOf(shop.databaseUrl))
  })

  it('is refused while the shop is running', async () => {
    await expect(into(shop.databaseUrl, { replaces: true })).rejects.toThrow('The shop runs on this database')
  })
})

describe('a damaged backup', () => {
  it('is refused for any wrong byte and if truncated anywhere', async () => {
    const bytes = readFileSync(taken.file)
    const file = join(top, 'damaged.tar.zst')
    const places = [0, 3, 4, 5, bytes.length - 1, bytes.length - 33, bytes.length - 40, bytes.length - 41]
    for (let n = 1; n < 40; n += 1) places.push(Math.floor((bytes.length * n) / 40))
    for (const place of places) {
      const damaged = Buffer.from(bytes)
      damaged[place] = (damaged[place] ?? 0) ^ (1 << (place % 8))
      writeFileSync(file, damaged)
      await expect(readBackup(file), `byte ${place}`).rejects.toThrow(/damaged/)
    }
    for (const length of [0, 1, 39, 40, 41, 1000, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length))
      await expect(readBackup(file), `${length} bytes`).rejects.toThrow(/whole|damaged/)
    }
  })

  it('leaves the database unchanged', async () => {
    const url = await emptyDatabase()
    const bytes = readFileSync(taken.file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    const file = join(top, 'damaged.tar.zst')
    writeFileSync(file, bytes)
    await expect(into(url, { file })).rejects.toThrow('damaged')
    expect(await query(url, anyTable)).toEqual([])
  })
})

describe('a move', () => {
  it('copies the embedded database into an empty one, once, and leaves the old one and its key', async () => {
    const dataDir = join(top, 'data')
    const quiet = { dataDir, log: () => undefined }
    const before = await startEmbeddedDatabase(quiet)
    await restoreBackup({
      file: taken.file,
      databaseUrl: before.url,
      migrationsFolder,
      replaces: false,
      withJobs: true,
    })
    const rows = await rowsOf(before.url)
    const move = (databaseUrl: string) =>
      spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), 'move'], {
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
        encoding: 'utf8',
      })
    const url = await emptyDatabase()
    const refused = move(url)
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^The data folder \S+ is in use by process/),
    ])
    await before.stop()

    const { stdout, stderr } = move(url)
    expect([stderr, stdout]).toEqual(['', expect.stringContaining('every row compared')])
    expect(await rowsOf(url)).toEqual(rows)
    expect(move(url).stderr).toContain('The database has tables already')
    const after = await startEmbeddedDatabase(quiet)
    expect(await rowsOf(after.url)).toEqual(rows)
    await after.stop()
  })
})

describe('the backup folder', () => {
  it('keeps the newest backups and all files that are not backups', () => {
    const place = mkdtempSync(join(tmpdir(), 'qatra-keep-'))
    const name = (day: number) => `qatra-202611${String(day).padStart(2, '0')}-000000-000.tar.zst`
    for (let day = 1; day <= 20; day += 1) writeFileSync(join(place, name(day)), '')
    writeFileSync(join(place, 'my-notes.tar.zst'), '')
    writeFileSync(join(place, `${name(21)}.partial`), '')
    writeFileSync(join(place, `${name(1)}.partial`), '')
    utimesSync(join(place, `${name(1)}.partial`), 0, 0)
    expect(prune(place, 14)).toEqual([1, 2, 3, 4, 5, 6].map(name))
    expect(readdirSync(place)).toHaveLength(16)
    expect(readdirSync(place)).not.toContain(`${name(1)}.partial`)
    rmSync(place, { recursive: true })
  })

  it('the key mark differs between keys and does not reveal them', () => {
    const mark = keyMarkOf({ SECRET_KEY: 'a'.repeat(32) }, top)
    expect(mark).toMatch(/^[0-9a-f]{16}$/)
    expect(keyMarkOf({ SECRET_KEY: 'b'.repeat(32) }, top)).not.toBe(mark)
    expect(keyMarkOf({}, top)).toBeNull()
  })
})
