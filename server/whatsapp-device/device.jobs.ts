import { sendingJobs } from '../conversations/sending.jobs.ts'
import type { App } from '../http/runtime.ts'
import { canonicalPhone } from '../lib/phone.ts'
import { channelJobs } from '../login-messages/code-sending.jobs.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { storeCall } from '../webhooks/commands.ts'
import { deleteKeys, keyStore } from './auth.commands.ts'
import { callOfMessage, callOfReceipts } from './calls.ts'
import { deviceGateway } from './device.gateway.ts'
import { closingOf, closings, type DeviceEvents, type DeviceLibrary, type DeviceSocket } from './library.ts'
import { beat, noteState } from './state.commands.ts'

const BEAT_MS = 1_000
const MAX_WAIT_MS = 60_000
/** Staff are notified after this many consecutive disconnects. */
const LOSSES_TO_TELL = 4

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
  { paceMs }: { paceMs?: number } = {},
): Promise<LinkedDevice> {
  const { db, log, config } = app
  const { secret } = config
  let socket: DeviceSocket | null = null
  let isOpen = false
  let isStopped = false
  let losses = 0
  let again: NodeJS.Timeout | null = null
  let hasShownCode = false
  /** Generation of the connection; events of older ones are ignored. */
  let round = 0

  const gateway = deviceGateway(() => (isOpen ? socket : null), paceMs)
  channelJobs(app, { messages: gateway.messages, codes: gateway.codes, sms: gatewaysOf(app).sms }, { isHere: true })
  sendingJobs(app, gateway.messages, { isHere: true })

  const note = (state: Parameters<typeof noteState>[2]) => noteState(db, secret, state)
  const trouble = (error: unknown) => log.warn({ err: error }, 'linked device')

  async function keep(call: object | null) {
    if (!call) return
    const effects: (() => void)[] = []
    await storeCall({ db, afterCommit: (effect) => void effects.push(effect) }, Buffer.from(JSON.stringify(call)))
    for (const effect of effects) effect()
  }

  async function connect() {
    if (isStopped || !library) return
    round += 1
    hasShownCode = false
    const mine = round
    const auth = await keyStore(db, secret, library).open()
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
    const heard = <Name extends keyof DeviceEvents>(name: Name, work: (news: DeviceEvents[Name]) => Promise<unknown>) =>
      next.ev.on(name, (news) => {
        if (mine === round && !isStopped) work(news).catch(trouble)
      })
    heard('creds.update', () => auth.save())
    heard('messages.upsert', async ({ messages }) => {
      for (const message of messages) await keep(callOfMessage(message))
    })
    heard('messages.update', (updates) => keep(callOfReceipts(updates)))
    heard('connection.update', async ({ connection, lastDisconnect, qr }) => {
      if (qr !== undefined) {
        hasShownCode = true
        await note({ state: 'qr', qr })
      }
      if (connection === 'open') {
        isOpen = true
        hasShownCode = false
        losses = 0
        const phone = /^(\d{8,15})/.exec(next.user?.id ?? '')?.[1]
        await note({ state: 'connected', phone: phone ? canonicalPhone(`+${phone}`) : null })
      }
      if (connection === 'close') await closed(closingOf(lastDisconnect?.error))
    })
  }

  async function closed(reason: number | null) {
    isOpen = false
    socket = null
    round += 1
    if (reason === closings.loggedOut) {
      await deleteKeys(db)
      await note({ state: 'loading' })
      return connectIn(1_000)
    }
    if (reason === closings.restart) return connectIn(0)
    // Nobody scanned the code. If no code was shown, the network timed out.
    if (reason === closings.timedOut && hasShownCode) {
      await deleteKeys(db)
      return note({ state: 'qr_expired' })
    }
    losses += 1
    const error =
      reason === closings.replaced
        ? 'REPLACED'
        : reason === closings.forbidden
          ? 'FORBIDDEN'
          : losses > LOSSES_TO_TELL
            ? 'UNREACHABLE'
            : null
    await note(error ? { state: 'error', error } : { state: 'loading' })
    connectIn(error ? MAX_WAIT_MS : Math.min(MAX_WAIT_MS, 1_000 * 2 ** losses))
    return undefined
  }

  function connectIn(ms: number) {
    if (again) clearTimeout(again)
    again = setTimeout(() => void connect().catch(trouble), ms)
  }

  function hangUp() {
    round += 1
    isOpen = false
    socket?.end(undefined)
    socket = null
  }

  let lastReset: Date | null = null
  async function look() {
    const asked = await beat(db)
    if (!asked || (lastReset && asked <= lastReset)) return
    lastReset = asked
    await socket?.logout().catch(trouble)
    hangUp()
    await deleteKeys(db)
    await note({ state: 'loading' })
    connectIn(0)
  }

  await note(library ? { state: 'loading' } : { state: 'error', error: 'NOT_INSTALLED' })
  lastReset = await beat(db)
  await app.queue.start()
  await connect()
  const beating = setInterval(() => void look().catch(trouble), BEAT_MS)
  return {
    async stop() {
      isStopped = true
      clearInterval(beating)
      if (again) clearTimeout(again)
      hangUp()
      await app.queue.stop()
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
