import type { Locator, Page } from '@playwright/test'
import { costOf } from './shop/catalogue.ts'
import { codeFor, newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

test('a first-time visitor orders, cancels and finds the order again @wide @core @both', async ({
  page,
  context,
  shop,
  t,
}) => {
  const [vendor, gallon] = [await shop.named.vendor(1), await shop.named.product(6)]
  await shop.open('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('catalogue.promise'))
  await shop.link(`${t('catalogue.allProducts')}: ${vendor.name}`).click()
  await expect(page).toHaveURL(/vendor=1/)

  await shop.add(6, 2)
  await shop.openCart()
  await expect(shop.cart.getByText(shop.money(gallon.price * 2)).first()).toBeVisible()
  const missing = shop.money(5 - gallon.price * 2)
  const notice = t('cart.minimumOf', { amount: missing, vendor: vendor.name, minimum: shop.money(5) })
  await expect(shop.cart.getByText(notice)).toBeVisible()
  await expect(shop.button(t('cart.minimumAdd', { amount: missing }), shop.cart)).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  const more = shop.cart.getByRole('button', { name: t('ui.increase') })
  for (let times = 0; times < 5; times += 1) await more.click()
  await expect(shop.cart.getByText(notice)).toHaveCount(0)
  await shop.button(t('cart.checkout'), shop.cart).click()

  await expect(page).toHaveURL(/\/login\?.*redirect/)
  await shop.signIn(newPhone())
  await expect(page).toHaveURL(/\/checkout$/)
  await expect(page.getByText(t('checkout.coverage.idle'))).toBeVisible()
  await expect(shop.place).toHaveAttribute('aria-disabled', 'true')

  await test.step('the place, by search', async () => {
    const { name } = await shop.named.area('adliya')
    await page.getByRole('combobox').fill(name)
    await page.getByRole('option').first().click()
    await shop.areaFound(vendor.name, name)
  })
  await test.step('the place, by my location', async () => {
    const { name } = await shop.named.area('seef')
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ latitude: 26.2378, longitude: 50.5402, accuracy: 20 })
    await shop.button(t('map.locate')).click()
    await shop.areaFound(vendor.name, name)
  })
  await test.step('the place, by the list of areas', async () => {
    const { name } = await shop.named.area('muharraq')
    await shop.chooseArea(name)
    await shop.areaFound(vendor.name, name)
  })
  await test.step('the place, by a tap on the map', async () => {
    const asked = page.waitForResponse((answer) => answer.url().includes('/api/areas/coordinates'))
    await shop.tapMap(-20, 15)
    expect((await asked).status()).toBe(200)
    await expect(page.locator('.leaflet-marker-draggable')).toBeVisible()
  })
  await test.step('the place, by its name again', async () => {
    const { name } = await shop.named.area('seef')
    await shop.chooseArea(name)
    await shop.areaFound(vendor.name, name)
  })

  await shop.place.click()
  await expect(page.getByText(t('checkout.error.road'))).toBeVisible()
  await expect(page.getByText(t('checkout.error.building'))).toBeVisible()
  await shop.fillAddress({ block: '428', road: '2831', building: '1172', name: 'نورة O’Brien' })
  await expect(page.getByText(t('checkout.error.road'))).toHaveCount(0)
  await expect(shop.place).toContainText(shop.money(costOf(gallon, 7)))
  await shop.place.click()

  await page.waitForURL(/\/checkout\/success\//)
  await expect(shop.placed).toBeVisible()
  const id = shop.orderId()
  expect(id).toMatch(/^[A-Z0-9]{16}$/)
  await page.reload()
  await expect(shop.placed).toBeVisible()
  await shop.link(t('success.view')).click()
  await expect(page).toHaveURL(new RegExp(`/orders/${id}`))
  await expect(page.getByRole('timer')).toContainText(/5\d:\d\d|60:00/)

  await shop.button(t('order.cancel')).click()
  await expect(shop.button(t('order.cancelKeep'))).toBeFocused()
  await shop.button(t('order.cancelKeep')).click()
  await expect(shop.button(t('order.cancel'))).toBeFocused()
  await shop.button(t('order.cancel')).click()
  await shop.button(t('order.cancelDo')).click()
  await expect(page.getByRole('heading', { level: 1, name: t('order.cancelled') })).toBeVisible()
  await expect(shop.button(t('order.cancel'))).toHaveCount(0)

  await page
    .locator('a[href^="/orders"]')
    .filter({ visible: true, hasText: t('order.title') })
    .first()
    .click()
  const row = page.getByRole('article').first()
  await expect(row.getByText(t('orders.status.cancelled'))).toBeVisible()
  await expect(row).toContainText(shop.money(costOf(gallon, 7)))
  await expect(row).toContainText(t('unit.gallon', { count: 7 }))
  await row.getByText(t('orders.view')).click()
  await expect(page.getByText('2831')).toBeVisible()
})

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, wanted: Locator, most = 160) {
  for (let times = 0; times < most; times += 1) {
    if (await wanted.evaluateAll((all) => all.some((one) => one === document.activeElement))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${wanted}`)
}

test('an order can be placed by keyboard alone @wide @core', async ({ page, shop, t }) => {
  const phone = newPhone()
  const { keyboard } = page
  const [vendor, area] = [await shop.named.vendor(7), await shop.named.area('muharraq')]
  await shop.open('/')
  await keyboard.press('Tab')
  await expect(shop.link(t('shell.skip'))).toBeFocused()
  await keyboard.press('Enter')
  await tabTo(page, shop.link(vendor.name))
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/vendor=7/)

  const first = page.getByRole('article').first()
  await tabTo(page, first.getByRole('group').getByRole('button'))
  await keyboard.press('ArrowUp')
  await keyboard.press('ArrowUp')
  await expect(first.getByRole('status')).toHaveText('2')
  await expect(first.getByRole('group').locator(':focus')).toHaveCount(1)
  for (let times = 0; times < 6; times += 1) await keyboard.press('ArrowUp')
  await expect(first.getByRole('status')).toHaveText('8')

  if (shop.isPhone) {
    await tabTo(page, shop.expandCart)
    await keyboard.press('Enter')
    await expect(shop.button(t('cart.checkout'), shop.cart)).toBeVisible()
  }
  await tabTo(page, shop.button(t('cart.checkout'), shop.cart))
  await keyboard.press('Enter')

  await page.waitForURL(/\/login/)
  await expect(page.getByLabel(t('login.phone'))).toBeFocused()
  await keyboard.type(phone.replace('+973', ''))
  await keyboard.press('Enter')
  await expect(page.getByLabel(t('login.code'), { exact: true })).toBeFocused()
  await keyboard.type(await codeFor(page.request, phone))
  await page.waitForURL(/\/checkout$/)

  const map = page.getByRole('application', { name: t('map.label') })
  await expect(map).toBeVisible()
  await tabTo(page, shop.button(t('checkout.areas.open')))
  await keyboard.press('Enter')
  await expect(page.getByLabel(t('area.search'))).toBeFocused()
  await keyboard.type(area.name)
  await expect(page.getByRole('button', { name: new RegExp(`^${area.name}`) }).first()).toBeVisible()
  await keyboard.press('Enter')
  await shop.areaFound(vendor.name, area.name)
  await expect(shop.button(t('checkout.areas.open'))).toBeFocused()

  await tabTo(page, shop.field(t('checkout.block')))
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('205')
  await tabTo(page, shop.road)
  await keyboard.type('٥١٢')
  await tabTo(page, shop.field(t('checkout.building')))
  await keyboard.type('12')
  await tabTo(page, shop.field(t('checkout.name')))
  await keyboard.type('علي')
  await keyboard.press('Enter')
  await page.waitForURL(/\/checkout\/success\//)
  await expect(shop.placed).toBeVisible()
  await expect(page.locator('#main')).toBeFocused()
  await tabTo(page, shop.link(t('success.view')))
  await keyboard.press('Enter')
  await expect(page.getByText('512')).toBeVisible()
})

test('the pin moves by the arrow keys', async ({ page, shop, t }) => {
  const area = await shop.named.area('seef')
  await signInCustomerByCalls(page, newPhone())
  await shop.open('/?vendor=1')
  await shop.add(13, 2)
  await shop.goToCheckout()
  await shop.chooseArea(area.name)
  await shop.areaFound((await shop.named.vendor(1)).name, area.name)
  const map = page.getByRole('application', { name: t('map.label') })
  await map.focus()
  const asked = page.waitForRequest((one) => one.url().includes('/api/areas/coordinates'))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[aria-live=polite]').filter({ hasText: /\d+/ }).first()).toBeAttached()
  const moved = new URL((await asked).url()).searchParams
  expect(Number(moved.get('lng'))).toBeGreaterThan(50.5385)
})
