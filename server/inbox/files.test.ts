import { eraseAccount } from '@qatra/contract/users/auth'
import * as files from '@qatra/contract/whatsapp/inbox/files'
import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { mediaIdOf, simulatedMedia } from '../../demo/simulators/whatsapp-cloud/media.ts'
import { call, change } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { cloudGateway } from '../providers/whatsapp-cloud/gateway.ts'
import { fetchMedia } from '../providers/whatsapp-cloud/media.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta, person } from '../test/meta.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import type { Visitor } from '../test/visitor.ts'

let meta: MetaServer
let shop: TestShop
let boss: Visitor
const whatsapp = () => {
  const cloud = { provider: 'cloud', token: meta.token, phoneNumberId: null, graphUrl: meta.graphUrl } as const
  return { ...readConfig({ NODE_ENV: 'test' }).whatsapp, ...cloud, appSecret: APP_SECRET }
}
beforeAll(async () => {
  meta = await startMeta()
  shop = await startShop({ simulator: false, hasBot: false, whatsapp: whatsapp() })
  boss = await shop.visitor().signInAs('+97336000001')
})
afterAll(() => meta.stop())

type Type = 'audio' | 'video' | 'document'
interface Message {
  id: number
  contact_id: number
}
let made = 0
/** A customer sends a file; returns the id of its message. */
async function sends(
  file: { bytes: Buffer; mimeType?: string; url?: string } | null,
  { type = 'audio' as Type, phone = newPhone(), filename = undefined as string | undefined } = {},
): Promise<Message> {
  const mediaId = `file${(made += 1)}`
  if (file) meta.files.set(mediaId, { mimeType: 'audio/ogg', ...file })
  const id = `wamid.file.${made}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const message = {
    id,
    from: phone.slice(1),
    timestamp,
    type,
    [type]: { id: mediaId, mime_type: 'text/html', filename },
  }
  await callAsMeta(shop, call(change({ contacts: [person(phone)], messages: [message] })))
  return until('the message', async () => {
    const [row] = await shop.query<Message>('select id, contact_id from whatsapp_messages where message_id = $1', [id])
    return row
  })
}
async function shown({ id, contact_id }: Message, who = boss) {
  const { body } = await who.call(api.listMessages, { params: { contact: String(contact_id) } })
  return body.items.find((one) => one.id === id)?.parts
}
const settled = (message: Message) =>
  until('its end', async () => {
    const parts = await shown(message)
    return parts?.picture || (parts?.file && parts.file.state !== 'fetching') ? parts : null
  })
const urlOf = ({ id }: Pick<Message, 'id'>) => files.getMessageFile.path.replace('{id}', String(id))
function get(
  message: Pick<Message, 'id'>,
  headers: Record<string, string> = {},
  who = boss,
  method: 'GET' | 'HEAD' = 'GET',
) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return shop.app.http.inject({ method, url: urlOf(message), headers: { cookie, ...headers } })
}
async function simulated(type: Type): Promise<Buffer> {
  const media = await simulatedMedia(mediaIdOf(type, 'test'))
  if (!media) throw new Error('The simulator has none')
  return media.bytes
}
const jobOf = ({ id }: Message) =>
  until('the end of the job', async () => {
    const [row] = await shop.query<{ state: string }>(
      `select state from pgboss.job where name = 'message-files' and data ->> 'messageId' = $1 order by created_on desc`,
      [String(id)],
    )
    return row && !['created', 'active'].includes(row.state) ? row.state : null
  })

describe('a voice message', () => {
  it('is fetched, detected by its contents, and served only to users of the inbox', async () => {
    const bytes = await simulated('audio')
    const message = await sends({ bytes })
    const file = {
      state: 'kept',
      mimeType: 'audio/ogg',
      size: bytes.length,
      seconds: 2,
      problem: null,
      mayRetry: false,
    }
    expect((await settled(message)).file).toEqual(file)
    const { statusCode, headers, rawPayload } = await get(message)
    expect(statusCode).toBe(200)
    expect(rawPayload.equals(bytes)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'audio/ogg',
      'content-length': String(bytes.length),
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
    })
    for (const phone of ['+97336000002', '+97336000003', '+97336000004', '+97336000006']) {
      const who = await shop.visitor().signInAs(phone)
      expect((await get(message, {}, who)).statusCode).toBe(403)
      expect((await who.call(files.refetchMessageFile, { params: { id: String(message.id) } })).status).toBe(403)
    }
    expect((await get(message, {}, shop.visitor())).statusCode).toBe(401)
  })

  it('is served in ranges', async () => {
    const bytes = await simulated('audio')
    const message = await sends({ bytes })
    await settled(message)
    const size = bytes.length
    const { statusCode, headers, rawPayload } = await get(message, { range: 'bytes=100-299' })
    expect([statusCode, headers['content-range']]).toEqual([206, `bytes 100-299/${size}`])
    expect(rawPayload.equals(bytes.subarray(100, 300))).toBe(true)
    const tail = await get(message, { range: 'bytes=-50' })
    expect([tail.statusCode, tail.rawPayload.equals(bytes.subarray(-50))]).toEqual([206, true])
    const beyond = await get(message, { range: `bytes=${size}-` })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`])
    const changed = await get(message, { range: 'bytes=0-9', 'if-range': '"another"' })
    expect([changed.statusCode, changed.rawPayload.length]).toEqual([200, size])
    const same = await get(message, { range: 'bytes=0-9', 'if-range': String(headers['etag']) })
    expect([same.statusCode, same.rawPayload.length]).toEqual([206, 10])
    const head = await get(message, {}, boss, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([200, String(size), 0])
  })
})

describe('a video of several pieces', () => {
  it('is complete, as a whole and in any range', async () => {
    const bytes = Buffer.concat([
      await simulated('video'),
      Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251)),
    ])
    const message = await sends({ bytes }, { type: 'video' })
    expect((await settled(message)).file).toMatchObject({ state: 'kept', mimeType: 'video/mp4', size: bytes.length })
    expect((await get(message)).rawPayload.equals(bytes)).toBe(true)
    const part = await get(message, { range: 'bytes=200000-600000' })
    expect(part.rawPayload.equals(bytes.subarray(200_000, 600_001))).toBe(true)
  })
})

describe('a document', () => {
  it('is served only as a download, under a safe name', async () => {
    const message = await sends(
      { bytes: await simulated('document') },
      { type: 'document', filename: 'فاتورة\u202e\r\n"/../x.exe' },
    )
    expect(await settled(message)).toMatchObject({ file: { state: 'kept', mimeType: 'application/pdf' } })
    const { headers } = await get(message)
    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="[\w.-]+\.pdf"; filename\*=UTF-8''[\w%.-]+\.pdf$/,
    )
    expect(decodeURIComponent(String(headers['content-disposition']).split("UTF-8''")[1] ?? '')).toBe(
      'فاتورة_.._x.exe.pdf',
    )
    expect((await shown(message))?.filename).not.toMatch(/[\u202e\r\n]/)
    // Without a caption, the file name is shown in the list and the topic and found by the search.
    const { body } = await boss.call(api.listMessages, { params: { contact: String(message.contact_id) } })
    expect(body.items.map(({ text, parts }) => [text, text === parts.filename])).toEqual([['فاتورة_.._x.exe', true]])
  })

  it('that is a picture is re-encoded and shown as a picture', async () => {
    const bytes = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#147' } })
      .jpeg()
      .toBuffer()
    const message = await sends({ bytes }, { type: 'document', filename: 'gate.jpg' })
    const parts = await settled(message)
    expect([parts.picture, parts.file]).toEqual([{ width: 90, height: 60 }, undefined])
    expect((await get(message)).statusCode).toBe(404)
  })
})

describe('files that are not stored', () => {
  const large = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(16 * 1024 * 1024)])
  const refused: [string, string, Type, () => Promise<Parameters<typeof sends>[0]>][] = [
    ['is a page', 'kind', 'document', async () => ({ bytes: Buffer.from('<!doctype html><script>alert(1)</script>') })],
    [
      'is a drawing',
      'kind',
      'document',
      async () => ({ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }),
    ],
    [
      'is said to be a voice and is a page',
      'kind',
      'audio',
      async () => ({ bytes: Buffer.from('<script>1</script>') }),
    ],
    [
      'is said to be a voice and is a document',
      'kind',
      'audio',
      () => simulated('document').then((bytes) => ({ bytes })),
    ],
    ['is said to be a video and is sound', 'kind', 'video', () => simulated('audio').then((bytes) => ({ bytes }))],
    ['is larger than any', 'large', 'document', async () => ({ bytes: large })],
    ['lies with somebody else', 'gone', 'audio', async () => ({ bytes: Buffer.alloc(9), url: 'http://127.0.0.1:9/x' })],
    ['is unknown to the provider', 'gone', 'audio', async () => null],
  ]
  it.each(refused)('keep their name if the file %s: %s', async (_, problem, type, file) => {
    const message = await sends(await file(), { type })
    const size = problem === 'large' ? large.length : undefined
    expect((await settled(message)).file).toMatchObject({
      state: 'named',
      problem,
      mayRetry: false,
      ...(size ? { size } : {}),
    })
    expect((await get(message)).statusCode).toBe(404)
    const kept = await shop.query('select sha256 from message_files where message_id = $1', [message.id])
    expect(kept).toEqual([{ sha256: null }])
    // A retry changes nothing.
    const { body } = await boss.call(files.refetchMessageFile, { params: { id: String(message.id) } })
    expect(body.parts.file).toMatchObject({ state: 'named', problem })
  })

  it('wait for a retry by staff if one contact exceeds the daily limit', async () => {
    const phone = newPhone()
    const bytes = await simulated('audio')
    const first = await sends({ bytes }, { phone })
    await settled(first)
    await shop.query('update message_files set size = 140000000 where message_id = $1', [first.id])
    const second = await sends({ bytes }, { phone })
    expect((await settled(second)).file).toMatchObject({ state: 'named', problem: 'much', mayRetry: true })
    const other = await sends({ bytes })
    expect((await settled(other)).file).toMatchObject({ state: 'kept' })
    // Rejected downloads count towards the limit, too.
    const page = { bytes: Buffer.from('<script>1</script>') }
    const wasted = newPhone()
    const vain = await sends(page, { phone: wasted, type: 'document' })
    await settled(vain)
    await shop.query('update message_files set size = 140000000 where message_id = $1', [vain.id])
    expect((await settled(await sends({ bytes }, { phone: wasted }))).file).toMatchObject({ problem: 'much' })
    const { body } = await boss.call(files.refetchMessageFile, { params: { id: String(second.id) } })
    expect(body.parts.file).toMatchObject({ state: 'fetching', mayRetry: false })
    expect((await settled(second)).file).toMatchObject({ state: 'kept' })
  })
})

describe('a provider that does not respond', () => {
  it('is retried automatically, then by staff', async () => {
    let refusals = 0
    // Of files alone: templates and the account are read by the clock.
    meta.decide(({ path }) => (/file\d+$/.test(String(path)) && (refusals += 1) <= 2 ? { status: 503 } : null))
    const message = await sends({ bytes: await simulated('audio') })
    expect(await jobOf(message)).toBe('retry')
    expect((await shown(message))?.file).toMatchObject({ state: 'fetching', problem: null, mayRetry: false })
    await shop.query(
      `update pgboss.job set start_after = now(), retry_count = retry_limit - 1
       where name = 'message-files' and state = 'retry'`,
    )
    const parts = await settled(message)
    expect(parts.file).toMatchObject({ state: 'named', problem: 'away', mayRetry: true })
    const params = { id: String(message.id) }
    const [one, two] = await Promise.all([
      boss.call(files.refetchMessageFile, { params }),
      boss.call(files.refetchMessageFile, { params }),
    ])
    expect([one.body.parts.file?.state, two.body.parts.file?.state]).not.toContain('named')
    expect((await settled(message)).file).toMatchObject({ state: 'kept', mimeType: 'audio/ogg' })
    expect((await boss.call(files.refetchMessageFile, { params })).body.parts.file).toMatchObject({ state: 'kept' })
    meta.reset()
  })

  it('is limited by timeouts for the address and for the bytes', async () => {
    meta.files.set('slow', { bytes: await simulated('audio'), mimeType: 'audio/ogg' })
    const ask = (ms: number) => fetchMedia(whatsapp(), { mediaId: 'slow', maxBytes: 1e6, timeoutMs: ms, bytesMs: ms })
    for (const hangs of [/slow$/, /files/]) {
      meta.decide(({ path }) => (hangs.test(String(path)) ? { status: null } : null))
      expect(await ask(200)).toEqual({ ok: false, kind: 'busy' })
    }
    meta.reset()
    expect(await ask(5_000)).toMatchObject({ ok: true })
    expect(await cloudGateway(whatsapp).messages.fetchMedia?.('slow', 10)).toMatchObject({
      kind: 'large',
      size: 5568,
    })
  })

  it('is marked as expired after its term if its message is older than file storage', async () => {
    const message = await sends(null)
    await settled(message)
    await shop.query('delete from message_files where message_id = $1', [message.id])
    expect((await shown(message))?.file).toMatchObject({ state: 'fetching' })
    await shop.query(`update whatsapp_messages set created_at = now() - interval '1 day' where id = $1`, [message.id])
    expect((await shown(message))?.file).toMatchObject({ problem: 'away', mayRetry: true })
    await shop.query(`update whatsapp_messages set created_at = now() - interval '31 days' where id = $1`, [message.id])
    expect((await shown(message))?.file).toMatchObject({ problem: 'gone', mayRetry: false })
  })
})

describe('erasure', () => {
  it('deletes the files', async () => {
    const phone = newPhone()
    const message = await sends({ bytes: await simulated('audio') }, { phone })
    await settled(message)
    await shop.query(`insert into users (phone, name) values ($1, 'Gone')`, [phone])
    const customer = await shop.visitor().signInAs(phone)
    expect((await customer.call(eraseAccount)).status).toBe(200)
    await until('its end', async () => (await get(message)).statusCode === 404)
    expect(await shop.query('select from message_files where message_id = $1', [message.id])).toEqual([])
  })
})

describe('a file being fetched while its sender is erased', () => {
  it('is not stored, and its job completes', async () => {
    const phone = newPhone()
    const begun = new Promise<void>((done) => {
      meta.slowDown(() => {
        done()
        return 1_000
      })
    })
    const message = await sends({ bytes: await simulated('audio') }, { phone })
    await begun
    await shop.query(`insert into users (phone, name) values ($1, 'Gone')`, [phone])
    const customer = await shop.visitor().signInAs(phone)
    expect((await customer.call(eraseAccount)).status).toBe(200)
    await until('its end', async () => {
      const rows = await shop.query('select from whatsapp_messages where id = $1', [message.id])
      return rows.length === 0
    })
    expect(await jobOf(message)).toBe('completed')
    expect(await shop.query('select from message_files where message_id = $1', [message.id])).toEqual([])
    meta.reset()
  })
})

describe('the simulator', () => {
  it('shows, plays or saves everything that a customer sends', async () => {
    const simulator = await startShop({ hasBot: false })
    const reader = await simulator.visitor().signInAs('+97336000001')
    const from = newPhone()
    const types = ['image', 'audio', 'video', 'document'] as const
    for (const type of types) await simulator.visitor().call(sendSimulatedMessage, { body: { from, type } })
    const found = await until('all of them', async () => {
      const { body } = await reader.call(api.listMessages, { params: { contact: from } })
      // The contact exists after its first message.
      const sent = (body.items ?? []).filter(({ direction }) => direction === 'incoming')
      const isThere = ({ parts }: (typeof sent)[number]) => parts.picture || parts.file?.state === 'kept'
      return sent.length === types.length && sent.every(isThere) ? sent : null
    })
    const mimeTypes = found.map(({ type, parts }) => [type, parts.file?.mimeType ?? parts.picture?.width])
    expect(Object.fromEntries(mimeTypes)).toEqual({
      image: 800,
      audio: 'audio/ogg',
      video: 'video/mp4',
      document: 'application/pdf',
    })
  })
})
