import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { keepDevice } from './device-process.ts'
import { testConfig } from './test/config.ts'
import { until } from './test/fixtures/codes.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Line {
  exitCode?: number | null
  waitMs: number
  err?: { code: string }
}

/** A device process that runs `script`, and what is logged about its ends. */
function keep(script: string, options: { healthyAfterMs?: number; killAfterMs?: number } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'qatra-device-'))
  const entry = join(dataDir, 'entry.mjs')
  writeFileSync(entry, script)
  const lines: Line[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const config = testConfig()
  const linked = { ...config, dataDir, whatsapp: { ...config.whatsapp, provider: 'web' as const } }
  const { stop } = keepDevice(linked, 'postgres://localhost/none', log, { entry, ...options })
  stops.push(stop)
  return { stop, lines, dataDir }
}

const endsAtOnce = 'process.exit(3)'

it.each([
  ['after quick failures waits longer each time', undefined, [2_000, 4_000]],
  ['after a healthy time waits as briefly as the first time', 0, [2_000, 2_000]],
])('a restart %s', async (_, healthyAfterMs, waits) => {
  const { lines } = keep(endsAtOnce, healthyAfterMs === undefined ? {} : { healthyAfterMs })
  await until('two ends', async () => lines.length === 2)
  expect(lines.map(({ exitCode, waitMs }) => [exitCode, waitMs])).toEqual(waits.map((ms) => [3, ms]))
})

it('a process that cannot be started is tried again and does not end the server', async () => {
  const node = process.execPath
  process.execPath = join(tmpdir(), 'no-such-program')
  try {
    const { lines } = keep(endsAtOnce)
    await until('the failed start', async () => lines.length === 1)
    expect(lines[0]?.err?.code).toBe('ENOENT')
    process.execPath = node
    await until('the end of the next process', async () => lines.length === 2)
    expect(lines[1]).toMatchObject({ exitCode: 3, waitMs: 4_000 })
  } finally {
    process.execPath = node
  }
})

it('a process that ignores the signal is killed within the deadline', async () => {
  const script = `import { writeFileSync } from 'node:fs'
    process.on('SIGTERM', () => writeFileSync(process.env.DATA_DIR + '/signal', ''))
    setInterval(() => {}, 1_000)
    writeFileSync(process.env.DATA_DIR + '/ready', '')`
  const { stop, dataDir, lines } = keep(script, { killAfterMs: 500 })
  await until('the process', async () => existsSync(join(dataDir, 'ready')))
  await stop()
  expect(existsSync(join(dataDir, 'signal'))).toBe(true)
  expect(lines).toEqual([])
})
