import { refetchMessageFile } from '@qatra/contract/whatsapp/inbox/files'
import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, change } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta, person } from '../test/meta.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import type { Visitor } from '../test/visitor.ts'

let meta: MetaServer
let shop: TestShop
let boss: Visitor
beforeAll(async () => {
  meta = await startMeta()
  const { whatsapp } = readConfig({ NODE_ENV: 'test' })
  const cloud = { provider: 'cloud', token: meta.token, phoneNumberId: null, graphUrl: meta.graphUrl } as const
  shop = await startShop({
    simulator: false,
    hasBot: false,
    whatsapp: { ...whatsapp, ...cloud, appSecret: APP_SECRET },
  })
  boss = await shop.visitor().signInAs('+97336000001')
})
afterAll(() => meta.stop())

let made = 0
/** A customer sends a picture; returns the id of its message. */
async function sends(file: { bytes: Buffer; mimeType?: string; url?: string } | null, type = 'image') {
  const mediaId = `media${(made += 1)}`
  if (file) meta.files.set(mediaId, { mimeType: 'image/jpeg', ...file })
  const [phone, id] = [newPhone(), `wamid.picture.${made}`]
  const timestamp = String(Math.floor(Date.now() / 1000))
  const part = { id: mediaId, mime_type: 'image/jpeg', sha256: '', caption: 'The gate' }
  const message = { id, from: phone.slice(1), timestamp, type, [type]: part }
  await callAsMeta(shop, call(change({ contacts: [person(phone)], messages: [message] })))
  return until('the message', async () => {
    const [row] = await shop.query<{ id: number; contact_id: number }>(
      'select id, contact_id from whatsapp_messages where message_id = $1',
      [id],
    )
    return row
  })
}
const shown = async ({ id, contact_id }: { id: number; contact_id: number }) => {
  const { body } = await boss.call(api.listMessages, { params: { contact: String(contact_id) } })
  return body.items.find((one) => one.id === id)
}
const get = (id: number, who: Visitor = boss) => who.send('GET', api.getMessagePicture.path.replace('{id}', String(id)))
const jobOf = (id: number) =>
  until('the end of the job', async () => {
    const [row] = await shop.query<{ state: string }>(
      `select state from pgboss.job where name = 'message-files' and data ->> 'messageId' = $1`,
      [String(id)],
    )
    return row && !['created', 'active'].includes(row.state) ? row.state : null
  })

const photo = () => sharp({ create: { width: 1600, height: 800, channels: 3, background: '#147' } })

describe('a picture that a customer sends', () => {
  it('is fetched in two steps, re-encoded, and shown only to users of the inbox', async () => {
    const bytes = await photo()
      .withExif({ IFD0: { Copyright: 'the place it was taken' } })
      .jpeg()
      .toBuffer()
    const message = await sends({ bytes })
    await until('the picture', async () => (await shown(message))?.parts.picture)
    expect(await shown(message)).toMatchObject({
      text: 'The gate',
      parts: { picture: { width: 1000, height: 500 }, mimeType: 'image/jpeg' },
    })
    const cookie = [...boss.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const url = api.getMessagePicture.path.replace('{id}', String(message.id))
    const got = await shop.app.http.inject({ method: 'GET', url, headers: { cookie } })
    const { statusCode, headers, rawPayload: raw } = got
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/webp'])
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    expect((await sharp(raw).metadata()).format).toBe('webp')
    expect(raw.includes('the place it was taken')).toBe(false)
    for (const phone of ['+97336000002', '+97336000003', '+97336000006']) {
      expect((await get(message.id, await shop.visitor().signInAs(phone))).status).toBe(403)
    }
    expect((await get(message.id, shop.visitor())).status).toBe(401)
  })

  it('is deleted with the contact', async () => {
    const message = await sends({ bytes: await photo().jpeg().toBuffer() })
    await until('the picture', async () => (await shown(message))?.parts.picture)
    await shop.query('delete from contacts where id = $1', [message.contact_id])
    expect((await get(message.id)).status).toBe(404)
    expect(await shop.query('select from message_files where message_id = $1', [message.id])).toEqual([])
  })

  /** A PNG whose header names 900 million pixels. */
  async function bomb(): Promise<Buffer> {
    const png = await photo().png().toBuffer()
    png.writeUInt32BE(30_000, 16)
    png.writeUInt32BE(30_000, 20)
    return png
  }
  const drawn = (): Promise<Buffer> => photo().jpeg().toBuffer()
  const files: [string, string, () => Promise<Parameters<typeof sends>[0]>][] = [
    [
      'is a program',
      'kind',
      async () => ({ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>') }),
    ],
    ['is broken', 'broken', async () => ({ bytes: (await drawn()).subarray(0, 500) })],
    ['has too many pixels', 'broken', async () => ({ bytes: await bomb() })],
    ['is larger than any', 'large', async () => ({ bytes: Buffer.concat([await drawn(), Buffer.alloc(6e6)]) })],
    ['is stored by somebody else', 'gone', async () => ({ bytes: await drawn(), url: 'http://127.0.0.1:9/x.jpg' })],
    ['is unknown to the provider', 'gone', async () => null],
  ]
  it.each(files)('keeps its name and a reason that no retry changes if the file %s: %s', async (_, problem, file) => {
    const message = await sends(await file())
    expect(await jobOf(message.id)).toBe('completed')
    const found = await shown(message)
    expect([found?.type, found?.parts.picture]).toEqual(['image', undefined])
    expect(found?.parts.file).toMatchObject({ state: 'named', problem, mayRetry: false })
    expect((await get(message.id)).status).toBe(404)
  })

  it('that the provider did not deliver is fetched again when staff ask for it', async () => {
    meta.decide(({ path }) => (path === undefined ? null : { status: 503 }))
    const message = await sends({ bytes: await photo().jpeg().toBuffer() })
    expect(await jobOf(message.id)).toBe('retry')
    expect((await shown(message))?.parts.file).toMatchObject({ state: 'fetching', problem: null, mayRetry: false })
    await shop.query(
      `update pgboss.job set start_after = now(), retry_count = retry_limit - 1
       where name = 'message-files' and state = 'retry'`,
    )
    const failed = await until('the reason', async () => {
      const found = await shown(message)
      return found?.parts.file?.problem ? found.parts.file : null
    })
    expect(failed).toMatchObject({ state: 'named', problem: 'away', mayRetry: true })
    meta.reset()
    const params = { id: String(message.id) }
    const { status, body } = await boss.call(refetchMessageFile, { params })
    expect([status, body.parts.file?.state]).toEqual([200, 'fetching'])
    await until('the picture', async () => (await shown(message))?.parts.picture)
    expect((await shown(message))?.parts.file).toBeUndefined()
  })

  it('of the linked device, which names no file to fetch, says that it is not available', async () => {
    const message = await sends(null)
    await until('its end', async () => (await shown(message))?.parts.file?.problem)
    await shop.query('delete from message_files where message_id = $1', [message.id])
    await shop.query(`update whatsapp_messages set payload = '{}' where id = $1`, [message.id])
    expect((await shown(message))?.parts.file).toMatchObject({ state: 'named', problem: 'gone', mayRetry: false })
  })

  it('is retried if the provider is busy', async () => {
    let refusals = 0
    meta.decide(({ path }) => (path !== undefined && (refusals += 1) === 1 ? { status: 503 } : null))
    const message = await sends({ bytes: await photo().png().toBuffer(), mimeType: 'image/png' })
    expect(await jobOf(message.id)).toBe('retry')
    await shop.query(`update pgboss.job set start_after = now() where name = 'message-files' and state = 'retry'`)
    await until('the picture', async () => (await shown(message))?.parts.picture)
    meta.reset()
  })
})
