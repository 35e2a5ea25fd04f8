import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { CALL_MS, within } from './engine.ts'

export interface Screen {
  display: string
  picture(file: string): Promise<void>
  close(): Promise<void>
}

/** An X server in memory; it chooses its display number. */
export async function openScreen(): Promise<Screen> {
  const args = ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [number] = await within('Xvfb', once(server.stdout, 'data'))
  const display = `:${String(number).trim()}`
  return {
    display,
    async picture(file) {
      const env = { ...process.env, DISPLAY: display }
      await promisify(execFile)('import', ['-window', 'root', file], { env, timeout: CALL_MS })
    },
    async close() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
    },
  }
}
