import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { twilioGateway } from '../../providers/sms/twilio.gateway.ts'
import { signatureOf } from '../../providers/whatsapp-cloud/signature.ts'
import { startShop, type TestShop } from '../../test/app.ts'

const account = `AC${'0'.repeat(32)}`
const config = { provider: 'twilio', url: null, account, token: 'the-token', sender: 'Qatra' } as const
const letter = { to: '+97336000006', lang: 'ar', text: 'مرحبا', reference: '77' } as const

let server: Server
let url: string
let received: { path: string; authorization: string | undefined; form: Record<string, string> }[] = []
let answer: [number, unknown] = [201, {}]
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
      received.push({ path: request.url ?? '', authorization: request.headers.authorization, form })
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server has a port
})
afterAll(() => void server.close())

describe('Twilio', () => {
  const gateway = () => twilioGateway({ ...config, url }, 'https://qatra.example/api/webhooks/sms', { timeoutMs: 2_000 })

  it('receives a form with the credentials and the callback URL of receipts', async () => {
    received = []
    const sid = `SM${'1'.repeat(32)}`
    answer = [201, { sid, status: 'queued', error_code: null }]
    expect(await gateway().send(letter)).toEqual({ ok: true, messageId: `sms.${sid}` })
    expect(received).toEqual([
      {
        path: `/2010-04-01/Accounts/${account}/Messages.json`,
        authorization: `Basic ${Buffer.from(`${account}:the-token`).toString('base64')}`,
        form: {
          To: '+97336000006',
          From: 'Qatra',
          Body: 'مرحبا',
          StatusCallback: 'https://qatra.example/api/webhooks/sms?reference=77',
        },
      },
    ])
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
    answer = [status, body]
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

  it('by any other provider are believed with a hash over their bytes', async () => {
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

  it('are not forged without end', async () => {
    const shop = await startShop({ rateLimits: true, sms: { ...config, provider: 'http', url: 'https://sms.example' } })
    const send = (signature?: string) => {
      const raw = Buffer.from('{}')
      const headers = { 'x-signature-256': signature ?? signatureOf('the-token', raw) }
      return shop.visitor().send('POST', '/api/webhooks/sms', { raw, headers })
    }
    const forged = []
    for (let n = 0; n < 70; n += 1) forged.push((await send('sha256=00')).status)
    expect([forged[0], forged.at(-1)]).toEqual([401, 429])
    expect((await send()).status).toBe(200)
  })

  it('have no endpoint without a provider', async () => {
    const shop = await startShop({ simulator: false })
    expect((await shop.visitor().send('POST', '/api/webhooks/sms', { body: {} })).status).toBe(404)
  })
})
