import { addToCart } from '@qatra/contract/cart/cart'
import { getAdminOrder } from '@qatra/contract/orders/admin'
import { getOrder, listMyOrders } from '@qatra/contract/orders/orders'
import { createProduct, getAdminProduct, retryPicture } from '@qatra/contract/products/admin'
import { getProduct } from '@qatra/contract/products/products'
import { getManagedVendor, updateVendor } from '@qatra/contract/vendors/admin'
import { getVendor } from '@qatra/contract/vendors/vendors'
import { pino } from 'pino'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { SafeFetchAnswer } from '../lib/safe-fetch.ts'
import { showFetchedPictures } from '../products/commands.ts'
import { startShop } from '../test/app.ts'
import { makeOrder, makeVisitor } from '../test/fixtures/make.ts'
import { standInWeb } from '../test/processes/stand-in-web.ts'
import { showFetchedLogos } from '../vendors/admin.commands.ts'
import { fetchPictures } from './jobs.ts'

const shop = await startShop({ role: 'web', tileUrl: 'https://tiles.example/{z}/{x}/{y}.png' }, { web: standInWeb() })
// The shop's own worker would call the internet.
await shop.app.queue.stop()
const admin = await shop.visitor().signInAs('+97336000002')
const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()

let made = 0
let named = 0
const address = () => `https://pictures.example/${(made += 1)}.png`
async function productWith(imageUrl: string) {
  const body = { name: `With a picture ${(named += 1)}`, price: 1, size: '1L', imageUrl }
  const { body: product } = await admin.call(createProduct, { body })
  return product
}

/** Runs the job with a stubbed network; returns the fetched addresses. */
async function run(answers: (url: string) => SafeFetchAnswer) {
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    return answers(url)
  }
  await shop.query(`update remote_pictures set next_attempt_at = now() where status = 'waiting'`)
  await fetchPictures(
    { db: shop.app.db, log: pino({ level: 'silent' }) },
    [showFetchedPictures, showFetchedLogos],
    fetch,
  )
  await shop.catalogue.reload()
  return asked
}

describe('an external picture', () => {
  it('is hidden in the shop until it is fetched, then served from the stored copy, and fetched once', async () => {
    const url = address()
    const first = await productWith(url)
    expect(first).toMatchObject({ imageUrl: url, picture: { state: 'waiting', problem: null } })
    const visitor = shop.visitor()
    const seen = async () => (await visitor.call(getProduct, { params: { id: String(first.id) } })).body.imageUrl
    expect(await seen()).toBeNull()
    expect((await visitor.call(addToCart, { body: { productId: first.id, quantity: 1 } })).body.items).toMatchObject([
      { imageUrl: null },
    ])
    expect(await run(() => ({ bytes: png }))).toContain(url)
    const shown = await seen()
    expect(shown).toMatch(/^\/media\/[0-9a-f]{64}$/)
    const { rawPayload, headers } = await shop.app.http.inject({ method: 'GET', url: shown ?? '' })
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 })
    const second = await productWith(url)
    expect(await run(() => ({ problem: 'unreachable' }))).not.toContain(url)
    expect((await admin.call(getAdminProduct, { params: { id: String(second.id) } })).body).toMatchObject({
      imageUrl: shown,
      picture: null,
    })
  })

  it('is fetched for a vendor’s logo', async () => {
    const url = address()
    const params = { id: '1' }
    await admin.call(updateVendor, { params, body: { logoUrl: url } })
    expect((await shop.visitor().call(getVendor, { params })).body.logoUrl).toBeNull()
    expect((await admin.call(getManagedVendor, { params })).body).toMatchObject({
      logoUrl: url,
      logo: { state: 'waiting' },
    })
    await run(() => ({ bytes: png }))
    expect((await shop.visitor().call(getVendor, { params })).body.logoUrl).toMatch(/^\/media\/[0-9a-f]{64}$/)
  })

  it.each([
    ['at a private address', { problem: 'address' }, 'address'],
    ['that is no picture', { bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }, 'kind'],
    ['that is half a picture', { bytes: png.subarray(0, 60) }, 'broken'],
    ['that is too large', { problem: 'too-large' }, 'too-large'],
  ] as const)('%s fails at once; staff see the problem and can retry', async (_, answer, problem) => {
    const url = address()
    const { id } = await productWith(url)
    await run(() => answer)
    const state = async () => (await admin.call(getAdminProduct, { params: { id: String(id) } })).body
    expect(await state()).toMatchObject({ imageUrl: url, picture: { state: 'failed', problem } })
    expect((await shop.visitor().call(getProduct, { params: { id: String(id) } })).body.imageUrl).toBeNull()
    expect(await run(() => ({ bytes: png }))).not.toContain(url)
    const other = await shop.visitor().signInAs('+97336000012')
    expect((await other.call(retryPicture, { body: { url } })).status).toBe(404)
    expect((await admin.call(retryPicture, { body: { url } })).status).toBe(200)
    await run(() => ({ bytes: png }))
    expect((await state()).imageUrl).toMatch(/^\/media\/[0-9a-f]{64}$/)
  })

  it('stored with an order is shown to neither its customer nor staff', async () => {
    const customer = await makeVisitor(shop)
    const params = { id: await makeOrder(shop, { userId: customer.id, vendorId: 1 }) }
    await shop.query('update orders set vendor_logo = $2 where id = $1', [params.id, address()])
    await shop.query('update order_items set image_url = $2 where order_id = $1', [params.id, address()])
    const seen = { vendorLogo: null, items: [{ imageUrl: null }] }
    expect((await customer.call(getOrder, { params })).body).toMatchObject(seen)
    expect((await customer.call(listMyOrders)).body.items).toMatchObject([seen])
    expect((await admin.call(getAdminOrder, { params })).body).toMatchObject(seen)
  })

  it('on an unreachable server fails after four attempts', async () => {
    const url = address()
    const { id } = await productWith(url)
    const states: unknown[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await run(() => ({ problem: 'unreachable' }))
      states.push((await admin.call(getAdminProduct, { params: { id: String(id) } })).body.picture?.state)
    }
    expect(states).toEqual(['waiting', 'waiting', 'waiting', 'failed'])
  })

  it('that stopped the process four times fails without another attempt', async () => {
    const url = address()
    const { id } = await productWith(url)
    await shop.query('select collect_remote_pictures()')
    await shop.query('update remote_pictures set attempts = 4 where url = $1', [url])
    expect(await run(() => ({ bytes: png }))).not.toContain(url)
    const { picture } = (await admin.call(getAdminProduct, { params: { id: String(id) } })).body
    expect(picture).toEqual({ state: 'failed', problem: 'broken' })
  })
})

describe('pages', () => {
  it('allow images only from this origin and the tile server', async () => {
    const { headers } = await shop.app.http.inject({ method: 'GET', url: '/', headers: { host: 'localhost:3000' } })
    const images = String(headers['content-security-policy'])
      .split('; ')
      .find((part) => part.startsWith('img-src'))
    expect(images).toBe("img-src 'self' data: https://tiles.example")
  })

  it('of the demo data use no external pictures', async () => {
    const rows = await shop.query(
      `select image_url from products where image_url like 'http%' and name not like 'With a picture%'
       union all select logo_url from vendors where logo_url like 'http%'`,
    )
    expect(rows).toEqual([])
  })
})
