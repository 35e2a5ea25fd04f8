import { createServer } from 'node:net'
import type { Page } from '@playwright/test'
import { measured, outside } from './settings.ts'
import type { Shop } from './shop/pages.ts'
import { newPhone, signInCustomerByCalls, specialPhone } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

test.use({ baseURL: measured.origin })

/** From cart to placed order, by the list of areas. */
async function orders(page: Page, shop: Shop) {
  await shop.chooseArea((await shop.named.area('seef')).name)
  await shop.areaFound((await shop.named.vendor(1)).name, (await shop.named.area('seef')).name)
  await shop.fillAddress({ block: '428', road: '2831', building: '1172', name: 'ليلى أحمد' })
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)
  await expect(shop.placed).toBeVisible()
}

async function atCheckout(page: Page, shop: Shop, t: Words, phone = newPhone()) {
  await signInCustomerByCalls(page, phone)
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  await shop.open('/checkout')
  await shop.button(t('consent.refuse')).click()
}

for (const answer of ['404', 'nothing'] as const) {
  test(`without map tiles (${answer}) Bahrain is drawn from local data, and an order can be placed`, async ({
    page,
    context,
    shop,
    watch,
    t,
  }) => {
    watch.allow(/404/, /ERR_FAILED/)
    watch.allowOrigin(outside.tiles)
    const asked: string[] = []
    await context.route(`${outside.tiles}/**`, (route) => {
      asked.push(route.request().url())
      return answer === '404' ? route.fulfill({ status: 404 }) : undefined
    })
    await atCheckout(page, shop, t)
    const map = page.getByRole('application', { name: t('map.label') })
    await expect(map.locator('path.map-land').first()).toBeVisible()
    await expect(map.locator('img.leaflet-tile')).toHaveCount(0)
    await expect(page.getByText(t('map.attribution'))).toHaveCount(0)
    expect(asked.length).toBeGreaterThan(0)
    await orders(page, shop)
  })
}

test('loaded map tiles are shown with their attribution', async ({ page, context, shop, watch, t }) => {
  watch.allowOrigin(outside.tiles)
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await context.route(`${outside.tiles}/**`, (route) => route.fulfill({ contentType: 'image/png', body: dot }))
  await atCheckout(page, shop, t)
  const map = page.getByRole('application', { name: t('map.label') })
  await expect(map.locator('img.leaflet-tile-loaded').first()).toBeAttached()
  await expect(page.getByText(t('map.attribution'))).toBeVisible()
  // Longer than the map's timeout for the first tile.
  await page.waitForTimeout(4500)
  await expect(map.locator('path.map-land')).toHaveCount(0)
})

test('an order is placed while the geocoder hangs and messages stay undelivered', async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  watch.allowOrigin(outside.tiles)
  await context.route(`${outside.tiles}/**`, (route) => route.fulfill({ status: 404 }))
  watch.allow(/404/)
  const silent = createServer().listen(outside.geocoderPort, '127.0.0.1')
  let connections = 0
  silent.on('connection', () => {
    connections += 1
  })
  try {
    // The simulator sends no delivery receipt for numbers with this ending.
    await atCheckout(page, shop, t, specialPhone('9991'))
    // Not in the local place list, so the external geocoder is called.
    await page.getByRole('combobox').fill('zzzqqq street')
    await expect.poll(() => connections).toBeGreaterThan(0)
    await orders(page, shop)
  } finally {
    silent.close()
  }
})
