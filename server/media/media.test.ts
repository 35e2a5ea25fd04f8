import { createProduct, uploadPicture } from '@qatra/contract/products/admin'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { fileForm } from '../test/fixtures/form.ts'
import type { Visitor } from '../test/visitor.ts'

const shop = await startShop({ role: 'web' })
const admin = await shop.visitor().signInAs('+97336000002')
const kept = async () =>
  (await shop.query<{ sha256: string }>('select sha256 from media order by 1')).map(({ sha256 }) => sha256)

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 120, b: 160 } } })
async function send(bytes: Buffer, { name = 'a.jpg', who = admin as Visitor, type = 'image/jpeg' } = {}) {
  const { raw, headers } = fileForm(name, bytes, { field: 'picture', type })
  const answer = await who.send('POST', uploadPicture.path, { raw, headers: { ...headers, 'accept-language': 'en' } })
  return { ...answer, picture: answer.body as { url: string; width: number; height: number } }
}
const fetched = (url: string, headers: Record<string, string> = {}) =>
  shop.app.http.inject({ method: 'GET', url, headers })

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'in format %s is re-encoded, no larger than needed',
    async (format) => {
      const { status, picture } = await send(await drawn(1600, 1200).toFormat(format).toBuffer())
      expect([status, picture]).toEqual([
        200,
        { url: expect.stringMatching(/^\/media\/[0-9a-f]{64}$/), width: 1000, height: 750 },
      ])
      const { rawPayload, headers, statusCode } = await fetched(picture.url)
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'cross-origin-resource-policy': 'same-origin',
        'content-length': String(rawPayload.length),
      })
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width: 1000, height: 750 })
    },
  )

  it('is stored upright and without location, camera data or appended bytes', async () => {
    const secret = 'SECRET-HOUSE-7'
    const jpeg = await drawn(400, 200)
      .withExif({ IFD0: { Copyright: secret, Make: secret }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { picture } = await send(Buffer.concat([jpeg, Buffer.from(`<script>${secret}</script>`)]))
    expect([picture.width, picture.height]).toEqual([200, 400])
    const { rawPayload } = await fetched(picture.url)
    expect(rawPayload.includes(secret)).toBe(false)
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined()
  })

  it('is stored once if uploaded twice, and can be used in a product', async () => {
    const bytes = await drawn(300, 300).png().toBuffer()
    const [first, second] = [await send(bytes), await send(bytes, { name: '../../evil.svg', type: 'image/svg+xml' })]
    expect(second.picture).toEqual(first.picture)
    expect((await kept()).filter((name) => first.picture.url.endsWith(name))).toHaveLength(1)
    const body = { name: 'With a picture', price: 1, size: '1L', imageUrl: first.picture.url }
    expect((await admin.call(createProduct, { body })).body.imageUrl).toBe(first.picture.url)
    const { statusCode, rawPayload } = await fetched(first.picture.url, {
      'if-none-match': `"${first.picture.url.slice(7, 29)}"`,
    })
    expect([statusCode, rawPayload.length]).toEqual([304, 0])
  })
})

describe('invalid pictures', () => {
  /** A PNG that declares any size. */
  async function bomb(width: number, height: number) {
    const png = await drawn(8, 8).png().toBuffer()
    png.writeUInt32BE(width, 16)
    png.writeUInt32BE(height, 20)
    return png
  }
  const jpeg = () => drawn(600, 600).jpeg().toBuffer()
  const refused: [string, () => Promise<Buffer> | Buffer, string][] = [
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'kind'],
    [
      'SVG behind a mark',
      () => Buffer.from('\ufeff<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'kind',
    ],
    ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 'kind'],
    ['a PDF', () => Buffer.from('%PDF-1.7'), 'kind'],
    ['a TIFF', () => drawn(10, 10).tiff().toBuffer(), 'kind'],
    ['nothing', () => Buffer.alloc(0), 'kind'],
    ['a head alone', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'broken'],
    ['half a picture', async () => (await jpeg()).subarray(0, 900), 'broken'],
    ['a picture of 900 000 000 points', () => bomb(30_000, 30_000), 'pixels'],
    ['a picture 2 000 000 000 wide', () => bomb(2_000_000_000, 1), 'broken|pixels'],
    ['a real one with too many points', () => drawn(8_000, 8_000).png().toBuffer(), 'pixels'],
  ]
  it.each(refused)('(%s) are rejected', async (_, make, problem) => {
    const before = await kept()
    const { status, refusal } = await send(await make())
    expect([status, refusal.code, refusal.details['problem']]).toEqual([
      422,
      'PICTURE_REFUSED',
      expect.stringMatching(new RegExp(`^(${problem})$`)),
    ])
    expect(refusal.details.fields?.['file']).toMatch(/^[A-Z]/)
    expect(await kept()).toEqual(before)
  })

  it('are rejected when too large, not permitted or sent from another site', async () => {
    expect((await send(Buffer.alloc(5_100_000, 1))).status).toBe(413)
    const sales = await shop.visitor().signInAs('+97336000004')
    expect((await send(await jpeg(), { who: sales })).status).toBe(403)
    expect((await send(await jpeg(), { who: shop.visitor() })).status).toBe(401)
    const foreign = fileForm('a.jpg', await jpeg(), { field: 'picture' })
    const { status } = await admin.send('POST', uploadPicture.path, {
      ...foreign,
      headers: { ...foreign.headers, origin: 'https://evil.example' },
    })
    expect(status).toBe(403)
    expect((await admin.send('POST', uploadPicture.path, { body: {} })).status).toBe(415)
    expect((await admin.send('POST', uploadPicture.path)).status).toBe(422)
  })
})

describe('unknown picture addresses', () => {
  it.each([
    `/media/${'0'.repeat(64)}`,
    '/media/',
    '/media/x',
    '/media/..%2f..%2fetc%2fpasswd',
    '/media/../secret',
    `/media/${'0'.repeat(40)}.webp`,
    `/media/${'0'.repeat(40)}.svg`,
    '/media/.x.part',
  ])('return 404 at %s', async (url) => {
    expect((await fetched(url)).statusCode).toBe(404)
  })
})
