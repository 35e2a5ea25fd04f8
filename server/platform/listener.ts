import type { Logger } from 'pino'
import pg from 'pg'

export interface Listener {
  /**
   * `heard` runs for every notice on the channel once this has resolved; `reconnected` after a gap in which notices may
   * have been missed.
   */
  on: (channel: string, heard: (payload: string) => void, reconnected: () => void) => Promise<void>
  start: () => Promise<void>
  stop: () => Promise<void>
}

const RECONNECT_MS = 500

const listen = (client: pg.Client, channel: string) => client.query(`listen ${pg.escapeIdentifier(channel)}`)

/** One connection of each process that LISTENs, and comes back by itself. */
export function createListener(databaseUrl: string, log: Logger): Listener {
  const channels = new Map<string, { heard: (payload: string) => void; reconnected: () => void }[]>()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  async function connect() {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'qatra-listener', keepAlive: true })
    const lost = () => {
      if (client === next) client = null
      next.removeAllListeners('notification')
      if (!stopped && !timer) timer = setTimeout(reconnect, RECONNECT_MS)
    }
    next.on('error', (error) => {
      log.warn({ err: error.message }, 'listener connection lost')
      lost()
    })
    next.on('end', lost)
    next.on('notification', ({ channel, payload }) => {
      for (const { heard } of channels.get(channel) ?? []) heard(payload ?? '')
    })
    await next.connect()
    try {
      for (const channel of channels.keys()) await listen(next, channel)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    client = next
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
    async on(channel, heard, reconnected) {
      const others = channels.get(channel)
      channels.set(channel, [...(others ?? []), { heard, reconnected }])
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
