import { sendingJobs } from '../conversations/sending.jobs.ts'
import { awaitDatabase } from '../database/db.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { canonicalPhone } from '../lib/phone.ts'
import { channelJobs } from '../login-messages/jobs.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { deviceGateway } from '../providers/whatsapp-device/device.gateway.ts'
import {
  closingOf,
  closings,
  type DeviceEvents,
  type DeviceLibrary,
  type DeviceMessage,
  type DeviceSocket,
} from '../providers/whatsapp-device/library.ts'
import { storeCall } from '../webhooks/commands.ts'
import { deleteKeys, keyStore } from './auth.commands.ts'
import { callOfMessage, callOfReceipts } from './calls.ts'
import { beat, saveDeviceState } from './connection.commands.ts'

const BEAT_MS = 1_000
const MAX_WAIT_MS = 60_000
/** Staff are notified after this many consecutive disconnects. */
const MAX_SILENT_DISCONNECTS = 4

export interface LinkedDevice {
  stop: () => Promise<void>
}

/**
 * Holds the linked device's connection, sends waiting messages through it and stores incoming ones as the webhook does.
 * Reconnects after every disconnect or records why not; after a logout it deletes the keys and shows a new code.
 */
export async function linkDevice(
  app: App,
  library: DeviceLibrary | null,
  { intervalMs }: { intervalMs?: number } = {},
): Promise<LinkedDevice> {
  const { db, pool, log, config } = app
  const { secret } = config
  let socket: DeviceSocket | null = null
  let isOpen = false
  let isStopped = false
  let disconnects = 0
  let reconnectTimer: NodeJS.Timeout | null = null
  let hasShownCode = false
  /** Generation of the connection; events of older ones are ignored. */
  let generation = 0
  let stored = Promise.resolve()

  const gateway = deviceGateway(() => (isOpen ? socket : null), intervalMs)
  channelJobs(app, { messages: gateway.messages, codes: gateway.codes, sms: gatewaysOf(app).sms }, { isHere: true })
  sendingJobs(app, gateway.messages, { isHere: true })

  const writeState = (state: Parameters<typeof saveDeviceState>[2]) => saveDeviceState(db, secret, state)
  const logError = (error: unknown) => log.warn({ err: error }, 'linked device')

  /**
   * Stores what was received, one after the other and again while the database is away: WhatsApp does not send it again.
   * One that cannot be stored does not stop the others.
   */
  async function store(call: object | null) {
    if (!call) return
    const bytes = Buffer.from(JSON.stringify(call))
    const work = () => awaitDatabase(() => runJobTransaction(pool, (ctx) => storeCall(ctx, bytes)))
    stored = stored.then(async () => void (await work())).catch(logError)
    await stored
  }

  async function connect() {
    if (isStopped || !library) return
    generation += 1
    hasShownCode = false
    const ownGeneration = generation
    const auth = await keyStore(db, secret, library).open()
    // Disconnected or stopped meanwhile.
    if (ownGeneration !== generation || isStopped) return
    const next = library.makeWASocket({
      auth: { creds: auth.creds, keys: auth.keys },
      // The library's log contains numbers, messages and the code.
      logger: silent,
      markOnlineOnConnect: false,
      syncFullHistory: false,
      shouldSyncHistoryMessage: () => false,
      ...(library.Browsers ? { browser: library.Browsers.ubuntu('Qatra') } : {}),
    })
    socket = next
    const onEvent = <Name extends keyof DeviceEvents>(
      name: Name,
      work: (event: DeviceEvents[Name]) => Promise<unknown>,
    ) =>
      next.ev.on(name, (event) => {
        if (ownGeneration === generation && !isStopped) work(event).catch(logError)
      })
    onEvent('creds.update', () => awaitDatabase(() => auth.save()))
    onEvent('messages.upsert', async ({ messages }) => {
      const storeMessage = async (message: DeviceMessage) => store(callOfMessage(message))
      for (const message of messages) void storeMessage(message).catch(logError)
    })
    onEvent('messages.update', async (updates) => store(callOfReceipts(updates)))
    onEvent('connection.update', async ({ connection, lastDisconnect, qr }) => {
      if (qr !== undefined) {
        hasShownCode = true
        await writeState({ state: 'qr', qr })
      }
      if (connection === 'open') {
        isOpen = true
        hasShownCode = false
        disconnects = 0
        const phone = /^(\d{8,15})/.exec(next.user?.id ?? '')?.[1]
        await writeState({ state: 'connected', phone: phone ? canonicalPhone(`+${phone}`) : null })
      }
      if (connection === 'close') await closed(closingOf(lastDisconnect?.error)).catch(connectAfterError)
    })
  }

  async function closed(reason: number | null) {
    isOpen = false
    socket = null
    generation += 1
    if (reason === closings.loggedOut) {
      await deleteKeys(db)
      await writeState({ state: 'loading' })
      return connectIn(1_000)
    }
    if (reason === closings.restart) return connectIn(0)
    // Nobody scanned the code. If no code was shown, the network timed out.
    if (reason === closings.timedOut && hasShownCode) {
      await deleteKeys(db)
      return writeState({ state: 'qr_expired' })
    }
    disconnects += 1
    const error =
      reason === closings.replaced
        ? 'REPLACED'
        : reason === closings.forbidden
          ? 'FORBIDDEN'
          : disconnects > MAX_SILENT_DISCONNECTS
            ? 'UNREACHABLE'
            : null
    await writeState(error ? { state: 'error', error } : { state: 'loading' })
    connectIn(error ? MAX_WAIT_MS : reconnectDelayMs())
    return undefined
  }

  const reconnectDelayMs = () => Math.min(MAX_WAIT_MS, 1_000 * 2 ** disconnects)

  function connectIn(ms: number) {
    if (reconnectTimer) clearTimeout(reconnectTimer)
    reconnectTimer = setTimeout(() => void connect().catch(connectAfterError), ms)
  }

  /** After a database error nothing else reconnects the closed device. */
  function connectAfterError(error: unknown) {
    logError(error)
    connectIn(reconnectDelayMs())
  }

  function disconnect() {
    generation += 1
    isOpen = false
    socket?.end(undefined)
    socket = null
  }

  let lastReset: Date | null = null
  async function checkReset() {
    const resetAskedAt = await beat(db)
    if (!resetAskedAt || (lastReset && resetAskedAt <= lastReset)) return
    lastReset = resetAskedAt
    await socket?.logout().catch(logError)
    disconnect()
    await awaitDatabase(async () => {
      await deleteKeys(db)
      await writeState({ state: 'loading' })
    }).catch(logError)
    connectIn(0)
  }

  await writeState(library ? { state: 'loading' } : { state: 'error', error: 'NOT_INSTALLED' })
  lastReset = await beat(db)
  await app.queue.start()
  await connect()
  const heartbeat = setInterval(() => void checkReset().catch(logError), BEAT_MS)
  return {
    async stop() {
      isStopped = true
      clearInterval(heartbeat)
      if (reconnectTimer) clearTimeout(reconnectTimer)
      disconnect()
      await Promise.all([stored, app.queue.stop().catch(logError)])
    },
  }
}

const nothing = () => {}
const silent = {
  level: 'silent',
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  child: () => silent,
}
