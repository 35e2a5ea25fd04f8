import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')

/** Starts the shop as `npm start` does, on a free port and in a new data folder. */
export async function startShop({ port, dataDir }) {
  const begun = performance.now()
  const child = spawn(join(root, 'node_modules/.bin/node'), [join(root, 'scripts/start.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: dataDir, RATE_LIMITS: 'off' },
  })
  child.stdout.resume()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.once('exit', () => child.kill('SIGKILL'))
  const address = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  while (!(await isReady()) || child.exitCode !== null) {
    if (child.exitCode !== null) throw new Error(`The shop did not start (${child.exitCode})`)
    await sleep(20)
  }
  const readyMs = performance.now() - begun
  return {
    address,
    readyMs,
    /** Resident memory of the node process in MB, without the processes of the database. */
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
