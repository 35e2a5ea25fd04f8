import { createHash } from 'node:crypto'
import type { Output } from '@qatra/contract/endpoint'
import * as files from '@qatra/contract/whatsapp/inbox/files'
import * as api from '@qatra/contract/whatsapp/inbox/inbox'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mediaIdOf, simulatedMedia } from '../../demo/simulators/whatsapp-cloud/media.ts'
import { call, change } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { readConfig } from '../config/config.ts'
import { changeMessage } from '../conversations/changes.commands.ts'
import { requestHandoff } from '../conversations/conversations.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone, until } from '../test/fixtures/codes.ts'
import { fileForm } from '../test/fixtures/form.ts'
import { APP_SECRET, callAsMeta, person } from '../test/meta.ts'
import { type MetaServer, startMeta } from '../test/simulators/whatsapp-cloud.ts'
import type { Visitor } from '../test/visitor.ts'

let meta: MetaServer
let shop: TestShop
let boss: Visitor
beforeAll(async () => {
  meta = await startMeta()
  const cloud = {
    provider: 'cloud',
    token: meta.token,
    phoneNumberId: meta.phoneNumberId,
    graphUrl: meta.graphUrl,
  } as const
  const whatsapp = { ...readConfig({ NODE_ENV: 'test' }).whatsapp, ...cloud, appSecret: APP_SECRET }
  shop = await startShop({ simulator: false, hasBot: false, whatsapp })
  boss = await shop.visitor().signInAs('+97336000001')
})
afterAll(() => meta.stop())
beforeEach(() => meta.reset())

let made = 0
/** A customer writes; returns the contact and the id of the message. */
async function writes(content: object = { type: 'text', text: { body: 'Hello' } }, phone = newPhone()) {
  const id = `wamid.in.${(made += 1)}`
  const message = { id, from: phone.slice(1), timestamp: String(Math.floor(Date.now() / 1000)), ...content }
  await callAsMeta(shop, call(change({ contacts: [person(phone)], messages: [message] })))
  return until('the message', async () => {
    const [row] = await shop.query<{ id: number; contact_id: number }>(
      'select id, contact_id from whatsapp_messages where message_id = $1',
      [id],
    )
    return row && { phone, messageId: row.id, contact: String(row.contact_id), wamid: id }
  })
}
async function upload(bytes: Buffer, name = 'file') {
  const form = fileForm(name, bytes, { type: 'application/octet-stream' })
  const { status, body } = await boss.send('POST', files.uploadConversationFile.path, form)
  return { status, body: body as Output<typeof files.uploadConversationFile> }
}
const reply = (contact: string, body: object, key?: string) =>
  boss.call(api.sendReply, { params: { contact }, body: body as never }, key ? { 'idempotency-key': key } : {})
const messagesOf = async (contact: string) =>
  (await boss.call(api.listMessages, { params: { contact }, query: {} as never })).body.items
const settled = (contact: string, id: number) =>
  until('the end of the sending', async () => {
    const found = (await messagesOf(contact)).find((one) => one.id === id)
    return found && found.status !== 'queued' ? found : null
  })
const sentBodies = () =>
  meta.received.flatMap(({ path, body }) => (path.endsWith('/messages') && body['status'] === undefined ? [body] : []))
const uploads = () => meta.received.filter(({ path }) => path.endsWith('/media'))
const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#0aa' } })
    .withExif({ IFD0: { Artist: 'secret place' } })
    .png()
    .toBuffer()
async function simulated(type: 'audio' | 'document' | 'video') {
  const media = await simulatedMedia(mediaIdOf(type, 'test'))
  if (!media) throw new Error('The simulator has none')
  return media.bytes
}

describe('a picture for a customer', () => {
  it('is re-encoded, uploaded to Meta as JPEG without metadata, and sent by its media id with a caption', async () => {
    const { contact } = await writes()
    const { status, body } = await upload(await picture(), 'gate.png')
    expect([status, body]).toEqual([200, expect.objectContaining({ type: 'image', mimeType: 'image/webp' })])
    const { body: sent } = await reply(contact, { file: { sha256: body.sha256 }, body: 'The gate' })
    expect(sent).toMatchObject({ type: 'image', text: 'The gate', parts: { picture: { width: 40, height: 30 } } })
    expect((await settled(contact, sent.id)).status).toBe('sent')
    expect(uploads()[0]?.body).toMatchObject({ messaging_product: 'whatsapp', type: 'image/jpeg', file: 'image/jpeg' })
    const [message] = sentBodies()
    const { id } = (message?.['image'] ?? {}) as { id: string } // as Meta reads it
    expect(message).toMatchObject({ type: 'image', image: { id, caption: 'The gate' } })
    const given = meta.files.get(id)?.bytes ?? Buffer.alloc(0)
    expect((await sharp(given).metadata()).format).toBe('jpeg')
    expect(given.includes('secret place')).toBe(false)
    const shown = await boss.send('GET', api.getMessagePicture.path.replace('{id}', String(sent.id)))
    expect(shown.status).toBe(200)
  })

  it('that cannot be read at first is sent later', async () => {
    const { contact } = await writes()
    const { sha256 } = (await upload(await picture())).body
    const [stored] = await shop.query<{ bytes: Buffer }>('select bytes from media where sha256 = $1', [sha256])
    await shop.query(`update media set bytes = 'unreadable' where sha256 = $1`, [sha256])
    const { id } = (await reply(contact, { file: { sha256 } })).body
    await until(
      'the first attempt',
      async () =>
        (
          await shop.query(
            `select from whatsapp_messages where id = $1 and claimed_at is null and errors -> 0 ->> 'code' = 'FILE_UNREADABLE'`,
            [id],
          )
        ).length,
    )
    expect(sentBodies()).toHaveLength(0)
    await shop.query('update media set bytes = $2 where sha256 = $1', [sha256, stored?.bytes])
    expect((await settled(contact, id)).status).toBe('sent')
    expect(sentBodies()).toHaveLength(1)
  })

  it('is sent once for a repeated request, and refused for another file with the key', async () => {
    const { contact } = await writes()
    const first = (await upload(await picture())).body.sha256
    const key = `key-${Date.now()}-picture`
    const answers = await Promise.all([1, 2, 3].map(() => reply(contact, { file: { sha256: first } }, key)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const other = (await upload(await simulated('document'))).body.sha256
    expect((await reply(contact, { file: { sha256: other } }, key)).body).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
    await settled(contact, answers[0]?.body.id ?? 0)
    expect(sentBodies()).toHaveLength(1)
  })

  it('is sent again by staff after Meta refused it, and waits while Meta is busy', async () => {
    const { contact } = await writes()
    const { sha256 } = (await upload(await picture())).body
    meta.decide((body) => (body['file'] ? { status: 400, code: 131_053 } : null))
    const { body: sent } = await reply(contact, { file: { sha256 } })
    expect(await settled(contact, sent.id)).toMatchObject({ status: 'failed', mayRetry: true })
    meta.decide(() => null)
    const again = await boss.call(api.retryMessage, { params: { contact, id: String(sent.id) } })
    expect(await settled(contact, again.body.id)).toMatchObject({ status: 'sent', parts: { picture: { width: 40 } } })
    let refusals = 0
    meta.decide((body) => (body['file'] && (refusals += 1) === 1 ? { status: 500 } : null))
    const { body: later } = await reply(contact, { file: { sha256 } })
    expect((await settled(contact, later.id)).status).toBe('sent')
    expect(refusals).toBe(2)
  })
})

describe('other files for a customer', () => {
  it('sends a voice message as one, with its duration', async () => {
    const { contact } = await writes()
    const { body } = await upload(await simulated('audio'))
    expect(body).toMatchObject({ type: 'audio', mimeType: 'audio/ogg', seconds: 2 })
    const { body: sent } = await reply(contact, { file: { sha256: body.sha256, isVoice: true } })
    expect(sent.parts).toMatchObject({ isVoice: true, file: { state: 'kept', seconds: 2, mimeType: 'audio/ogg' } })
    await settled(contact, sent.id)
    expect(sentBodies()[0]).toMatchObject({ type: 'audio', audio: { voice: true } })
  })

  it('sends a PDF with its name, which may not escape the folder', async () => {
    const { contact } = await writes()
    const bytes = await simulated('document')
    const { body } = await upload(bytes)
    const { body: sent } = await reply(contact, {
      file: { sha256: body.sha256, filename: '../فاتورة.pdf' },
      body: 'Bill',
    })
    await settled(contact, sent.id)
    const [message] = sentBodies()
    const { id } = (message?.['document'] ?? {}) as { id: string } // as Meta reads it
    expect(message).toMatchObject({ document: { caption: 'Bill' } })
    expect(
      createHash('sha256')
        .update(meta.files.get(id)?.bytes ?? '')
        .digest('hex'),
    ).toBe(body.sha256)
  })

  it('sends a place, quotes a message and refuses the message of another conversation', async () => {
    const { contact, messageId, wamid } = await writes()
    const other = await writes()
    const place = { location: { lat: 26.2378, lng: 50.5402, name: 'Office' }, replyTo: messageId }
    const { body: sent } = await reply(contact, place)
    expect(sent).toMatchObject({ parts: { lat: 26.2378, place: 'Office' }, answers: { id: messageId } })
    await settled(contact, sent.id)
    expect(sentBodies()[0]).toMatchObject({
      type: 'location',
      location: { latitude: 26.2378, longitude: 50.5402, name: 'Office' },
      context: { message_id: wamid },
    })
    expect((await reply(contact, { body: 'Hi', replyTo: other.messageId })).body).toMatchObject({
      code: 'MESSAGE_NOT_FOUND',
    })
  })

  it.each([
    ['a script', Buffer.from('<script>alert(1)</script>'), 422, 'kind'],
    ['a broken picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]), 422, 'broken'],
    ['a broken recording', Buffer.from('1a45dfa39f4286', 'hex'), 422, 'kind'],
  ])('refuses %s', async (_, bytes, status, problem) => {
    expect(await upload(bytes)).toMatchObject({ status, body: { code: 'FILE_REFUSED', details: { problem } } })
  })

  it('refuses unknown files, two kinds at once, and files beyond the window', async () => {
    const { contact } = await writes()
    const { sha256 } = (await upload(await picture())).body
    expect((await reply(contact, { file: { sha256: 'a'.repeat(64) } })).body).toMatchObject({ code: 'FILE_GONE' })
    expect((await reply(contact, { file: { sha256 }, location: { lat: 1, lng: 1 } })).status).toBe(422)
    await shop.query(
      `update whatsapp_conversation_threads set last_incoming_at = now() - interval '25 hours'
      where contact_id = $1`,
      [contact],
    )
    expect((await reply(contact, { file: { sha256 } })).body).toMatchObject({ code: 'SERVICE_WINDOW_CLOSED' })
  })
})

describe('a reaction', () => {
  it('of the customer is shown on its message instead of as one, and removed again', async () => {
    const { contact, phone, messageId, wamid } = await writes()
    const react = (emoji?: string) =>
      writes({ type: 'reaction', reaction: { message_id: wamid, ...(emoji ? { emoji } : {}) } }, phone)
    await react('👍')
    await react('❤️')
    expect(await messagesOf(contact)).toMatchObject([
      { id: messageId, parts: { reactions: [{ emoji: '❤️', isOwn: false }] } },
    ])
    const { body } = await boss.call(api.getConversation, { params: { contact } })
    expect(body.unreadCount).toBe(1)
    await react()
    const [only, ...rest] = await messagesOf(contact)
    expect([only?.parts.reactions, rest]).toEqual([undefined, []])
  })

  it('of staff is sent and removed, and neither pauses the bot nor takes the conversation', async () => {
    const { contact, messageId, wamid } = await writes()
    const { body: sent } = await reply(contact, { reaction: { messageId, emoji: '🙏' } })
    await until('the reaction', async () => sentBodies().length === 1)
    expect(sentBodies()[0]).toMatchObject({ type: 'reaction', reaction: { message_id: wamid, emoji: '🙏' } })
    expect(sent.type).toBe('reaction')
    expect((await messagesOf(contact))[0]?.parts.reactions).toEqual([{ emoji: '🙏', isOwn: true }])
    await reply(contact, { reaction: { messageId, emoji: null } })
    await until('the removal', async () => sentBodies().length === 2)
    expect(sentBodies()[1]).toMatchObject({ reaction: { message_id: wamid, emoji: '' } })
    expect((await messagesOf(contact))[0]?.parts.reactions).toBeUndefined()
    const { body } = await boss.call(api.getConversation, { params: { contact } })
    expect([body.pausedUntil, body.assignedTo]).toEqual([null, null])
  })
})

describe('a reply from the shop’s own phone', () => {
  const echo = (phone: string, more: object = {}, id = `wamid.echo.${(made += 1)}`) =>
    callAsMeta(
      shop,
      call(
        change(
          {
            message_echoes: [
              {
                from: '97317000000',
                to: phone.slice(1),
                id,
                timestamp: String(Math.floor(Date.now() / 1000)),
                type: 'text',
                text: { body: 'وصل السائق' },
                ...more,
              },
            ],
          },
          'smb_message_echoes',
        ),
      ),
    )

  it('appears as such once, pauses the bot and leaves nothing unread', async () => {
    const { contact, phone } = await writes()
    await echo(phone, {}, 'wamid.echo.once')
    await echo(phone, {}, 'wamid.echo.once')
    const shown = await until('the echo', async () => {
      const items = await messagesOf(contact)
      return items.length === 2 && items
    })
    expect(shown[0]).toMatchObject({
      direction: 'outgoing',
      text: 'وصل السائق',
      status: 'sent',
      by: { type: 'phone', user: null },
      mayRetry: false,
    })
    const { body } = await boss.call(api.getConversation, { params: { contact } })
    expect([body.pausedUntil !== null, body.unreadCount, body.waitingSince]).toEqual([true, 0, null])
  })

  it('that is a reaction stands on its message, and the customer still waits', async () => {
    const { contact, phone, wamid } = await writes()
    await runJobTransaction(shop.app.pool, (ctx) => requestHandoff(ctx, Number(contact), 'asked'))
    await echo(phone, { type: 'reaction', text: undefined, reaction: { message_id: wamid, emoji: '👍' } })
    const shown = await until('the reaction', async () => {
      const items = await messagesOf(contact)
      return items[0]?.parts.reactions && items
    })
    expect(shown).toHaveLength(1)
    expect(shown[0]?.parts.reactions).toEqual([{ emoji: '👍', isOwn: true }])
    const { body } = await boss.call(api.getConversation, { params: { contact } })
    expect([body.pausedUntil, body.waitingSince]).toEqual([null, expect.any(String)])
  })

  it('that is edited or deleted there changes the message, in any order of arrival', async () => {
    const { contact, phone } = await writes()
    const latest = async (text: string, type = 'text') =>
      until(`the ${type} ${text}`, async () => {
        const [last, ...others] = await messagesOf(contact)
        return others.length === 1 && last?.text === text && last.type === type
      })
    const edit = (body: string) => ({
      type: 'edit',
      text: undefined,
      edit: { original_message_id: 'wamid.echo.typo', message: { type: 'text', text: { body } } },
    })
    await echo(phone, edit('at five'), 'wamid.echo.early')
    await until('the early edit', async () => (await shop.query('select 1 from early_message_changes')).length === 1)
    await echo(phone, {}, 'wamid.echo.typo')
    await latest('at five')
    await echo(phone, { ...edit('at six'), timestamp: String(Math.floor(Date.now() / 1000) + 9) })
    await latest('at six')
    await echo(phone, { type: 'revoke', text: undefined, revoke: { original_message_id: 'wamid.echo.typo' } })
    await latest('', 'revoked')
    const events = await shop.query('select raw_payload from whatsapp_webhook_events where recipient_phone = $1', [
      phone,
    ])
    expect(JSON.stringify(events)).not.toMatch(/at five|at six|وصل السائق/)
  })

  it('cannot be deleted by the customer', async () => {
    const { contact, phone } = await writes()
    await echo(phone, {}, 'wamid.echo.kept')
    await until('the echo', async () => (await messagesOf(contact)).length === 2)
    await runJobTransaction(shop.app.pool, (ctx) =>
      changeMessage(ctx, {
        providerId: 'wamid.echo.forged',
        originalId: 'wamid.echo.kept',
        direction: 'incoming',
        customer: { phone, businessScopedId: null, name: null },
        at: new Date(),
        content: null,
      }),
    )
    expect((await messagesOf(contact))[0]).toMatchObject({ type: 'text', text: 'وصل السائق' })
  })

  it('loads its picture and starts a conversation with a new number', async () => {
    const phone = newPhone()
    meta.files.set('echo-picture', { bytes: await picture(), mimeType: 'image/png' })
    await echo(phone, { type: 'image', image: { id: 'echo-picture', mime_type: 'image/png', caption: 'Here' } })
    const shown = await until('the picture', async () => {
      const [row] = await shop.query<{ id: number }>('select id from contacts where phone = $1', [phone])
      const [message] = row ? await messagesOf(String(row.id)) : []
      return message?.parts.picture && message
    })
    expect(shown).toMatchObject({ type: 'image', text: 'Here', parts: { picture: { width: 40 } } })
  })

  it('of yesterday, delivered late, is shown and pauses nothing', async () => {
    const { contact, phone } = await writes()
    await echo(phone, { timestamp: String(Math.floor(Date.now() / 1000) - 9 * 3600) })
    await until('the echo', async () => (await messagesOf(contact)).length === 2)
    expect((await boss.call(api.getConversation, { params: { contact } })).body.pausedUntil).toBeNull()
  })
})
