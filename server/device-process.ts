import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'

const MAX_WAIT_MS = 60_000
/** After this time without a failure the next restart waits as briefly as the first. */
const HEALTHY_AFTER_MS = 60_000
/**
 * Its queue takes up to 8 s to stop; the server ends after 10 s. What the device could not store by then, since the
 * database is away, is lost.
 */
const KILL_AFTER_MS = 9_000

/** Runs the linked device in a separate process, so that its crashes do not affect orders. */
export function keepDevice(
  config: Config,
  databaseUrl: string,
  log: Logger,
  { entry = deviceEntry(), healthyAfterMs = HEALTHY_AFTER_MS, killAfterMs = KILL_AFTER_MS } = {},
): { stop: () => Promise<void> } {
  const isElsewhere = config.role === 'web' || process.env.QATRA_DEVICE === 'elsewhere'
  if (config.whatsapp.provider !== 'web' || isElsewhere) return { stop: async () => {} }
  let child: ChildProcess | null = null
  let startedAt = 0
  let restarts = 0
  let restartTimer: NodeJS.Timeout | null = null
  let isStopped = false

  function start() {
    restartTimer = null
    startedAt = performance.now()
    let forked: ChildProcess
    try {
      forked = fork(entry, {
        env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
    } catch (error) {
      // Some failures are thrown, such as that of a machine without memory.
      return restart({ err: error })
    }
    child = forked
    forked.once('exit', (exitCode) => restart({ exitCode }))
    forked.on('error', (error) => {
      // One that runs ends with `exit`.
      if (forked.pid === undefined) restart({ err: error })
    })
  }

  function restart(reason: object) {
    child = null
    if (isStopped) return
    if (performance.now() - startedAt >= healthyAfterMs) restarts = 0
    restarts += 1
    const waitMs = Math.min(MAX_WAIT_MS, 1_000 * 2 ** restarts)
    log.warn({ ...reason, waitMs }, 'the process of the linked device ended')
    restartTimer = setTimeout(start, waitMs)
  }

  start()
  return {
    async stop() {
      isStopped = true
      if (restartTimer) clearTimeout(restartTimer)
      const ending = child
      if (!ending) return
      await new Promise<void>((done) => {
        const killTimer = setTimeout(() => ending.kill('SIGKILL'), killAfterMs)
        ending.once('exit', () => {
          clearTimeout(killTimer)
          done()
        })
        ending.kill('SIGTERM')
      })
    },
  }
}

function deviceEntry(): string {
  const built = join(import.meta.dirname, 'device.js')
  return existsSync(built) ? built : join(import.meta.dirname, 'device.ts')
}
