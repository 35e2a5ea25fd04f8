import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Logger } from 'pino'

export interface Listener {
  /**
   * `onNotify` runs for each notification after the promise resolves; `reconnected` after a gap in which notifications may
   * have been lost.
   */
  on: (channel: string, onNotify: (payload: string) => void, reconnected: () => void) => Promise<void>
  start: () => Promise<void>
  stop: () => Promise<void>
}

const RECONNECT_MS = 500
const HEARTBEAT_MS = 10_000
const HEARTBEAT_TIMEOUT_MS = 5_000

const listen = (client: pg.Client, channel: string) => client.query(`listen ${pg.escapeIdentifier(channel)}`)

/**
 * One LISTEN connection per process that reconnects automatically. A heartbeat notifies its own channel, to detect and
 * replace a connection that is open but delivers nothing (a lost route, a pooler that drops LISTEN).
 */
export function createListener(
  databaseUrl: string,
  log: Logger,
  { everyMs = HEARTBEAT_MS, timeoutMs = HEARTBEAT_TIMEOUT_MS } = {},
): Listener {
  const channels = new Map<string, { onNotify: (payload: string) => void; reconnected: () => void }[]>()
  const heartbeatChannel = `heartbeat_${randomUUID()}`
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  async function connect() {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'qatra-listener', keepAlive: true })
    let heartbeat: NodeJS.Timeout | null = null
    let deadline: NodeJS.Timeout | null = null
    const lost = () => {
      if (client === next) client = null
      if (heartbeat) clearInterval(heartbeat)
      if (deadline) clearTimeout(deadline)
      next.removeAllListeners('notification')
      if (!stopped && !timer) timer = setTimeout(reconnect, RECONNECT_MS)
    }
    next.on('error', (error) => {
      log.warn({ err: error.message }, 'listener connection lost')
      lost()
    })
    next.on('end', lost)
    next.on('notification', ({ channel, payload }) => {
      if (channel === heartbeatChannel && deadline) {
        clearTimeout(deadline)
        deadline = null
      }
      for (const { onNotify } of channels.get(channel) ?? []) onNotify(payload ?? '')
    })
    await next.connect()
    try {
      await listen(next, heartbeatChannel)
      // The iterator of a Map also visits channels that are added meanwhile.
      for (const channel of channels.keys()) await listen(next, channel)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    if (stopped) {
      await next.end()
      return
    }
    client = next
    heartbeat = setInterval(() => {
      if (deadline) return
      deadline = setTimeout(() => {
        log.warn('listener connection is silent')
        // `end` would wait for a response from the server.
        next.connection.stream.destroy()
        lost()
      }, timeoutMs)
      next.query('select pg_notify($1, $2)', [heartbeatChannel, '']).catch(() => undefined)
    }, everyMs)
  }

  function reconnect() {
    timer = null
    connect().then(
      () => {
        for (const handlers of channels.values()) for (const { reconnected } of handlers) reconnected()
      },
      () => {
        if (!stopped && !timer) timer = setTimeout(reconnect, RECONNECT_MS)
      },
    )
  }

  return {
    async on(channel, onNotify, reconnected) {
      const others = channels.get(channel)
      channels.set(channel, [...(others ?? []), { onNotify, reconnected }])
      if (client && !others) await listen(client, channel)
    },
    start: connect,
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      await client?.end()
    },
  }
}
