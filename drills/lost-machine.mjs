import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { furnish, startOrdering } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { makeFolder, openPool } from './sandbox.mjs'

/**
 * Debian's PostgreSQL with deploy/pgbackrest.conf loses its machine while customers order: the server is killed and its
 * files are deleted. Restored from the archive, it lacks the orders of five minutes at most; restored to a moment before,
 * those until then. Without archiving (`off`) it must lack more. Root. `node drills/lost-machine.mjs [off]`
 */
const MOST_LOST_SECONDS = 300
const ORDERING_MS = 130_000
const isArchiving = process.argv[2] !== 'off'
const ports = { postgres: 3271, shop: 3272 }
const [version] = readdirSync('/usr/lib/postgresql').sort((a, b) => b - a)
const cluster = [version, 'qatra-drill']
const { folder, removeFolder } = makeFolder('lost-machine')
const data = `/var/lib/postgresql/${version}/qatra-drill`
const configuration = join(folder, 'pgbackrest.conf')
const url = `postgres://qatra:drill@127.0.0.1:${ports.postgres}/qatra`

const quiet = { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' }
const run = (program, ...args) => execFileSync(program, args, quiet).toString()
const asPostgres = (...args) => run('runuser', '-u', 'postgres', '--', ...args)
const pgbackrest = (...args) => asPostgres('pgbackrest', `--config=${configuration}`, '--stanza=qatra', ...args)
const psql = (text, name = 'qatra') => asPostgres('psql', '-p', String(ports.postgres), '-d', name, '-qAtc', text)

function configure() {
  const own = (path) => chownSync(path, Number(run('id', '-u', 'postgres')), Number(run('id', '-g', 'postgres')))
  own(folder)
  for (const name of ['repo', 'spool', 'log']) {
    mkdirSync(join(folder, name))
    own(join(folder, name))
  }
  const text = readFileSync(join(import.meta.dirname, '../deploy/pgbackrest.conf'), 'utf8')
    .replace(/repo1-path=.*/, `repo1-path=${folder}/repo\nlog-path=${folder}/log\nlock-path=${folder}`)
    .replace(/spool-path=.*/, `spool-path=${folder}/spool`)
    .replace(/pg1-path=.*/, `pg1-path=${data}\npg1-port=${ports.postgres}`)
  writeFileSync(configuration, text)
  own(configuration)
  run('pg_createcluster', ...cluster, '-p', String(ports.postgres))
  const settings = {
    archive_mode: 'on',
    archive_command: isArchiving ? `pgbackrest --config=${configuration} --stanza=qatra archive-push %p` : 'true',
    archive_timeout: '60s',
  }
  for (const [name, value] of Object.entries(settings)) run('pg_conftool', ...cluster, 'set', name, value)
  run('pg_ctlcluster', ...cluster, 'start')
  psql(`create role qatra login password 'drill'`, 'postgres')
  psql(`create database qatra owner qatra template template0 encoding 'UTF8' locale 'C.UTF-8'`, 'postgres')
  pgbackrest('stanza-create')
}

/** Restores with these options, and reads which orders there are. */
async function restored(...options) {
  rmSync(data, { recursive: true, force: true })
  pgbackrest('restore', ...options)
  run('pg_ctlcluster', ...cluster, 'start')
  while (psql('select pg_is_in_recovery()').trim() !== 'f') await sleep(200)
  return new Set(psql('select id from orders').trim().split('\n'))
}

let shop = null
try {
  configure()
  shop = startServer({ port: ports.shop, dataDir: folder, settings: { DATABASE_URL: url } })
  await ready(shop.address)
  const db = openPool(url)
  const { productId, cookies } = await furnish(db, 4)
  pgbackrest('--type=full', isArchiving ? '--archive-check' : '--no-archive-check', 'backup')
  const begun = Date.now()
  const ordering = startOrdering({ addressOf: () => shop.address, cookies, productId })
  await sleep(ORDERING_MS / 2)
  const moment = psql('select now()').trim()
  await sleep(ORDERING_MS / 2)
  const { rows } = await db.query(
    'select id, extract(epoch from created_at)::float8 * 1000 as at, created_at <= $1 as before from orders',
    [moment],
  )
  run('pg_ctlcluster', ...cluster, 'stop', '-m', 'immediate')
  const lostAt = Date.now()
  await ordering.stop()
  shop.child.kill('SIGKILL')
  await shop.ended
  await db.end()

  const newest = await restored()
  const lost = rows.filter(({ id }) => !newest.has(id))
  const lostSeconds = Math.ceil(lost.length === 0 ? 0 : (lostAt - Math.min(...lost.map(({ at }) => at))) / 1000)
  run('pg_ctlcluster', ...cluster, 'stop')
  const then = isArchiving
    ? await restored('--type=time', `--target=${moment}`, '--target-action=promote', '--target-timeline=current')
    : newest
  const wrong = rows.filter(({ id, before }) => then.has(id) !== before).length
  const isReached = lostSeconds <= MOST_LOST_SECONDS && lostSeconds < (lostAt - begun) / 2000 && wrong <= 1
  const figures = {
    orders: rows.length,
    seconds: Math.round((lostAt - begun) / 1000),
    lost: lost.length,
    lostSeconds,
    wrongAtMoment: wrong,
  }
  console.log(JSON.stringify({ drill: 'lost-machine', ...figures, isReached }))
  if (isReached !== isArchiving) process.exitCode = 1
} finally {
  shop?.child.kill('SIGKILL')
  try {
    run('pg_dropcluster', '--stop', ...cluster)
  } catch {} // it was not made, or is deleted
  removeFolder()
}
