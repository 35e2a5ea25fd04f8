import { createProduct, updateProduct, uploadPicture } from '@qatra/contract/products/admin'
import { bulkProducts } from '@qatra/contract/products/bulk'
import { eraseAccount } from '@qatra/contract/users/auth'
import { updateVendor } from '@qatra/contract/vendors/admin'
import { getMessageFile } from '@qatra/contract/whatsapp/inbox/files'
import { getMessagePicture } from '@qatra/contract/whatsapp/inbox/inbox'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { inTransaction, runJobTransaction } from '../database/transaction.ts'
import { storeMessageFile } from '../inbox/files.commands.ts'
import { deleteOldRows } from '../jobs/retention.ts'
import { startShop } from '../test/app.ts'
import { item } from '../test/fixtures/bulk.ts'
import { until } from '../test/fixtures/codes.ts'
import { fileForm } from '../test/fixtures/form.ts'
import { makeOrder, makeVisitor } from '../test/fixtures/make.ts'
import { lockWaits } from '../test/lock-waits.ts'
import { conversationIn } from '../test/matrix/inbox.ts'
import { repeated } from '../test/sample.ts'
import { claimRemotePicture, type NewMedia, storeMedia } from './commands.ts'
import { reencodePicture } from './picture.ts'

const shop = await startShop({ databasePoolSize: 10, hasBot: false })
const boss = await shop.visitor().signInAs('+97336000001')
const admin = await shop.visitor().signInAs('+97336000002')

let shade = 0
/** A picture that no other test uses, as a person sends it. */
const photo = () =>
  sharp({ create: { width: 40 + (shade += 1), height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
async function encoded(bytes: Buffer): Promise<NewMedia> {
  const picture = await reencodePicture(bytes)
  if (typeof picture === 'string') throw new Error(picture)
  return picture
}
const voice = (): NewMedia => ({ bytes: Buffer.from(`OggS ${(shade += 1)}`), mimeType: 'audio/ogg' })

interface Sent {
  contact: number
  message: number
}
async function messageOf(contact: number): Promise<number> {
  const [row] = await shop.query<{ id: number }>(
    `insert into whatsapp_messages (contact_id, direction, channel, message_type, status, payload)
     values ($1, 'incoming', 'whatsapp', 'document', 'received', '{"mediaId":"m"}') returning id`,
    [contact],
  )
  return row?.id ?? 0
}
/** A customer's message with the file. */
async function sends(file: NewMedia): Promise<Sent> {
  const contact = Number((await conversationIn(shop)).contact)
  const message = await messageOf(contact)
  await runJobTransaction(shop.app.pool, (ctx) => storeMessageFile(ctx, message, file))
  return { contact, message }
}
const erase = ({ contact }: Pick<Sent, 'contact'>) => shop.query('delete from contacts where id = $1', [contact])
const statusOf = async (path: string, { message }: Sent, who = boss) =>
  (await who.send('GET', path.replace('{id}', String(message)))).status
const pictureStatus = (sent: Sent, who = boss) => statusOf(getMessagePicture.path, sent, who)
const fileStatus = (sent: Sent, who = boss) => statusOf(getMessageFile.path, sent, who)
const publicStatus = async (sha256: string, method: 'GET' | 'HEAD' = 'GET') =>
  (await shop.app.http.inject({ method, url: `/media/${sha256}` })).statusCode
const hashOf = async ({ message }: Sent) => {
  const [row] = await shop.query<{ sha256: string }>('select sha256 from message_files where message_id = $1', [
    message,
  ])
  return row?.sha256 ?? ''
}
const isStored = async (sha256: string) =>
  (await shop.query('select from media where sha256 = $1', [sha256])).length === 1

async function upload(bytes: Buffer): Promise<string> {
  const { raw, headers } = fileForm('a.png', bytes, { field: 'picture', type: 'image/png' })
  const { body } = await admin.send('POST', uploadPicture.path, { raw, headers })
  return (body as { url: string }).url
}
let named = 0
async function productWith(imageUrl: string): Promise<string> {
  const body = { name: `Shared picture ${(named += 1)}`, price: 1, size: '1L', imageUrl }
  return String((await admin.call(createProduct, { body })).body.id)
}
const purgeMedia = () => deleteOldRows(shop.app, ({ table }) => table === 'media')
/** Runs the purge a month after everything was last used. */
async function purgeLater() {
  await shop.query(`update media set public_until = public_until - interval '1 month'`)
  await purgeMedia()
}

describe('the file of a customer', () => {
  it('is never served at /media by its hash, whatever its type', async () => {
    for (const file of [await encoded(await photo()), voice()]) {
      const sha256 = await hashOf(await sends(file))
      expect(await isStored(sha256)).toBe(true)
      for (const method of ['GET', 'HEAD'] as const) expect(await publicStatus(sha256, method)).toBe(404)
    }
  })

  it('cannot be made public unless it is a re-encoded picture', async () => {
    await expect(storeMedia(shop.app.db, voice(), 'public')).rejects.toThrow()
  })

  it('with the bytes of a product picture is stored once; each stays with those who may see it', async () => {
    const bytes = await photo()
    const sent = await sends(await encoded(bytes))
    const sha256 = await hashOf(sent)
    expect(await publicStatus(sha256)).toBe(404)
    expect(await upload(bytes)).toBe(`/media/${sha256}`)
    expect(await publicStatus(sha256)).toBe(200)
    // The picture is public, the message still is not.
    expect([await pictureStatus(sent), await pictureStatus(sent, admin)]).toEqual([200, 403])
    expect(await pictureStatus(sent, shop.visitor())).toBe(401)
    expect(await shop.query('select from media where sha256 = $1', [sha256])).toHaveLength(1)
  })

  it('stays public as a product picture when the customer sends the same bytes later', async () => {
    const bytes = await photo()
    const url = await upload(bytes)
    await productWith(url)
    const sent = await sends(await encoded(bytes))
    expect(`/media/${await hashOf(sent)}`).toBe(url)
    await erase(sent)
    expect(await pictureStatus(sent)).toBe(404)
    expect(await publicStatus(url.slice(7))).toBe(200)
  })

  it('is served to its message, not to other messages', async () => {
    const [picture, sound] = [await sends(await encoded(await photo())), await sends(voice())]
    expect([await pictureStatus(picture), await fileStatus(picture)]).toEqual([200, 404])
    expect([await pictureStatus(sound), await fileStatus(sound)]).toEqual([404, 200])
  })
})

describe('two messages with the same bytes', () => {
  it('share one row, which survives the erasure of one and vanishes with the last', async () => {
    const file = voice()
    const [first, second] = [await sends(file), await sends(file)]
    const sha256 = await hashOf(first)
    expect(await hashOf(second)).toBe(sha256)
    await erase(first)
    expect([await isStored(sha256), await fileStatus(first), await fileStatus(second)]).toEqual([true, 404, 200])
    await erase(second)
    expect([await isStored(sha256), await fileStatus(second)]).toEqual([false, 404])
  })

  it('of a person who erases the account vanish with it, unless somebody else sent them, too', async () => {
    const customer = await makeVisitor(shop)
    const [shared, own] = [voice(), voice()]
    const other = await sends(shared)
    const [row] = await shop.query<{ id: number }>('insert into contacts (phone) values ($1) returning id', [
      customer.phone,
    ])
    for (const file of [shared, own]) {
      const message = await messageOf(row?.id ?? 0)
      await runJobTransaction(shop.app.pool, (ctx) => storeMessageFile(ctx, message, file))
    }
    const hashes = await shop.query<{ sha256: string }>(
      `select f.sha256 from message_files f join whatsapp_messages m on m.id = f.message_id where m.contact_id = $1
       order by f.message_id`,
      [row?.id],
    )
    expect((await customer.call(eraseAccount)).status).toBe(200)
    expect(await Promise.all(hashes.map(({ sha256 }) => isStored(sha256)))).toEqual([true, false])
    expect(await fileStatus(other)).toBe(200)
  })

  it('erased at the same time leave nothing behind', async () => {
    for (let round = 0; round < repeated(10, 4); round += 1) {
      const files = [voice(), voice()] as const
      const [one, two] = [await sends(files[0]), await sends(files[1])]
      // Each contact has both files, in the opposite order.
      for (const [{ contact }, file] of [
        [one, files[1]],
        [two, files[0]],
      ] as const) {
        const message = await messageOf(contact)
        await runJobTransaction(shop.app.pool, (ctx) => storeMessageFile(ctx, message, file))
      }
      const hashes = [await hashOf(one), await hashOf(two)]
      await Promise.all(
        [one, two].map(({ contact }) =>
          inTransaction(shop.app.pool, async (db) => {
            await db.execute(`delete from contacts where id = ${contact}`)
          }),
        ),
      )
      expect(await Promise.all(hashes.map(isStored))).toEqual([false, false])
    }
  })

  it('one erased while the other is stored: the other keeps its file', async () => {
    for (let round = 0; round < repeated(20, 6); round += 1) {
      const file = voice()
      const first = await sends(file)
      const contact = Number((await conversationIn(shop)).contact)
      const message = await messageOf(contact)
      await Promise.all([erase(first), runJobTransaction(shop.app.pool, (ctx) => storeMessageFile(ctx, message, file))])
      expect(await fileStatus({ contact, message })).toBe(200)
    }
  })
})

describe('the purge of public pictures', () => {
  it('keeps pictures of products, vendors and orders, and deletes others after a week', async () => {
    const urls = await Promise.all([1, 2, 3, 4].map(async () => upload(await photo())))
    const [ofProduct = '', ofVendor = '', ofOrder = '', unused = ''] = urls
    await productWith(ofProduct)
    await shop.query('update vendors set logo_url = $1 where id = 2', [ofVendor])
    const customer = await makeVisitor(shop)
    const order = await makeOrder(shop, { userId: customer.id, vendorId: 1 })
    await shop.query('update order_items set image_url = $2 where order_id = $1', [order, ofOrder])
    await purgeMedia()
    expect(await Promise.all(urls.map((url) => publicStatus(url.slice(7))))).toEqual([200, 200, 200, 200])
    await purgeLater()
    expect(await Promise.all(urls.map((url) => publicStatus(url.slice(7))))).toEqual([200, 200, 200, 404])
    expect(await isStored(unused.slice(7))).toBe(false)
  })

  it('makes a picture private again that a customer sent, too', async () => {
    const bytes = await photo()
    const sent = await sends(await encoded(bytes))
    const url = await upload(bytes)
    const product = await productWith(url)
    await purgeLater()
    expect(await publicStatus(url.slice(7))).toBe(200)
    await admin.call(updateProduct, { params: { id: product }, body: { imageUrl: '' } })
    await purgeLater()
    expect([await publicStatus(url.slice(7)), await pictureStatus(sent)]).toEqual([404, 200])
    await erase(sent)
    expect(await isStored(url.slice(7))).toBe(false)
  })

  it('removes the fetched address of a deleted picture, so that it is fetched again', async () => {
    const sha256 = await storeMedia(shop.app.db, await encoded(await photo()), 'public')
    const address = 'https://pictures.example/purged.png'
    await shop.query(`insert into remote_pictures (url, status, sha256) values ($1, 'fetched', $2)`, [address, sha256])
    await purgeLater()
    expect(await isStored(sha256)).toBe(false)
    expect(await shop.query('select from remote_pictures where url = $1', [address])).toEqual([])
  })

  it('deletes private files without a message', async () => {
    const sha256 = await storeMedia(shop.app.db, voice(), 'private')
    await purgeMedia()
    expect(await isStored(sha256)).toBe(false)
  })
})

describe('a picture that a product shows while it is purged', () => {
  const expired = async () => {
    const url = await upload(await photo())
    await shop.query(`update media set public_until = public_until - interval '1 month' where sha256 = $1`, [
      url.slice(7),
    ])
    return url
  }
  const newProduct = (imageUrl: string) =>
    admin.call(createProduct, { body: { name: `Shared picture ${(named += 1)}`, price: 1, size: '1L', imageUrl } })
  /** Does `work` while another transaction holds what `sql` locks, `meanwhile` when that waits; then commits `sql`. */
  async function during<T>(sql: string, work: () => Promise<T>, meanwhile = async () => {}): Promise<T> {
    const holder = await shop.app.pool.connect()
    await holder.query('begin')
    await holder.query(sql)
    let isDone = false
    const done = work().finally(() => {
      isDone = true
    })
    await until('the work to wait or to end', async () => isDone || (await lockWaits(shop)) > 0)
    await meanwhile()
    await holder.query('commit')
    holder.release()
    return done
  }

  it('is kept if the product is saved first', async () => {
    const url = await expired()
    // The history is locked, so the product is written and not yet committed.
    const { status } = await during('lock table product_audit_history in share mode', () => newProduct(url), purgeMedia)
    expect([status, await publicStatus(url.slice(7))]).toEqual([200, 200])
  })

  it('refuses the product or the vendor if the purge is first, and they are not saved', async () => {
    const product = await productWith('')
    const saves = [
      newProduct,
      (imageUrl: string) => admin.call(updateProduct, { params: { id: product }, body: { imageUrl } }),
      (logoUrl: string) => admin.call(updateVendor, { params: { id: '1' }, body: { logoUrl } }),
      (imageUrl: string) => admin.send('POST', bulkProducts.path, { body: { products: [item({ imageUrl })] } }),
    ]
    for (const save of saves) {
      const url = await expired()
      const { status, body } = await during('select purge_media()', () => save(url))
      expect([status, /"(?:imageUrl|logoUrl)"/.test(JSON.stringify(body))]).toEqual([422, true])
      const shown =
        'select image_url from products where image_url = $1 union all select logo_url from vendors where logo_url = $1'
      expect(await shop.query(shown, [url])).toEqual([])
    }
  })

  it('of another site is fetched again if the purge is first', async () => {
    const sha256 = (await expired()).slice(7)
    const address = 'https://pictures.example/raced.png'
    await shop.query(`insert into remote_pictures (url, status, sha256) values ($1, 'fetched', $2)`, [address, sha256])
    const product = await productWith('')
    await during('select purge_media()', async () => {
      await shop.query('update products set image_url = $2 where id = $1', [product, address])
      await claimRemotePicture(shop.app.db)
    })
    const [row] = await shop.query('select image_url from products where id = $1', [product])
    expect([row, await isStored(sha256)]).toEqual([{ image_url: address }, false])
  })
})

describe('a public picture', () => {
  it('is served in ranges, and without bytes for HEAD', async () => {
    const url = await upload(await photo())
    const whole = await shop.app.http.inject({ method: 'GET', url })
    const size = whole.rawPayload.length
    const part = await shop.app.http.inject({ method: 'GET', url, headers: { range: 'bytes=10-19' } })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 10-19/${size}`])
    expect(part.rawPayload.equals(whole.rawPayload.subarray(10, 20))).toBe(true)
    const head = await shop.app.http.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([200, String(size), 0])
  })
})
