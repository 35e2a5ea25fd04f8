import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'

const MAX_WAIT_MS = 60_000

/** Runs the linked device in a separate process, so that its crashes do not affect orders. */
export function keepDevice(config: Config, databaseUrl: string, log: Logger): { stop: () => Promise<void> } {
  const isElsewhere = config.role === 'web' || process.env.QATRA_DEVICE === 'elsewhere'
  if (config.whatsapp.provider !== 'web' || isElsewhere) return { stop: async () => {} }
  const built = join(import.meta.dirname, 'device.js')
  const entry = existsSync(built) ? built : join(import.meta.dirname, 'whatsapp-device/main.ts')
  let child: ChildProcess | null = null
  let falls = 0
  let again: NodeJS.Timeout | null = null
  let isStopped = false

  function start() {
    child = fork(entry, {
      env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: config.dataDir },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.once('exit', (code) => {
      child = null
      if (isStopped) return
      falls += 1
      log.warn({ exitCode: code }, 'the process of the linked device ended')
      again = setTimeout(start, Math.min(MAX_WAIT_MS, 1_000 * 2 ** falls))
    })
  }
  start()
  return {
    async stop() {
      isStopped = true
      if (again) clearTimeout(again)
      const ending = child
      if (!ending) return
      await new Promise<void>((done) => {
        ending.once('exit', () => done())
        ending.kill('SIGTERM')
      })
    },
  }
}
