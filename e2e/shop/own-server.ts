import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { root, type Server } from '../settings.ts'

/** A server of its own for one test, which may stop it, change its settings or read its output. */
export async function startOwnServer(
  { port, origin, dataDir }: Server,
  settings: Record<string, string>,
  onOutput?: (text: string) => void,
): Promise<ChildProcess> {
  const child = spawn(join(root, 'node_modules/.bin/node'), ['build/server/main.js'], {
    cwd: root,
    stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      PUBLIC_URL: origin,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      SEED_DEMO: 'true',
      LOG_LEVEL: 'fatal',
      DRAIN_SECONDS: '0',
      ...settings,
    },
  })
  if (onOutput) child.stdout?.setEncoding('utf8').on('data', onOutput)
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: 180_000 }).toBe(true)
  return child
}

export async function stopOwnServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
