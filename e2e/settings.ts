import { randomInt } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The address of a server under test and the folder of its database. */
export interface Server {
  port: number
  origin: string
  dataDir: string
}

const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const probe = createServer().once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })

/** Below the ports that the system gives to connections: one of those could take it before a server listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  return (await isFree(port)) ? port : freePort()
}

// The first process sets the ports; workers, which evaluate this file again, read them from the environment.
process.env['E2E_FOLDER'] ??= mkdtempSync(join(tmpdir(), 'qatra-e2e-'))
process.env['E2E_PORT'] ??= String(await freePort())
process.env['E2E_MEASURED_PORT'] ??= String(await freePort())
process.env['E2E_GEOCODER_PORT'] ??= String(await freePort())
process.env['E2E_LEGACY_PORT'] ??= String(await freePort())

export const folder = process.env['E2E_FOLDER']

const serverAt = (name: string, port: string): Server => ({
  port: Number(port),
  origin: `http://localhost:${port}`,
  dataDir: join(folder, name),
})

export const plain = serverAt('plain', process.env['E2E_PORT'])
/** The same shop with analytics, map tiles and a geocoder configured. */
export const measured = serverAt('measured', process.env['E2E_MEASURED_PORT'])

export const analyticsIds = {
  GA_ID: 'G-E2E0000000',
  META_PIXEL_ID: '100000000000001',
  SNAP_PIXEL_ID: 'e2e00000-0000-4000-8000-000000000001',
}

/** External services: map tiles by browser routes; geocoder and legacy system where a test listens. */
export const outside = {
  tiles: 'https://tiles.test',
  geocoderPort: Number(process.env['E2E_GEOCODER_PORT']),
  legacyPort: Number(process.env['E2E_LEGACY_PORT']),
}
export const outsideSettings = {
  TILE_URL: `${outside.tiles}/{z}/{x}/{y}.png`,
  GEOCODER_URL: `http://127.0.0.1:${outside.geocoderPort}`,
  LEGACY_SYNC_URL: `http://127.0.0.1:${outside.legacyPort}/orders`,
}

/** The browser with its windows: the shell of the other journeys has no notifications. */
export const wholeChromium = process.env['WHOLE_CHROMIUM'] ?? '/usr/bin/chromium'

export const chromium = {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
