import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The used part of the library, which is installed separately (`linked-device/`). */
export interface DeviceLibrary {
  makeWASocket: (options: Record<string, unknown>) => DeviceSocket
  initAuthCreds: () => object
  /** Encodes bytes as JSON. */
  BufferJSON: {
    replacer: (key: string, value: unknown) => unknown
    reviver: (key: string, value: unknown) => unknown
  }
  proto: { Message: { AppStateSyncKeyData: { fromObject: (value: object) => object } } }
  Browsers?: { ubuntu: (name: string) => unknown }
}

export interface DeviceSocket {
  ev: {
    on: <Name extends keyof DeviceEvents>(name: Name, listener: (payload: DeviceEvents[Name]) => void) => void
    removeAllListeners: (name: keyof DeviceEvents) => void
  }
  user?: { id: string } | undefined
  /** `messageId` sets the id, in place of a random one. */
  sendMessage: (
    to: string,
    content: object,
    options?: { messageId?: string; quoted?: object },
  ) => Promise<{ key: { id?: string | null } } | undefined>
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
  /** The phone of a private id, or the reverse. */
  remoteJidAlt?: string | null
}
export interface DeviceMessage {
  key: DeviceKey
  pushName?: string | null
  messageTimestamp?: unknown
  message?: Record<string, unknown> | null
}

/** The nearest `linked-device` folder above; null if nothing is installed in it. */
function folderAbove(here: string): string | null {
  const folder = join(here, 'linked-device')
  if (existsSync(join(folder, 'node_modules/baileys'))) return folder
  return dirname(here) === here ? null : folderAbove(dirname(here))
}

/**
 * A dependency of the library prints whole sessions with private keys on the console. Our log does not use the console,
 * so it is muted in the device's process.
 */
export function muteConsole(): void {
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir'] as const) console[name] = () => {}
}

/** Null if not installed: `npm install --prefix linked-device`. */
export async function loadLibrary(): Promise<DeviceLibrary | null> {
  const folder = folderAbove(import.meta.dirname)
  if (folder === null) return null
  const file = createRequire(join(folder, 'package.json')).resolve('baileys')
  const library: unknown = await import(pathToFileURL(file).href)
  return library as DeviceLibrary // its types are not installed here
}

/** The library's codes for closed connections. */
export const closings = { loggedOut: 401, forbidden: 403, timedOut: 408, replaced: 440, restart: 515 } as const

export function closingOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('output' in error)) return null
  const { output } = error
  if (typeof output !== 'object' || output === null || !('statusCode' in output)) return null
  return typeof output.statusCode === 'number' ? output.statusCode : null
}
