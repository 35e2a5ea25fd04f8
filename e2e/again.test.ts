import type { Page } from '@playwright/test'
import { returningCustomer } from './shop/customers.ts'
import type { Shop } from './shop/pages.ts'
import { newPhone } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

/** Counts clicks and their time, including page loads. */
function counting() {
  const started = performance.now()
  let taps = 0
  return {
    async tap(target: { click(): Promise<void> }) {
      taps += 1
      await target.click()
    },
    result: () => ({ taps, seconds: (performance.now() - started) / 1000 }),
  }
}

async function checkOut(page: Page, shop: Shop, t: Words, tap: ReturnType<typeof counting>['tap']) {
  await page.waitForURL((url) => url.pathname === '/')
  // It stays while the pointer is over it.
  await shop.toast.getByText(t('again.done')).hover()
  if (shop.isPhone) await expect(shop.cartSheet).toBeVisible()
  // The toast must not cover the next button.
  await shop.button(t('cart.checkout'), shop.cart).click({ trial: true })
  await expect(shop.toast.filter({ hasText: t('again.done') })).toBeVisible()
  await tap(shop.button(t('cart.checkout'), shop.cart))
  await page.waitForURL(/\/checkout$/)
  const { name: area } = await shop.named.area('seef')
  await expect(shop.place).toContainText(area)
  await expect(shop.addressCard).toContainText('2831')
  await expect(page.locator('main')).toContainText('مريم العلي')
  await tap(shop.place)
  await page.waitForURL(/\/checkout\/success\//)
  await expect(shop.placed).toBeVisible()
}

test('a first order takes at most ten taps besides typing @english @core', async ({ page, shop, t }) => {
  const [area, vendor] = [await shop.named.area('seef'), await shop.named.vendor(1)]
  const { tap, result } = counting()
  await shop.open('/')
  await tap(shop.button(t('shell.area.none')))
  await tap(page.getByRole('dialog').getByRole('button', { name: new RegExp(`^${area.name}`) }))
  await tap({ click: () => shop.add(6) })
  await shop.card(6).getByRole('textbox').fill('7')
  await page.keyboard.press('Enter')
  // The whole cart asks a new customer for empty bottles.
  await tap({ click: () => shop.openCart() })
  await tap(shop.cart.getByRole('button', { name: new RegExp(`^${t('cart.checkout')}`) }))
  // One tap: the form is sent after the number, and by itself after the code.
  await tap({ click: () => shop.signIn(newPhone()) })
  await shop.areaFound(vendor.name, area.name)
  await shop.fillAddress({ block: '428', road: '2831', building: '1172', name: 'مريم العلي' })
  await tap(shop.place)
  await expect(shop.placed).toBeVisible()
  const { taps } = result()
  console.log(`first order: ${taps} taps besides typing`)
  expect(taps).toBeLessThanOrEqual(10)
})

test('a returning customer orders again from the home page in three taps @wide @core', async ({ page, shop, t }) => {
  const { order } = await returningCustomer(page, { productId: 6, quantity: 7 })
  const { tap, result } = counting()
  await shop.open('/')
  await tap(shop.button(t('again.do')).first())
  await checkOut(page, shop, t, tap)
  const { taps, seconds } = result()
  console.log(`second order from home: ${taps} taps, ${seconds.toFixed(1)} s`)
  expect(taps).toBe(3)
  expect(shop.orderId()).not.toBe(order.id)
})

test('ordering again from the orders page takes at most six taps @wide', async ({ page, shop, t }) => {
  const { order } = await returningCustomer(page, { productId: 6, quantity: 7 })
  const { tap, result } = counting()
  await shop.open('/about')
  if (shop.isPhone) {
    await tap(shop.button(t('shell.account')))
    await tap(page.getByRole('menuitem', { name: t('shell.orders') }))
  } else await tap(shop.link(t('shell.orders')))
  await tap(shop.button(t('again.do')).first())
  await checkOut(page, shop, t, tap)
  const { taps } = result()
  expect(taps).toBeLessThanOrEqual(6)
  expect(shop.orderId()).not.toBe(order.id)
})

test('ordering again asks before it replaces a cart, and offers that cart back', async ({ page, shop, t }) => {
  await returningCustomer(page, { productId: 6, quantity: 7 })
  await shop.open('/?vendor=1')
  await shop.add(13)
  const lines = async () => (await (await page.request.get('/api/cart')).json()).items.length
  await expect.poll(lines).toBe(1)
  await shop.open('/orders')
  await shop.button(t('again.do')).first().click()
  await expect(page.getByRole('dialog', { name: t('again.confirmTitle') })).toBeVisible()
  await expect(shop.button(t('again.keep'))).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(shop.button(t('again.do')).first()).toBeFocused()
  await shop.button(t('again.do')).first().click()
  await shop.button(t('again.replace')).click()
  const undo = shop.button(t('again.undo'))
  // The focus holds the toast while the page is checked.
  await undo.focus()
  await expect(shop.card(6).getByRole('status')).toHaveText('7')
  await undo.click()
  await expect(shop.card(6).getByRole('status')).toHaveText('0')
})
