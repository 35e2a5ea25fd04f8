import type { Logger } from 'pino'
import pg from 'pg'

export interface Listener {
  /** `heard` runs for every notice on the channel; `reconnected` after a gap in which notices may have been missed. */
  on: (channel: string, heard: (payload: string) => void, reconnected: () => void) => void
  start: () => Promise<void>
  stop: () => Promise<void>
}

const RECONNECT_MS = 500

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
    for (const channel of channels.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
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
    on(channel, heard, reconnected) {
      channels.set(channel, [...(channels.get(channel) ?? []), { heard, reconnected }])
    },
    start: connect,
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      await client?.end()
    },
  }
}
