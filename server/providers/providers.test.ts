import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ProviderServer, serveProvider } from '../test/simulators/server.ts'
import { codeText } from './code-text.ts'
import type { OutboundCode } from './provider.ts'
import { smsGateway } from './sms/gateway.ts'
import { cloudGateway } from './whatsapp-cloud/gateway.ts'

let server: ProviderServer
let origin: string

beforeAll(async () => {
  server = await serveProvider(async () => null)
  origin = server.origin
})
afterAll(() => server.stop())
beforeEach(() => {
  server.requests.length = 0
})

const received = () =>
  server.requests.map(({ path: url, method, headers, body }) => ({
    url,
    method,
    authorization: headers['authorization'],
    body: JSON.parse(body || 'null') as unknown,
  }))
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  server.be((response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body)),
  )
const outbound: OutboundCode = {
  to: '+97336000006',
  lang: 'ar',
  code: '4321',
  text: codeText('ar', '4321', 'https://qatra.example'),
  reference: '77',
}
const metaError = (code: number, message: string) => ({
  error: {
    message: `(#${code}) ${message}`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details: message },
    fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
  },
})

describe('the Cloud API', () => {
  const gateway = (timeoutMs = 15_000, graphUrl = `${origin}/v23.0`) =>
    cloudGateway(
      () => ({
        provider: 'cloud',
        token: 'the-token',
        phoneNumberId: '106540352242922',
        appSecret: 'x',
        businessAccountId: null,
        number: null,
        verifyToken: null,
        graphUrl,
        codeTemplate: 'login_code',
        quietHours: null,
        campaignsPerSecond: 80,
      }),
      { timeoutMs },
    ).codes

  it('receives an authentication template with the code in body and button, and our reference', async () => {
    await answer(200, {
      messaging_product: 'whatsapp',
      contacts: [{ input: '97336000006', wa_id: '97336000006' }],
      messages: [{ id: 'wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1', message_status: 'accepted' }],
    })
    expect(await gateway().send(outbound)).toEqual({ ok: true, messageId: 'wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1' })
    const parameters = [{ type: 'text', text: '4321' }]
    expect(received()).toEqual([
      {
        url: '/v23.0/106540352242922/messages',
        method: 'POST',
        authorization: 'Bearer the-token',
        body: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: '97336000006',
          type: 'template',
          template: {
            name: 'login_code',
            language: { code: 'ar' },
            components: [
              { type: 'body', parameters },
              { type: 'button', sub_type: 'url', index: '0', parameters },
            ],
          },
          biz_opaque_callback_data: '77',
        },
      },
    ])
  })

  it.each([
    ['an undeliverable message', 400, metaError(131026, 'Message undeliverable'), 'undeliverable', '131026'],
    ['a template that is missing', 404, metaError(132001, 'Template name does not exist'), 'template', '132001'],
    ['an expired token', 401, metaError(190, 'Access token has expired'), 'stopped', '190'],
    ['the rate limit', 429, metaError(130429, 'Rate limit hit'), 'busy', '130429'],
    ['the rate limit of the pair', 400, metaError(131056, 'Pair rate limit hit'), 'busy', '131056'],
    ['429 without words', 429, '', 'busy', '429'],
    ['503', 503, 'upstream', 'busy', '503'],
    ['500', 500, metaError(131000, 'Something went wrong'), 'unknown', '131000'],
    ['502 with a page', 502, '<html>bad gateway</html>', 'unknown', '502'],
    ['200 with an error in it', 200, metaError(131000, 'Something went wrong'), 'unknown', '131000'],
    ['200 without an id', 200, { messages: [] }, 'unknown', '200'],
    ['200 with an empty id', 200, { messages: [{ id: '' }] }, 'unknown', '200'],
    ['200 that is no JSON', 200, '{"messages":[{"id":', 'unknown', '200'],
  ])('with %s returns the documented kind of failure', async (_, status, body, kind, code) => {
    await answer(status, body)
    const outcome = await gateway().send(outbound)
    expect(outcome).toMatchObject({ ok: false, kind, error: { code } })
    expect(JSON.stringify(outcome)).not.toContain('the-token')
    expect(received()).toHaveLength(1)
  })

  it.each(['hangs', 'drips', 'breaks-off'] as const)(
    'that %s returns `unknown`, since the message may have been sent',
    async (fault) => {
      await server.be(fault)
      expect(await gateway(150).send(outbound)).toMatchObject({ ok: false, kind: 'unknown' })
    },
  )

  it('that refuses the connection returns `busy`', async () => {
    await server.be('refuses')
    const outcome = await gateway().send(outbound)
    expect(outcome).toMatchObject({ ok: false, kind: 'busy', error: { code: 'ECONNREFUSED' } })
  })

  it('that fails the TLS handshake returns `busy`, since nothing was sent', async () => {
    await answer(200, {})
    const outcome = await gateway(15_000, origin.replace('http:', 'https:')).send(outbound)
    expect(outcome).toMatchObject({ ok: false, kind: 'busy', error: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } })
    expect(received()).toEqual([])
  })

  it('is not followed to a redirect target, which would receive the token', async () => {
    await answer(302, '', { location: `${origin}/elsewhere` })
    expect(await gateway().send(outbound)).toMatchObject({ ok: false, kind: 'unknown' })
    expect(received()).toHaveLength(1)
  })
})

describe('the SMS provider', () => {
  const gateway = () =>
    smsGateway(
      { provider: 'http', url: `${origin}/sms`, account: null, token: 'sms-token', sender: 'Qatra' },
      { timeoutMs: 15_000 },
    )

  it('receives the text with the code and the line for the browser', async () => {
    await answer(202, { id: 991 })
    expect(await gateway().send(outbound)).toEqual({ ok: true, messageId: 'sms.991' })
    expect(received()).toMatchObject([
      {
        url: '/sms',
        authorization: 'Bearer sms-token',
        body: { to: '+97336000006', from: 'Qatra', text: outbound.text, reference: '77' },
      },
    ])
  })

  it.each([
    [400, { error: 'bad number' }, 'undeliverable'],
    [429, {}, 'busy'],
    [500, {}, 'unknown'],
    [200, {}, 'unknown'],
    [200, 'OK', 'unknown'],
  ])('%i %j returns the kind of failure', async (status, body, kind) => {
    await answer(status, body)
    expect(await gateway().send(outbound)).toMatchObject({ ok: false, kind })
  })
})

describe('the text of a code', () => {
  it('has no line of a host where it is no SMS', () => {
    expect(codeText('ar', '0042', null)).not.toMatch(/[@#\n]{2}|#/)
  })

  it.each(['ar', 'en'] as const)('in %s contains one number and ends with the line of the host', (lang) => {
    const text = codeText(lang, '0042', 'https://shop.qatra.example')
    expect(text.split('\n').at(-1)).toBe('@shop.qatra.example #0042')
    expect(text.split('\n').at(-2)).toBe('')
    expect(text.match(/\d{4,}/g)).toEqual(['0042', '0042'])
  })
})
