import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What is used of the library, which is installed apart from the shop (`linked-device/`). */
export interface DeviceLibrary {
  makeWASocket: (options: Record<string, unknown>) => DeviceSocket
  initAuthCreds: () => object
  /** Carries bytes through JSON. */
  BufferJSON: {
    replacer: (key: string, value: unknown) => unknown
    reviver: (key: string, value: unknown) => unknown
  }
  proto: { Message: { AppStateSyncKeyData: { fromObject: (value: object) => object } } }
  Browsers?: { ubuntu: (name: string) => unknown }
}

export interface DeviceSocket {
  ev: {
    on: <Name extends keyof DeviceEvents>(name: Name, heard: (news: DeviceEvents[Name]) => void) => void
    removeAllListeners: (name: keyof DeviceEvents) => void
  }
  user?: { id: string } | undefined
  sendMessage: (to: string, content: object) => Promise<{ key: { id?: string | null } } | undefined>
  readMessages: (keys: object[]) => Promise<void>
  logout: () => Promise<void>
  end: (error: Error | undefined) => void
}

export interface DeviceEvents {
  'connection.update': {
    connection?: 'open' | 'connecting' | 'close'
    lastDisconnect?: { error: unknown }
    qr?: string
  }
  'creds.update': object
  'messages.upsert': { type: string; messages: DeviceMessage[] }
  'messages.update': { key: DeviceKey; update: { status?: number | null } }[]
}
export interface DeviceKey {
  id?: string | null
  fromMe?: boolean | null
  remoteJid?: string | null
  /** The phone behind a private id, or the other way round. */
  remoteJidAlt?: string | null
}
export interface DeviceMessage {
  key: DeviceKey
  pushName?: string | null
  messageTimestamp?: unknown
  message?: Record<string, unknown> | null
}

/** The folder of its own, in the project above wherever this runs; null where nothing is installed in it. */
function folderAbove(here: string): string | null {
  const folder = join(here, 'linked-device')
  if (existsSync(join(folder, 'node_modules/baileys'))) return folder
  return dirname(here) === here ? null : folderAbove(dirname(here))
}

/**
 * The library's own library prints whole sessions, with their private keys, on the console. Our log goes another way, so
 * in the process of the device nothing is heard from there.
 */
export function muteConsole(): void {
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const) console[name] = () => {}
}

/** Null where it is not installed: `npm install --prefix linked-device`. */
export async function loadLibrary(): Promise<DeviceLibrary | null> {
  const folder = folderAbove(import.meta.dirname)
  if (folder === null) return null
  const file = createRequire(join(folder, 'package.json')).resolve('baileys')
  const library: unknown = await import(pathToFileURL(file).href)
  return library as DeviceLibrary // its own types are not installed here
}

/** Why a connection was closed, as the library counts it. */
export const closings = { loggedOut: 401, forbidden: 403, timedOut: 408, replaced: 440, restart: 515 } as const

export function closingOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('output' in error)) return null
  const { output } = error
  if (typeof output !== 'object' || output === null || !('statusCode' in output)) return null
  return typeof output.statusCode === 'number' ? output.statusCode : null
}
