import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { signatureOf } from '../../providers/whatsapp-cloud/signature.ts'
import { startShop, type TestShop } from '../../test/app.ts'
import { newPhone } from '../../test/fixtures/codes.ts'
import { APP_SECRET, textCall } from '../../test/meta.ts'

const LARGE = 900_000
const forgedSignature = `sha256=${'0'.repeat(64)}`
let shop: TestShop
let open: TestShop
beforeAll(async () => {
  const whatsapp = { ...readConfig({ NODE_ENV: 'test' }).whatsapp, appSecret: APP_SECRET }
  const parts = { whatsapp, hasBot: false, trustedProxies: ['127.0.0.1'] }
  shop = await startShop({ role: 'web', ...parts, rateLimits: true })
  open = await startShop({ role: 'web', ...parts, rateLimits: false })
  for (const one of [shop, open]) await one.app.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  for (const one of [shop, open]) await one.app.http.close()
})

interface Sent {
  from: string
  signature?: string
  length: number
  body?: Buffer
  patienceMs?: number
}
/** The status; 0 if the server still waits for the rest of the body. */
function post({ from, signature, length, body, patienceMs = 20_000 }: Sent, of = shop): Promise<number> {
  const { port } = of.app.http.server.address() as AddressInfo // the server listens
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      resolve(0)
      socket.destroy()
    }, patienceMs)
    socket.once('data', (bytes: Buffer) => {
      clearTimeout(timer)
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString())?.[1]))
      socket.destroy()
    })
    socket.once('error', reject)
    const head = [
      'POST /api/webhooks/whatsapp HTTP/1.1',
      'host: localhost',
      `x-forwarded-for: ${from}`,
      'content-type: application/json',
      `content-length: ${length}`,
      ...(signature === undefined ? [] : [`x-hub-signature-256: ${signature}`]),
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    if (body) socket.write(body)
  })
}
const forged = Buffer.from('{}')
const unread = { signature: forgedSignature, length: LARGE, patienceMs: 1_500 }
const forge = (from: string, of = shop) =>
  post({ from, signature: forgedSignature, length: forged.length, body: forged }, of)
const signed = (from: string, padding = 0) => {
  const call = JSON.stringify(textCall(newPhone(), `wamid.${randomUUID()}`, 'مرحبا'))
  const body = Buffer.from(call + ' '.repeat(padding))
  return post({ from, signature: signatureOf(APP_SECRET, body), length: body.length, body })
}
const flood = async (from: string, of = shop) => {
  const statuses = []
  for (let n = 0; n < 70; n += 1) statuses.push(await forge(from, of))
  return statuses
}

it('a call without a valid signature header is refused before its body is read', async () => {
  expect(await post({ from: '10.1.0.1', length: LARGE })).toBe(401)
  expect(await post({ from: '10.1.0.1', signature: 'sha256=00', length: LARGE })).toBe(401)
})

it('large forged calls are read up to a limit, then refused unread', async () => {
  expect(await post({ from: '10.2.0.1', ...unread })).toBe(0)
  const statuses = await flood('10.2.0.1')
  expect([statuses[0], statuses.includes(429)]).toEqual([401, true])
  // The limit refills by one call a second.
  const large = await Promise.all([1, 2, 3, 4].map(() => post({ from: '10.2.0.1', ...unread, patienceMs: 5_000 })))
  expect(large).toContain(429)
  // Mutant: without the limit the server keeps reading forged bodies.
  await flood('10.2.0.1', open)
  expect(await post({ from: '10.2.0.1', ...unread }, open)).toBe(0)
})

it('signed calls are accepted during the flood, from other addresses and the same one', async () => {
  await flood('10.3.0.1')
  expect(await signed('10.4.0.1')).toBe(200)
  expect(await signed('10.4.0.1', LARGE)).toBe(200)
  expect(await signed('10.3.0.1')).toBe(200)
  // An address with a valid signature before is not limited for others' forgeries, at any size.
  await flood('10.3.0.1')
  expect(await signed('10.3.0.1', LARGE)).toBe(200)
  const [forgeries, calls] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => forge('10.3.0.1'))),
    Promise.all(Array.from({ length: 20 }, () => signed('10.3.0.1'))),
  ])
  expect(new Set(calls)).toEqual(new Set([200]))
  expect(forgeries.every((status) => status === 429 || status === 401)).toBe(true)
})
