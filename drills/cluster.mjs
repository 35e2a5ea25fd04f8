import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/**
 * Three database machines as network namespaces on one bridge, each with etcd and PostgreSQL under Patroni, and HAProxy
 * before them: the files of deploy/ha. Needs root.
 */
const ha = join(import.meta.dirname, '../deploy/ha')
const names = ['pg1', 'pg2', 'pg3']
const bridge = 'qatra-ha'
const namespaceOf = (name) => `qatra-${name}`
const linkOf = (name) => `qatra-${name}`
const addressOf = (name) => `10.213.0.1${name.slice(2)}`
const host = '10.213.0.1'
const network = '10.213.0.0/24'
/** As bound by deploy/ha/haproxy.cfg on 127.0.0.1. */
const PRIMARY_PORT = 5000
const REPLICAS_PORT = 5001

const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString()
const inside = (name, ...command) => ['netns', 'exec', namespaceOf(name), ...command]

function openNetwork() {
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('addr', 'add', `${host}/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  for (const name of names) {
    const inner = `${linkOf(name)}-in`
    ip('netns', 'add', namespaceOf(name))
    ip('link', 'add', linkOf(name), 'type', 'veth', 'peer', 'name', inner)
    ip('link', 'set', inner, 'netns', namespaceOf(name))
    ip('link', 'set', linkOf(name), 'master', bridge, 'up')
    ip(...inside(name, 'ip', 'addr', 'add', `${addressOf(name)}/24`, 'dev', inner))
    ip(...inside(name, 'ip', 'link', 'set', inner, 'up'))
    ip(...inside(name, 'ip', 'link', 'set', 'lo', 'up'))
  }
}

const pidsOf = (name) => ip('netns', 'pids', namespaceOf(name)).split('\n').filter(Boolean).map(Number)

function signal(name, kind, pids = pidsOf(name)) {
  for (const pid of pids) {
    try {
      process.kill(pid, kind)
    } catch (error) {
      if (error.code !== 'ESRCH') throw error // the process has ended
    }
  }
}

/** PostgreSQL and Patroni of a machine, without etcd, of which two must run. */
const databasePidsOf = (name) =>
  pidsOf(name).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'etcd'
    } catch (error) {
      if (error.code !== 'ENOENT') throw error // the process has ended
      return false
    }
  })

function closeNetwork() {
  const namespaces = ip('netns', 'list')
  for (const name of names) {
    if (!namespaces.includes(namespaceOf(name))) continue
    signal(name, 'SIGKILL')
    ip('netns', 'del', namespaceOf(name))
  }
  // A namespace keeps its link until its last process has ended.
  const links = ip('-o', 'link', 'show')
  for (const link of [...names.map(linkOf), bridge]) if (links.includes(`: ${link}`)) ip('link', 'del', link)
}

const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres']))
const newestPostgres = () => {
  const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
  return `/usr/lib/postgresql/${versions[0]}/bin`
}

/** The same on all machines, as in deploy/ha/node.env.example. */
const shared = {
  PATRONI_RESTAPI_USERNAME: 'patroni',
  PATRONI_ETCD_HOSTS: names.map((name) => `${addressOf(name)}:2379`).join(','),
  PATRONI_SUPERUSER_USERNAME: 'postgres',
  PATRONI_REPLICATION_USERNAME: 'replicator',
  PATRONI_REWIND_USERNAME: 'rewinder',
}

/** `isSynchronous: false` is the mutant: commits are acknowledged before a standby has them. */
export async function startCluster({ isSynchronous = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'qatra-ha-'))
  const account = { uid: idOf('-u'), gid: idOf('-g') }
  chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o755)
  const config = join(folder, 'patroni.yml')
  const asked = readFileSync(join(ha, 'patroni.yml'), 'utf8').replaceAll('${NETWORK}', network)
  const given = isSynchronous ? asked : asked.replace(/(synchronous_mode(?:_strict)?): true/g, '$1: false')
  // The file ends with the section of PostgreSQL. The machines share their file system here, so each has its own socket.
  writeFileSync(config, `${given}  parameters:\n    unix_socket_directories: ..\n`)
  chmodSync(config, 0o644)
  const passwords = Object.fromEntries(
    ['RESTAPI', 'SUPERUSER', 'REPLICATION', 'REWIND'].map((role) => [
      `PATRONI_${role}_PASSWORD`,
      randomBytes(16).toString('hex'),
    ]),
  )
  let keepsLogs = false
  // PostgreSQL refuses a data directory that others may read, and Patroni creates it.
  process.umask(0o077)
  closeNetwork() // left behind by a drill that was killed
  openNetwork()
  process.once('exit', closeNetwork)

  function start(name) {
    const own = join(folder, name)
    mkdirSync(own, { recursive: true })
    chownSync(own, account.uid, account.gid)
    const log = openSync(join(own, 'log'), 'a')
    const run = (command, env = {}) =>
      spawn('ip', inside(name, 'setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command), {
        cwd: own,
        stdio: ['ignore', log, log],
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', ...env },
      })
    const client = `http://${addressOf(name)}:2379`
    const peer = (one) => `http://${addressOf(one)}:2380`
    run([
      'etcd',
      ...['--name', name, '--data-dir', join(own, 'etcd'), '--log-level', 'error'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer(name), '--initial-advertise-peer-urls', peer(name)],
      ...['--initial-cluster', names.map((one) => `${one}=${peer(one)}`).join(',')],
      '--enable-v2',
      // All three share two cores and one disk here.
      ...['--heartbeat-interval', '250', '--election-timeout', '2500'],
    ])
    run(['patroni', config], {
      ...shared,
      ...passwords,
      PATRONI_NAME: name,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${addressOf(name)}:8008`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${addressOf(name)}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: join(own, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: newestPostgres(),
      PATRONI_POSTGRESQL_PGPASS: join(own, 'pgpass'),
    })
  }

  const ask = (name, path) =>
    fetch(`http://${addressOf(name)}:8008${path}`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
  /** The machine that is the primary now, or null. */
  async function leader() {
    const answers = await Promise.all(names.map((name) => ask(name, '/primary')))
    return names.find((_, place) => answers[place]?.status === 200) ?? null
  }
  /** Waits until one machine leads, both others follow it, and one of them has every commit. */
  async function healthy(withinMs = 120_000) {
    const begun = performance.now()
    while (performance.now() - begun < withinMs) {
      const first = await leader()
      const answer = first && (await ask(first, '/cluster'))
      const { members = [] } = (await answer?.json().catch(() => null)) ?? {}
      const isUp = members.length === 3 && members.every(({ state }) => state === 'running' || state === 'streaming')
      const isOne = new Set(members.map(({ timeline }) => timeline)).size === 1
      const isKept = !isSynchronous || members.some(({ role }) => role === 'sync_standby')
      if (isUp && isOne && isKept) return first
      await sleep(250)
    }
    throw new Error(`The cluster was not complete within ${withinMs / 1000} s; logs: ${folder}`)
  }

  /** Whoever can change the configuration can run commands as postgres. */
  function requireClosed(name) {
    const change = [
      ...['curl', '--silent', '--output', '/dev/null', '--write-out', '%{http_code}', '--request', 'PATCH'],
      ...['--data', '{}', `http://${addressOf(name)}:8008/config`],
    ]
    const statusOf = (command, args) => execFileSync(command, args).toString()
    const found = [statusOf(change[0], change.slice(1)), statusOf('ip', inside(name, ...change))]
    if (found.join() !== '403,401') throw new Error(`Changes of the configuration are answered ${found.join()}`)
  }

  for (const name of names) start(name)
  const proxy = spawn('haproxy', ['-f', join(ha, 'haproxy.cfg'), '-db', '-q'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      BIND: '127.0.0.1',
      ...Object.fromEntries(names.map((name) => [name.toUpperCase(), addressOf(name)])),
    },
  })
  process.once('exit', () => proxy.kill('SIGKILL'))
  requireClosed(await healthy())

  const primary = `127.0.0.1:${PRIMARY_PORT}`
  const password = randomBytes(16).toString('hex')
  const first = await adminOf(`postgres://postgres:${passwords.PATRONI_SUPERUSER_PASSWORD}@${primary}/postgres`)
  await first.query(`create role qatra login password '${password}' in role pg_monitor`)
  await first.query('create database qatra owner qatra')
  await first.end()

  return {
    names,
    url: `postgres://qatra:${password}@${primary}/qatra`,
    readUrl: `postgres://qatra:${password}@127.0.0.1:${REPLICAS_PORT}/qatra`,
    leader,
    healthy,
    start,
    kill: (name) => signal(name, 'SIGKILL'),
    freeze: (name) => signal(name, 'SIGSTOP'),
    freezeDatabase: (name) => signal(name, 'SIGSTOP', databasePidsOf(name)),
    thaw: (name) => signal(name, 'SIGCONT'),
    cut: (name) => ip('link', 'set', linkOf(name), 'down'),
    mend: (name) => ip('link', 'set', linkOf(name), 'up'),
    keepLogs() {
      keepsLogs = true
    },
    close() {
      proxy.kill('SIGKILL')
      closeNetwork()
      if (keepsLogs) console.log(`Logs: ${folder}`)
      else rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** HAProxy needs a moment until it has seen the primary. */
async function adminOf(url) {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (tries === 100) throw error
      await sleep(100)
    }
  }
}
