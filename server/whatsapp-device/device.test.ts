import { Writable } from 'node:stream'
import { verifyPhone } from '@qatra/contract/users/auth'
import { afterAll, describe, expect, it } from 'vitest'
import { codeKeys } from '../auth/code.ts'
import { readSessions } from '../auth/session-reader.ts'
import { readConfig } from '../config/config.ts'
import { queueMessage } from '../conversations/sending.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { createApp } from '../http/server/create-app.ts'
import { createLogger } from '../lib/logger.ts'
import { unseal } from '../lib/secrets.ts'
import type { Outgoing } from '../providers/message.ts'
import { plainWords } from '../providers/whatsapp-device/device.gateway.ts'
import { closingOf, type DeviceLibrary, muteConsole } from '../providers/whatsapp-device/library.ts'
import { newOwnId } from '../providers/whatsapp-device/own-messages.ts'
import { startShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { DEVICE_KEY as CANARY, simulateDevice } from '../test/simulators/whatsapp-device.ts'
import { callOfMessage, callOfReceipts } from './calls.ts'
import { QR_OWNER, qrKey } from './connection.queries.ts'
import { linkDevice } from './device.jobs.ts'

const QR = '2@qr-canary-that-nobody-may-read,AAAA'

const whatsapp = { ...readConfig({ NODE_ENV: 'test' }).whatsapp, provider: 'web' } as const
const gone = (statusCode: number) => ({
  connection: 'close' as const,
  lastDisconnect: { error: { output: { statusCode } } },
})

async function link(library: DeviceLibrary | null) {
  const shop = await startShop({ simulator: false, hasBot: false, whatsapp })
  const lines: string[] = []
  const stream = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) })
  const log = createLogger('trace', stream)
  const app = await createApp({ config: shop.app.config, databaseUrl: shop.databaseUrl, log, readSessions })
  const device = await linkDevice(app, library, { intervalMs: 1 })
  afterAll(async () => {
    await device.stop()
    await app.listener.stop()
    await app.pool.end()
  })
  const row = async () => (await shop.query('select * from whatsapp_connection'))[0]
  const state = (wanted: string) => until(wanted, async () => (await row())?.['state'] === wanted)
  return { shop, app, device, row, state, log: () => lines.join('\n') }
}

describe('the linked device', () => {
  it('shows an encrypted QR code, links, sends, receives, confirms, loses the link and restarts', async () => {
    const fake = simulateDevice()
    const { shop, row, state, log } = await link(fake.library)
    const { secret } = shop.app.config
    expect((await row())?.['state']).toBe('loading')

    fake.last().tell('connection.update', { qr: QR })
    await state('qr')
    const shown = await row()
    expect(String(shown?.['sealed_qr'])).not.toContain('canary')
    expect(unseal(qrKey(secret), String(shown?.['sealed_qr']), QR_OWNER)).toBe(QR)
    await shop.query(`update whatsapp_connection set qr_expires_at = now() - interval '1 second'`)
    await until('the dead code to go', async () => (await row())?.['sealed_qr'] === null)

    fake.last().tell('creds.update', {})
    await fake.last().auth.keys.set({ session: { '97333': { key: CANARY } }, 'pre-key': { 1: null } })
    fake.last().tell('connection.update', { connection: 'open' })
    await state('connected')
    expect(await row()).toMatchObject({ sealed_qr: null, phone: '+97317000000', error: null })
    const keys = await shop.query('select key, value from whatsapp_auth order by key')
    expect(keys.map((one) => one['key'])).toEqual(['creds', 'session:97333'])
    expect(JSON.stringify(keys)).not.toContain('canary')
    expect(await fake.last().auth.keys.get('session', ['97333', '1'])).toEqual({ 97333: { key: CANARY }, 1: null })

    const phone = newPhone()
    const jid = `${phone.slice(1)}@s.whatsapp.net`
    fake.last().tell('messages.upsert', {
      type: 'notify',
      messages: [
        {
          key: { id: 'IN1', remoteJid: jid },
          pushName: 'Noura',
          messageTimestamp: 1795251222,
          message: { conversation: 'مرحبا' },
        },
      ],
    })
    const contactId = await until('the message', async () => {
      const [found] = await shop.query<{ contact_id: number }>(
        `select contact_id from whatsapp_messages where message_id = 'web.IN1'`,
      )
      return found?.contact_id
    })
    await shop.query('update whatsapp_conversation_threads set last_incoming_at = now()')
    const message: Outgoing = {
      type: 'buttons',
      text: 'Sure?',
      buttons: [
        { id: 'y', title: 'Yes' },
        { id: 'n', title: 'No' },
      ],
    }
    const made = await runJobTransaction(shop.app.pool, (ctx) =>
      queueMessage(ctx, { to: { contactId }, message, by: { type: 'bot' } }),
    )
    await until('the answer', async () => fake.last().written.length === 1)
    expect(fake.last().written).toEqual([{ to: jid, text: 'Sure?\n1. Yes\n2. No' }])
    const sent = await until('it is sent', async () => {
      const [found] = await shop.query('select * from whatsapp_messages where id = $1', [made?.messageId])
      return found?.['status'] === 'sent' ? found : null
    })
    const id = String(sent['message_id']).replace('web.', '')
    fake.last().tell('messages.update', [{ key: { id, fromMe: true, remoteJid: jid }, update: { status: 4 } }])
    await until(
      'it is read',
      async () =>
        (await shop.query('select status from whatsapp_messages where id = $1', [made?.messageId]))[0]?.['status'] ===
        'read',
    )

    // The device reports our own messages and those of the shop's phone alike.
    const ownMessage = (own: string, body: string) => ({
      key: { id: own, fromMe: true, remoteJid: jid },
      messageTimestamp: Math.floor(Date.now() / 1000),
      message: { conversation: body },
    })
    fake.last().tell('messages.upsert', {
      type: 'append',
      messages: [ownMessage(id, 'Sure?'), ownMessage('PHONE1', 'وصل السائق')],
    })
    const written = await until('the reply of the phone', async () => {
      const rows = await shop.query(
        `select content, sent_by_type as by from whatsapp_messages where contact_id = $1 and direction = 'outgoing'
         order by id`,
        [contactId],
      )
      return rows.length > 1 && rows
    })
    expect(written).toEqual([
      { content: expect.stringContaining('Sure?'), by: 'bot' },
      { content: 'وصل السائق', by: 'phone' },
    ])
    const [thread] = await shop.query(
      'select paused_until > now() as paused from whatsapp_conversation_threads where contact_id = $1',
      [contactId],
    )
    expect(thread).toEqual({ paused: true })

    // Codes are sent through the device while it is linked.
    const asked = newPhone()
    expect((await shop.visitor().call(verifyPhone, { body: { phone: asked } })).status).toBe(200)
    await until('the code', async () => fake.last().written.some(({ to }) => to.startsWith(asked.slice(1))))

    // After a lost connection, the device reconnects with its keys.
    fake.last().tell('connection.update', gone(428))
    await until('a new connection', async () => fake.sockets.length === 2)
    expect(fake.last().auth.creds).toEqual({ noiseKey: CANARY })
    fake.last().tell('connection.update', { connection: 'open' })
    await state('connected')

    // Staff reset the connection.
    await shop.query('update whatsapp_connection set reset_asked_at = now()')
    await until('the reset', async () => fake.sockets.length === 3)
    expect(fake.sockets[1]?.hasLoggedOut).toBe(true)
    expect(await shop.query('select 1 from whatsapp_auth')).toEqual([])
    // Events of the old connection are ignored.
    fake.sockets[1]?.tell('creds.update', {})
    fake.last().tell('connection.update', { qr: `${QR}2` })
    await state('qr')

    // Nobody scans: no new QR code until staff request one.
    fake.last().tell('connection.update', gone(408))
    await state('qr_expired')
    await shop.query('update whatsapp_connection set reset_asked_at = clock_timestamp()')
    await until('another code', async () => fake.sockets.length === 4)

    // Unlinked on the phone.
    fake.last().tell('creds.update', {})
    fake.last().tell('connection.update', { connection: 'open' })
    await state('connected')
    fake.last().tell('connection.update', gone(401))
    await until('a new link', async () => fake.sockets.length === 5)
    expect(await shop.query('select 1 from whatsapp_auth')).toEqual([])

    expect(log()).not.toMatch(/canary/)
    expect(codeKeys(secret)).toBeTruthy()
    const dump = await shop.query(
      `select query_to_xml('select * from ' || quote_ident(table_schema) || '.' || quote_ident(table_name), true, false, '')::text as rows
       from information_schema.tables where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    )
    expect(JSON.stringify(dump)).not.toMatch(/canary/)
  })

  it('reports a missing library and sends no codes', async () => {
    const { shop, state, row } = await link(null)
    await state('error')
    expect((await row())?.['error']).toBe('NOT_INSTALLED')
    expect((await shop.visitor().call(verifyPhone, { body: { phone: newPhone() } })).refusal.code).toBe('CODE_NOT_SENT')
  })

  it('reports REPLACED when another device takes over the connection', async () => {
    const fake = simulateDevice()
    const { state, row } = await link(fake.library)
    fake.last().tell('connection.update', gone(440))
    await state('error')
    expect((await row())?.['error']).toBe('REPLACED')
  })
})

describe('events of the linked device', () => {
  const from = { id: 'X', remoteJid: '97333111222@s.whatsapp.net' }
  it.each([
    ['our own', { key: { ...from, id: newOwnId(), fromMe: true }, message: { conversation: 'x' } }],
    ['of a group', { key: { id: 'X', remoteJid: '123-456@g.us' }, message: { conversation: 'x' } }],
    ['of a status', { key: { id: 'X', remoteJid: 'status@broadcast' }, message: { conversation: 'x' } }],
    ['of keys', { key: from, message: { protocolMessage: {} } }],
    ['nothing', { key: from, message: null }],
  ])('are ignored if the message is %s', (_, message) => expect(callOfMessage(message)).toBeNull())

  it.each([
    [{ extendedTextMessage: { text: 'hi' } }, { type: 'text', text: { body: 'hi' } }],
    [{ ephemeralMessage: { message: { conversation: 'hi' } } }, { type: 'text', text: { body: 'hi' } }],
    [
      { locationMessage: { degreesLatitude: 26.2, degreesLongitude: 50.5 } },
      { type: 'location', location: { latitude: 26.2, longitude: 50.5 } },
    ],
    [
      { audioMessage: { mimetype: 'audio/ogg', ptt: true } },
      { type: 'audio', audio: { mime_type: 'audio/ogg', voice: true } },
    ],
    [
      { contactMessage: { displayName: 'A', vcard: 'TEL;waid=97333111222:+973' } },
      { type: 'contacts', contacts: [{ phones: [{ wa_id: '97333111222' }] }] },
    ],
    [{ pollCreationMessage: {} }, { type: 'unsupported' }],
  ])('%j is converted to a message', (message, wanted) => {
    const call = callOfMessage({ key: from, message, messageTimestamp: { toString: () => '1795251222' } })
    expect(call).toMatchObject({
      entry: [
        {
          changes: [
            { value: { messages: [{ id: 'web.X', from: '97333111222', timestamp: '1795251222', ...wanted }] } },
          ],
        },
      ],
    })
  })

  it('have the private id if there is no phone, and the phone if both are given', () => {
    const text = { conversation: 'x' }
    expect(JSON.stringify(callOfMessage({ key: { id: 'X', remoteJid: '1029384756@lid' }, message: text }))).toContain(
      'LID.1029384756',
    )
    const both = { id: 'X', remoteJid: '1029384756@lid', remoteJidAlt: '97333111222@s.whatsapp.net' }
    expect(JSON.stringify(callOfMessage({ key: both, message: text }))).toContain('"from":"97333111222"')
  })

  it('include receipts of outgoing messages only', () => {
    expect(callOfReceipts([{ key: { id: 'X', fromMe: false }, update: { status: 3 } }])).toBeNull()
    expect(callOfReceipts([{ key: { id: 'X', fromMe: true }, update: {} }])).toBeNull()
    expect(JSON.stringify(callOfReceipts([{ key: { id: 'X', fromMe: true }, update: { status: 3 } }]))).toContain(
      'delivered',
    )
  })

  it('include only the code of errors', () => {
    expect([closingOf(null), closingOf(new Error('x')), closingOf({ output: { statusCode: 515 } })]).toEqual([
      null,
      null,
      515,
    ])
  })

  it('with choices become numbered lines', () => {
    const rows = [{ id: 'a', title: 'Water', description: 'BHD 1' }]
    expect(plainWords({ type: 'list', text: 'Choose', button: 'B', sections: [{ rows }] })).toBe(
      'Choose\n1. Water · BHD 1',
    )
  })
})

it('suppresses console output of the library, which prints sessions with keys', () => {
  const before = { ...console }
  const said: unknown[] = []
  console.info = (...words) => void said.push(words)
  console.info('Closing session:', { privKey: CANARY })
  muteConsole()
  console.info('Closing session:', { privKey: CANARY })
  console.warn('Session already closed', { privKey: CANARY })
  Object.assign(console, before)
  expect(said).toHaveLength(1)
})
