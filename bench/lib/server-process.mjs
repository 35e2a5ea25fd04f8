import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverEnv, serverFlags } from '../../scripts/serving.mjs'

const root = join(import.meta.dirname, '../..')
const built = join(root, 'build/server/main.js')
export const node = join(root, 'node_modules/.bin/node')
export const entry = process.env.SERVER_ENTRY ?? (existsSync(built) ? built : join(root, 'server/main.ts'))

/** Starts one process of the shop without demo data; `settings` are its environment. */
export function startServer({
  port,
  dataDir,
  settings = {},
  stdio = ['ignore', 'ignore', 'inherit'],
  program = entry,
}) {
  const child = spawn(node, [...serverFlags, program], {
    cwd: dataDir,
    stdio,
    env: {
      ...serverEnv,
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      NODE_ENV: 'production',
      ALLOW_SIMULATOR: 'true',
      SEED_DEMO: 'false',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
      ...settings,
    },
  })
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))
  return { child, ended, address: `http://127.0.0.1:${port}` }
}

/** Waits until `path` is served. The limit is for a process that hangs: a start from the sources takes half a minute under load. */
export async function ready(address, path = '/readyz') {
  const giveUpAt = performance.now() + 120_000
  while (performance.now() < giveUpAt) {
    const answer = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(3_000) }).catch(() => null)
    if (answer?.ok) return
    await sleep(25)
  }
  throw new Error(`${address} did not come up`)
}
