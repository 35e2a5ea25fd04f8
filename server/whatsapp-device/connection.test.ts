import { getConnection, resetConnection } from '@qatra/contract/whatsapp/connection/connection'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seal } from '../lib/secrets.ts'
import { startShop } from '../test/app.ts'
import type { Visitor } from '../test/visitor.ts'
import { QR_OWNER, qrKey } from './connection.queries.ts'

const QR = '2@canary-of-the-linked-device'
const simulated = await startShop()
const shop = await startShop({ simulator: false, whatsapp: { ...simulated.app.config.whatsapp, provider: 'web' } })
let boss: Visitor

beforeAll(async () => {
  boss = await shop.visitor().signInAs('+97336000001')
})
beforeEach(() => shop.query('delete from whatsapp_connection'))

const device = (state: string, more: { seconds?: number; heard?: number } = {}) =>
  shop.query(
    `insert into whatsapp_connection (id, state, sealed_qr, qr_expires_at, phone, heartbeat_at)
     values (1, $1, $2, now() + $3 * interval '1 second', '+97317000000', now() - $4 * interval '1 second')`,
    [state, seal(qrKey(shop.app.config.secret), QR, QR_OWNER), more.seconds ?? 40, more.heard ?? 0],
  )
const status = async (visitor = boss) => visitor.call(getConnection)

describe('the connection', () => {
  it('of the simulator is simulated, never connected', async () => {
    const visitor = await simulated.visitor().signInAs('+97336000001')
    const { body, headers } = await status(visitor)
    expect(body).toMatchObject({ state: 'simulated', provider: 'simulator' })
    expect(body).not.toHaveProperty('qr')
    expect(headers['cache-control']).toContain('no-store')
  })

  it('is disconnected if the device process sends no heartbeat', async () => {
    expect((await status()).body).toMatchObject({ state: 'error', error: 'NOT_RUNNING' })
    await device('connected', { heard: 120 })
    expect((await status()).body).toMatchObject({ state: 'error', error: 'NOT_RUNNING' })
  })

  it('shows the QR code while it is valid, to callers who signed in recently', async () => {
    await device('qr')
    const { body } = await status()
    expect(body).toMatchObject({ state: 'qr', qr: QR, needsSignIn: false })
    const late = await shop.visitor().signInAs('+97336000001')
    await shop.query(`update sessions set created_at = now() - interval '11 minutes'
      where created_at = (select max(created_at) from sessions)`)
    const old = (await status(late)).body
    expect(old).toMatchObject({ state: 'qr', needsSignIn: true })
    expect(JSON.stringify(old)).not.toContain(QR)
  })

  it('shows no expired or used QR code', async () => {
    await device('qr', { seconds: -1 })
    expect((await status()).body.state).toBe('qr_expired')
    expect(JSON.stringify((await status()).body)).not.toContain(QR)
    await shop.query(`update whatsapp_connection set state = 'connected'`)
    const { body } = await status()
    expect(body).toMatchObject({ state: 'connected', phone: '+973****0000' })
    expect(JSON.stringify(body)).not.toContain(QR)
  })

  it('is reset with keys, QR code and number, and the reset is logged', async () => {
    await device('connected')
    await shop.query(`insert into whatsapp_auth (key, value) values ('creds', 'sealed')`)
    const { body } = await boss.call(resetConnection)
    expect(body).toMatchObject({ state: 'loading', phone: null })
    expect(await shop.query('select 1 from whatsapp_auth')).toEqual([])
    const [row] = await shop.query<{ asked: Date | null; sealed_qr: string | null }>(
      'select reset_asked_at as asked, sealed_qr from whatsapp_connection',
    )
    expect(row?.asked).toBeInstanceOf(Date)
    expect(row?.sealed_qr).toBeNull()
    const lines = await shop.query(`select 1 from audit_log where resource = 'connection' and action = 'reset'`)
    expect(lines).toHaveLength(1)
  })

  it('counts errors without phone numbers', async () => {
    await shop.query(
      `insert into whatsapp_messages (direction, channel, status, errors)
       values ('outgoing', 'whatsapp', 'failed', $1), ('outgoing', 'whatsapp', 'failed', $1)`,
      [
        JSON.stringify([
          { code: '131026', text: 'Not delivered to 97336000735', kind: 'undeliverable', at: new Date() },
        ]),
      ],
    )
    const { body } = await status()
    expect(body.errors[0]).toMatchObject({ code: '131026', count: 2, channel: 'whatsapp' })
    expect(JSON.stringify(body)).not.toContain('97336000735')
    expect(body.traffic.failed).toBe(2)
  })
})
