import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount } from '../../database/embedded/postgres-account.ts'
import { freePort } from '../simulators/server.ts'

const file = join(import.meta.dirname, '../../../deploy/ha/pgbouncer.ini')

/** `.ci/run` installs it, so that nothing is skipped there. */
export const hasPgBouncer = process.env['CI'] !== undefined || spawnSync('pgbouncer', ['--version']).status === 0

/**
 * PgBouncer with the file of deploy/ha before a test's database. It has fewer connections to the database than a shop
 * has to it, so that they are shared.
 */
export async function startPgBouncer(databaseUrl: string, { hasTimeouts = true, poolSize = 4 } = {}) {
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = await freePort(async (free) => {
    if (await answers(free)) throw new Error(`Port ${free} is taken`)
  })
  const folder = mkdtempSync(join(tmpdir(), 'qatra-pgbouncer-'))
  const [users, config] = [join(folder, 'users'), join(folder, 'ini')]
  const values = {
    listen_port: String(port),
    auth_type: 'trust',
    auth_file: users,
    default_pool_size: String(poolSize),
  }
  let text = readFileSync(file, 'utf8')
    .replace(
      'host=127.0.0.1 port=5000 dbname=qatra',
      `host=${host} port=${url.port || 5432} dbname=${url.pathname.slice(1)}`,
    )
    .replace(hasTimeouts ? '' : / connect_query=.*/, '')
    .replace('[pgbouncer]', `[pgbouncer]\nunix_socket_dir =`)
  for (const [name, value] of Object.entries(values)) {
    if (!text.includes(`\n${name} = `)) throw new Error(`${file} has no ${name}`)
    text = text.replace(new RegExp(`^${name} = .*$`, 'm'), `${name} = ${value}`)
  }
  writeFileSync(config, text)
  writeFileSync(users, `"${url.username}" ""\n`)
  chmodSync(folder, 0o755)
  // PgBouncer refuses to run as root, as PostgreSQL does, and must reach its socket.
  const { prefix, uid, gid } = chooseAccount(host.startsWith('/') ? host : '')
  const [command = '', ...args] = [...prefix, 'pgbouncer', config]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], uid, gid })
  let output = ''
  child.stderr.on('data', (bytes) => (output += String(bytes)))
  const ended = once(child, 'exit')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${output}`)
    await sleep(20)
  }
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  url.pathname = '/qatra'
  return {
    url: url.href,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((decide) => {
    const probe = connect(port, '127.0.0.1')
    probe.once('connect', () => {
      probe.destroy()
      decide(true)
    })
    probe.once('error', () => decide(false))
  })
