import type { DeviceEvents, DeviceLibrary, DeviceSocket } from '../../providers/whatsapp-device/library.ts'

/** Private key of the simulated device. */
export const DEVICE_KEY = 'noise-key-canary-7c1f'

/** The linked device's library. It links, disconnects and receives on demand, and keeps what is sent. */
export function simulateDevice() {
  const sockets: Socket[] = []
  interface Socket extends DeviceSocket {
    tell: <Name extends keyof DeviceEvents>(name: Name, news: DeviceEvents[Name]) => void
    written: { to: string; text: string }[]
    auth: {
      creds: object
      keys: { set: (data: object) => Promise<void>; get: (type: string, ids: string[]) => Promise<object> }
    }
    hasLoggedOut: boolean
  }
  const library: DeviceLibrary = {
    initAuthCreds: () => ({ noiseKey: DEVICE_KEY }),
    BufferJSON: { replacer: (_, value) => value, reviver: (_, value) => value },
    proto: { Message: { AppStateSyncKeyData: { fromObject: (value) => value } } },
    makeWASocket(options) {
      const listeners = new Map<string, (news: never) => void>()
      const socket: Socket = {
        auth: options['auth'] as Socket['auth'],
        written: [],
        hasLoggedOut: false,
        user: { id: '97317000000:4@s.whatsapp.net' },
        ev: { on: (name, heard) => void listeners.set(name, heard), removeAllListeners: () => {} },
        tell: (name, news) => listeners.get(name)?.(news as never),
        async sendMessage(to, content, options) {
          socket.written.push({ to, text: String((content as { text: string }).text) })
          return { key: { id: options?.messageId ?? `3EB0${socket.written.length}${to.slice(0, 6)}` } }
        },
        readMessages: async () => {},
        logout: async () => void (socket.hasLoggedOut = true),
        end: () => {},
      }
      sockets.push(socket)
      return socket
    },
  }
  return { library, sockets, last: () => sockets.at(-1) as Socket }
}
