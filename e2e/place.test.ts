import { expect, type Page } from '@playwright/test'
import { query } from './shop/database.ts'
import type { Shop } from './shop/pages.ts'
import { newPhone, removeSession, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { test } from './shop/test.ts'

/** A signed-in customer with a cart of one vendor, on the checkout page. */
async function atCheckout(page: Page, shop: Shop, productId: number, quantity: number) {
  await signInCustomerByCalls(page, newPhone())
  const added = await page.request.post('/api/cart/add', { data: { productId, quantity } })
  expect(added.status()).toBe(200)
  await shop.open('/checkout')
}

const firstOf = async (page: Page, vendorId: number, at = 0) => {
  const answer = await page.request.get(`/api/products?vendorId=${vendorId}`)
  const products: { id: number; price: number }[] = await answer.json()
  const product = products[at]
  if (!product) throw new Error(`Vendor ${vendorId} has too few products`)
  return product
}
const ordersOf = async (page: Page) => {
  const answer: { total: number; items: { total: number }[] } = await (
    await page.request.get('/api/auth/orders')
  ).json()
  return answer
}
const here = { block: '428', road: '1', building: '2', name: 'ليلى أحمد' }

test("a place outside the vendor's areas shows a notice with other vendors", async ({ page, shop, t }) => {
  const [vendor, other, area] = [await shop.named.vendor(7), await shop.named.vendor(1), await shop.named.area('seef')]
  await atCheckout(page, shop, (await firstOf(page, 7)).id, 10)
  await shop.chooseArea(area.name)
  const alert = page.getByRole('alert').filter({ hasText: t('checkout.coverage.refusesTitle', { area: area.name }) })
  await expect(alert).toContainText(t('checkout.coverage.refuses', { vendor: vendor.name, area: area.name }))
  await expect(alert.getByRole('link', { name: other.name })).toBeVisible()
  await expect(shop.place).toHaveAttribute('aria-disabled', 'true')
  await alert.getByRole('link', { name: other.name }).click()
  await expect(page).toHaveURL(/vendor=1/)
  await expect(shop.cart).toBeVisible()
})

test('the sea is outside the service area, and 0,0 is refused', async ({ page, context, shop, watch, t }) => {
  watch.allow(/404.*areas\/coordinates/)
  await atCheckout(page, shop, 6, 7)
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 26.4, longitude: 50.75, accuracy: 10 })
  await shop.button(t('map.locate')).click()
  await expect(page.getByRole('alert').filter({ hasText: t('checkout.coverage.outsideText') })).toBeVisible()
  await expect(shop.place).toHaveAttribute('aria-disabled', 'true')
})

test('a denied or inaccurate location shows an explanation', async ({ page, context, shop, t }) => {
  await atCheckout(page, shop, 6, 7)
  await shop.button(t('map.locate')).click()
  await expect(shop.toast.filter({ hasText: t('map.locate.denied') })).toBeVisible()
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 26.2378, longitude: 50.5402, accuracy: 2000 })
  await page.getByRole('button', { name: t('map.locate') }).click()
  await expect(shop.toast.filter({ hasText: t('map.locate.rough') })).toBeVisible()
})

test('a price increase must be confirmed before the order is placed @english @core', async ({
  page,
  shop,
  watch,
  t,
  lang,
}) => {
  watch.allow(/409.*\/api\/orders/)
  const product = await firstOf(page, 8, lang === 'ar' ? 0 : 1)
  const quantity = Math.ceil(9 / product.price)
  await atCheckout(page, shop, product.id, quantity)
  await shop.chooseArea((await shop.named.area('muharraq')).name)
  await shop.fillAddress(here)
  await query('update products set price = price + 100 where id = $1', [product.id])
  await expect
    .poll(async () => (await (await page.request.get(`/api/products/${product.id}`)).json()).price)
    .toBeGreaterThan(product.price)
  await shop.place.click()
  const dialog = page.getByRole('dialog', { name: t('checkout.price.title') })
  await expect(dialog).toContainText(shop.money(product.price))
  await expect(dialog).toContainText(shop.money(product.price + 0.1))
  expect((await ordersOf(page)).total).toBe(0)
  await shop.button(t('checkout.price.refuse')).click()
  await expect(dialog).toHaveCount(0)
  await expect(shop.place).toContainText(shop.money((product.price + 0.1) * quantity + 0.8))
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)
  expect((await ordersOf(page)).total).toBe(1)
})

test('after a network failure the button works again, and one order is placed @core', async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  watch.allowOffline()
  await atCheckout(page, shop, 6, 7)
  await shop.chooseArea((await shop.named.area('seef')).name)
  await shop.fillAddress(here)
  await expect(shop.place).not.toHaveAttribute('aria-disabled')

  await context.setOffline(true)
  await shop.place.click()
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: t('checkout.error.offlineText') })
      .first(),
  ).toBeVisible()
  await context.setOffline(false)

  const keys: (string | undefined)[] = []
  await page.route('**/api/orders', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    // The server places it; the answer never arrives.
    await route.fetch()
    return route.abort()
  })
  await shop.place.click()
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: t('checkout.error.unknownText') })
      .first(),
  ).toBeVisible()
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(keys[1]).toBe(keys[0])
  expect((await ordersOf(page)).total).toBe(1)
})

test('without map tiles Bahrain is drawn from local data', async ({ page, shop, t }) => {
  await atCheckout(page, shop, 6, 7)
  const map = page.getByRole('application', { name: t('map.label') })
  await expect(map.locator('path.map-land').first()).toBeVisible()
  await expect(map.locator('img')).toHaveCount(0)
  await expect(page.getByText(t('map.attribution'))).toHaveCount(0)
})

test('field errors are shown at the fields, keep the input and take the focus @english', async ({ page, shop, t }) => {
  await atCheckout(page, shop, 6, 7)
  await shop.chooseArea((await shop.named.area('seef')).name)
  await shop.fillAddress({ block: '', road: '', building: '9', name: 'ab' })
  await shop.place.click()
  await expect(shop.field(t('checkout.block'))).toBeFocused()
  await expect(shop.field(t('checkout.block'))).toHaveAttribute('aria-invalid', 'true')
  await expect(shop.road).toHaveAttribute('aria-invalid', 'true')
  await expect(shop.field(t('checkout.name'))).toHaveAttribute('aria-invalid', 'true')
  await expect(shop.field(t('checkout.building'))).toHaveValue('9')
  await expect(shop.field(t('checkout.name'))).toHaveValue('ab')
})

test('no block is offered without imported blocks; an unusual one is pointed out and kept', async ({
  page,
  context,
  shop,
  t,
}) => {
  await atCheckout(page, shop, 6, 7)
  const [vendor, seef] = [await shop.named.vendor(1), await shop.named.area('seef')]
  const block = shop.field(t('checkout.block'))
  await page.getByRole('combobox', { name: t('map.search') }).fill('428')
  await page.getByRole('combobox', { name: t('map.search') }).press('Enter')
  await expect(page.getByText(t('map.noResults'))).toBeVisible()

  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 26.2378, longitude: 50.5402, accuracy: 10 })
  const looked = page.waitForResponse((answer) => answer.url().includes('/api/geocode/reverse'))
  await shop.button(t('map.locate')).click()
  expect(await (await looked).json()).toEqual([expect.objectContaining({ address: seef.name, block: null })])
  await shop.areaFound(vendor.name, seef.name)
  await expect(block).toHaveValue('')

  await shop.fillAddress({ ...here, block: '338' })
  await expect(page.getByText(t('checkout.block.hundreds', { area: seef.name, hundreds: '4' }))).toBeVisible()
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)
  const order = await (await page.request.get(`/api/orders/${shop.orderId()}`)).json()
  expect(order.addressParts).toEqual({ block: '338', road: '1', building: '2' })
})

test('an imported block is known from the pin and found by its number', async ({ page, context, shop, lang, t }) => {
  const vendor = await shop.named.vendor(1)
  const area = await shop.named.area('sakhir')
  // Unlike real numbers, and away from the places of other journeys, which run at the same time.
  const number = (lang === 'ar' ? 8000 : 9000) + (Date.now() % 900)
  const [west, south] = [lang === 'ar' ? 50.51 : 50.516, 26.033]
  const side = 0.002
  const ring = [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ]
  const geometry = { type: 'Polygon', coordinates: [ring] }
  const features = [
    { type: 'Feature', properties: { number }, geometry },
    { type: 'Feature', properties: { number: 7 }, geometry },
  ]
  const buffer = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))
  try {
    await signInToAdmin(page, '+97336000001', '/admin/blocks')
    await shop.button(t('admin.blocks.import')).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('admin.blocks.source'), { exact: true }).fill('Survey and Land Registration Bureau')
    await dialog.getByLabel(t('admin.blocks.date'), { exact: true }).fill('2026-01-31')
    const file = { name: 'blocks.geojson', mimeType: 'application/geo+json', buffer }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await expect(dialog).toContainText(t('admin.areas.import.counts', { created: 1, updated: 0, failed: 1 }))
    await expect(dialog).toContainText(t('validation.block'))
    await shop.button(t('admin.blocks.import.take', { count: 1 }), dialog).click()
    await expect(shop.toast.filter({ hasText: t('admin.areas.import.done', { created: 1, updated: 0 }) })).toBeVisible()
    await page.goto(`/admin/blocks?q=${number}`)
    await expect(page.locator('#main')).toContainText(area.name)

    await removeSession(page)
    await atCheckout(page, shop, 6, 7)
    const search = page.getByRole('combobox', { name: t('map.search') })
    const block = shop.field(t('checkout.block'))
    await search.fill(String(number))
    await search.press('Enter')
    await page.getByRole('option', { name: new RegExp(String(number)) }).click()
    await shop.areaFound(vendor.name, area.name)
    await expect(block).toHaveValue(String(number))

    // The centre of an area is nobody's address.
    await shop.chooseArea(area.name)
    await expect(block).toHaveValue('')

    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ latitude: south + side / 2, longitude: west + side / 2, accuracy: 10 })
    await page.getByRole('button', { name: t('map.locate') }).click()
    await expect(block).toHaveValue(String(number))
    await shop.fillAddress({ ...here, block: '1054' })
    await expect(page.getByText(t('checkout.block.pin', { block: String(number) }))).toBeVisible()

    await signInToAdmin(page, '+97336000001', `/admin/blocks?q=${number}`)
    await shop.button(t('admin.blocks.removeTitle', { number: String(number) })).click()
    await shop.button(t('admin.blocks.remove'), page.getByRole('dialog')).click()
    await expect(page.getByText(t('admin.blocks.none'))).toBeVisible()
  } finally {
    await query('delete from blocks where number = $1', [number])
  }
})

test('a cart below the minimum or empty cannot reach the checkout', async ({ page, shop }) => {
  await signInCustomerByCalls(page, newPhone())
  await shop.open('/checkout')
  await expect(page).toHaveURL((url) => url.pathname === '/')
})
