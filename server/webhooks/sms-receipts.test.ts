import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { twilioGateway } from '../providers/sms/gateway.ts'
import { signatureOf } from '../providers/whatsapp-cloud/signature.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { type SmsServer, startSms } from '../test/simulators/sms.ts'

const account = `AC${'0'.repeat(32)}`
const config = { provider: 'twilio', url: null, account, token: 'the-token', sender: 'Qatra' } as const
const letter = { to: '+97336000006', lang: 'ar', text: 'مرحبا', reference: '77' } as const

let server: SmsServer
beforeAll(async () => {
  server = await startSms()
})
afterAll(() => server.stop())

describe('Twilio', () => {
  const gateway = (token = server.token) =>
    twilioGateway({ ...config, token, url: server.origin }, 'https://qatra.example/api/webhooks/sms', {
      timeoutMs: 15_000,
    })

  it('receives a form with the credentials and the callback URL of receipts', async () => {
    expect(await gateway().send(letter)).toEqual({ ok: true, messageId: `sms.${server.sent[0]?.id}` })
    expect(server.sent).toEqual([
      { id: expect.stringMatching(/^SM[\da-f]{32}$/), to: '+97336000006', text: 'مرحبا', reference: '77' },
    ])
    const [request] = server.requests
    expect(request?.path).toBe(`/2010-04-01/Accounts/${account}/Messages.json`)
    const basic = Buffer.from(`${account}:${server.token}`).toString('base64')
    expect(request?.headers['authorization']).toBe(`Basic ${basic}`)
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      To: '+97336000006',
      From: 'Qatra',
      Body: 'مرحبا',
      StatusCallback: 'https://qatra.example/api/webhooks/sms?reference=77',
    })
  })

  it('refuses wrong credentials and invalid numbers', async () => {
    expect(await gateway('wrong').send(letter)).toMatchObject({ ok: false, kind: 'stopped', error: { code: '20003' } })
    const wrong = await gateway().send({ ...letter, to: '12' })
    expect(wrong).toMatchObject({ ok: false, kind: 'undeliverable', error: { code: '21211' } })
  })

  it.each([
    [400, { code: 21211, message: 'Invalid To number', status: 400 }, 'undeliverable'],
    [401, { code: 20003, message: 'Authenticate', status: 401 }, 'stopped'],
    [429, { code: 20429, message: 'Too Many Requests', status: 429 }, 'busy'],
    [503, {}, 'busy'],
    [500, {}, 'unknown'],
    [201, {}, 'unknown'],
    [201, { sid: 'x' }, 'unknown'],
  ])('%i %j is %s', async (status, body, kind) => {
    await server.be((response) => response.writeHead(status).end(JSON.stringify(body)))
    expect(await gateway().send(letter)).toMatchObject({ ok: false, kind })
  })
})

describe('SMS receipts', () => {
  const shopWith = (provider: 'twilio' | 'http') =>
    startShop({ sms: { ...config, provider, url: 'https://sms.example' } })
  const outgoing = async (shop: TestShop, messageId: string) => {
    const [row] = await shop.query<{ id: number }>(
      `insert into whatsapp_messages (message_id, direction, channel, status) values ($1, 'outgoing', 'sms', 'sent') returning id`,
      [messageId],
    )
    return row?.id ?? 0
  }
  const statusOf = async (shop: TestShop, id: number) =>
    (await shop.query('select status from whatsapp_messages where id = $1', [id]))[0]?.['status']

  it('from Twilio are accepted only with a valid signature', async () => {
    const shop = await shopWith('twilio')
    const sid = `SM${'2'.repeat(32)}`
    const id = await outgoing(shop, `sms.${sid}`)
    const path = `/api/webhooks/sms?reference=${id}`
    const form = { MessageSid: sid, MessageStatus: 'delivered', To: '+97336000006' }
    const signed = (fields: Record<string, string>) =>
      createHmac('sha1', 'the-token')
        .update(`http://localhost:3000${path}${Object.entries(fields).sort().flat().join('')}`)
        .digest('base64')
    const send = (fields: Record<string, string>, signature: string) =>
      shop.visitor().send('POST', path, {
        raw: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
      })
    expect((await send({ ...form, MessageStatus: 'failed' }, signed(form))).status).toBe(401)
    expect((await send(form, '')).status).toBe(401)
    expect(await statusOf(shop, id)).toBe('sent')
    expect((await send(form, signed(form))).status).toBe(200)
    expect(await statusOf(shop, id)).toBe('delivered')
    const late = { ...form, MessageStatus: 'sent' }
    expect((await send(late, signed(late))).status).toBe(200)
    expect(await statusOf(shop, id)).toBe('delivered')
  })

  it('from another provider are accepted only with a valid hash of the body', async () => {
    const shop = await shopWith('http')
    const id = await outgoing(shop, 'sms.991')
    const send = (body: unknown, signature?: string) => {
      const raw = Buffer.from(JSON.stringify(body))
      return shop.visitor().send('POST', '/api/webhooks/sms', {
        raw,
        headers: { 'x-signature-256': signature ?? signatureOf('the-token', raw) },
      })
    }
    expect((await send({ id: 991, status: 'delivered' }, 'sha256=00')).status).toBe(401)
    expect((await send({ id: 991, status: 'delivered' })).status).toBe(200)
    expect(await statusOf(shop, id)).toBe('delivered')
    for (const body of [null, [], 'x', { id: {}, status: 'delivered' }, { id: 1, status: 'strange' }])
      expect((await send(body)).status).toBe(200)
  })

  it('with invalid signatures are rate limited, and valid ones are accepted', async () => {
    const shop = await startShop({ rateLimits: true, sms: { ...config, provider: 'http', url: 'https://sms.example' } })
    const send = (signature?: string) => {
      const raw = Buffer.from('{}')
      const headers = { 'x-signature-256': signature ?? signatureOf('the-token', raw) }
      return shop.visitor().send('POST', '/api/webhooks/sms', { raw, headers })
    }
    const forged = []
    for (let n = 0; n < 70; n += 1) forged.push((await send('sha256=00')).status)
    expect([forged[0], forged.includes(429)]).toEqual([401, true])
    expect((await send()).status).toBe(200)
  })

  it('have no endpoint without a provider', async () => {
    const shop = await startShop({ simulator: false })
    expect((await shop.visitor().send('POST', '/api/webhooks/sms', { body: {} })).status).toBe(404)
  })
})
