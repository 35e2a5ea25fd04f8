import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { PushMessage } from '@qatra/contract/notifications/push'
import type { ProviderReply, ProviderRequest } from '../../../demo/simulators/provider-http.ts'
import { type ProviderServer, serveProvider } from './server.ts'

/** What the browser hands to the shop. */
export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export interface PushServer extends ProviderServer {
  /** A browser subscribes. With `key` the service takes only messages of that VAPID key. */
  subscribe: (key?: string) => Subscription
  /** The browser unsubscribes; the endpoint answers 410 from now on. */
  drop: (subscription: Subscription) => void
  /** Accepted messages, decrypted with the keys of the browser. */
  received: (subscription: Subscription) => PushMessage[]
}

interface Browser {
  keys: ReturnType<typeof createECDH>
  auth: Buffer
  vapidKey: string | null
  received: PushMessage[]
  isGone: boolean
}

const TAG_BYTES = 16
const bytesOf = (text: string) => Buffer.from(text, 'base64url')

/** A push service (RFC 8030) that verifies the sender's signature (RFC 8292), and the browsers behind it (RFC 8291, 8188). */
export async function startPush(): Promise<PushServer> {
  const browsers = new Map<string, Browser>()
  const server = await serveProvider(async (request) => {
    const browser = browsers.get(request.path)
    if (!browser) return { status: 404, body: {} }
    return take(browser, request, server.origin)
  })
  const browserOf = ({ endpoint }: Subscription) => {
    const browser = browsers.get(new URL(endpoint).pathname)
    if (!browser) throw new Error('There is no such subscription')
    return browser
  }
  return {
    ...server,
    subscribe(key) {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(24).toString('base64url')}`
      browsers.set(path, { keys, auth, vapidKey: key ?? null, received: [], isGone: false })
      return {
        endpoint: `${server.origin}${path}`,
        keys: { p256dh: keys.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
      }
    },
    drop: (subscription) => void Object.assign(browserOf(subscription), { isGone: true }),
    received: (subscription) => browserOf(subscription).received,
  }
}

function take(browser: Browser, { method, headers, bytes }: ProviderRequest, origin: string): ProviderReply {
  const refused = (status: number, reason: string) => ({ status, body: { reason } })
  if (method !== 'POST' || !bytes) return refused(405, 'POST a message')
  if (browser.isGone) return refused(410, 'The subscription has expired')
  if (!/^\d{1,7}$/.test(headers.ttl ?? '')) return refused(400, 'TTL is missing')
  if (headers['content-encoding'] !== 'aes128gcm') return refused(400, 'The encoding is not aes128gcm')
  if (bytes.length > 4096) return refused(413, 'The message is too large')
  const problem = signatureProblem(headers.authorization ?? '', origin, browser.vapidKey)
  if (problem) return refused(403, problem)
  browser.received.push(JSON.parse(decrypt(bytes, browser).toString()) as PushMessage) // of the shop that signed it
  return { status: 201, headers: { location: `${origin}/message/${browser.received.length}` }, body: {} }
}

function signatureProblem(authorization: string, origin: string, vapidKey: string | null): string | null {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = bytesOf(key)
  if (point.length !== 65) return 'There is no key'
  if (vapidKey !== null && vapidKey !== key) return 'The subscription is of another key'
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const isSigned = verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytesOf(signature))
  if (!isSigned) return 'The signature is wrong'
  const { aud, exp, sub } = JSON.parse(bytesOf(claims).toString())
  if (aud !== origin) return 'The token is for another service'
  const seconds = exp - Date.now() / 1000
  if (!(seconds > 0 && seconds <= 86_400)) return 'The token has expired'
  return /^(?:mailto:|https:)/.test(sub) ? null : 'The token names no sender'
}

/** RFC 8291 section 3.4 and RFC 8188 section 2, for messages of one record. */
function decrypt(message: Buffer, { keys, auth }: Browser): Buffer {
  const salt = message.subarray(0, 16)
  const recordSize = message.readUInt32BE(16)
  const keyLength = message.readUInt8(20)
  const senderKey = message.subarray(21, 21 + keyLength)
  const record = message.subarray(21 + keyLength)
  if (record.length > recordSize) throw new Error('The message has several records')
  const secret = keys.computeSecret(senderKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), senderKey])
  const input = hkdfSync('sha256', secret, auth, info, 32)
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(input), salt, `Content-Encoding: ${name}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-TAG_BYTES))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()])
  // The last record ends in 2 and zeros.
  return padded.subarray(0, padded.lastIndexOf(2))
}
