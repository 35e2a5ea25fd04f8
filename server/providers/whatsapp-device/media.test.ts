import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Fetch } from '../../lib/http-client.ts'
import { deviceMediaId, fetchDeviceMedia } from './media.ts'

/** As WhatsApp stores a file. */
function encrypted(file: Buffer, key: Buffer, purpose: string): Buffer {
  const keys = Buffer.from(hkdfSync('sha256', key, '', purpose, 112))
  const iv = keys.subarray(0, 16)
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(16, 48), iv)
  const body = Buffer.concat([cipher.update(file), cipher.final()])
  const mac = createHmac('sha256', keys.subarray(48, 80)).update(iv).update(body).digest()
  return Buffer.concat([body, mac.subarray(0, 10)])
}
const voice = randomBytes(1_000)
const key = randomBytes(32)
const path = '/v/t62.7117-24/30_n.enc?ccb=11-4&oh=01_Q5&oe=67'
const stored = encrypted(voice, key, 'WhatsApp Audio Keys')
const changed = Buffer.from(stored)
changed.writeUInt8(stored.readUInt8(0) ^ 1, 0)
const asked: string[] = []
const serving =
  (bytes: Buffer, status = 200): Fetch =>
  async (url) => {
    asked.push(String(url))
    return new Response(new Uint8Array(bytes), { status })
  }
const id = deviceMediaId('audio', path, new Uint8Array(key)) ?? ''

describe('a voice message of the linked device', () => {
  it('is fetched from WhatsApp and decrypted', async () => {
    const media = await fetchDeviceMedia(id, 2_000, { fetch: serving(stored) })
    expect(media).toEqual({ ok: true, bytes: voice })
    expect(asked.at(-1)).toBe(`https://mmg.whatsapp.net${path}`)
  })

  it('of exactly the limit is fetched, of one byte more is not', async () => {
    expect(await fetchDeviceMedia(id, 1_000, { fetch: serving(stored) })).toMatchObject({ ok: true })
    expect(await fetchDeviceMedia(id, 980, { fetch: serving(stored) })).toMatchObject({ kind: 'large' })
  })

  it.each([
    ['was changed', serving(changed), 'gone'],
    ['is gone', serving(stored, 410), 'gone'],
    ['is not available at present', serving(stored, 503), 'busy'],
  ])('that %s is not stored', async (_, fetch, kind) => {
    expect(await fetchDeviceMedia(id, 2_000, { fetch })).toEqual({ ok: false, kind })
  })

  it('is asked of no other host, whatever its sender wrote', async () => {
    const before = asked.length
    for (const evil of ['//evil.example/x', 'https://evil.example/x', '/\\evil.example/x', 'x'])
      expect(deviceMediaId('audio', evil, key)).toBeNull()
    for (const forged of [
      'web.e30',
      'web.',
      '106540352242922',
      `web.${Buffer.from('{"type":"audio"').toString('base64url')}`,
    ])
      expect(await fetchDeviceMedia(forged, 2_000, { fetch: serving(stored) })).toEqual({ ok: false, kind: 'gone' })
    expect(asked).toHaveLength(before)
  })
})
