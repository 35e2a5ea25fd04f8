import type { Page } from '@playwright/test'
import type { Product } from '@qatra/contract/products/products'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { costOf } from './shop/catalogue.ts'
import { placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const idsOf = async (page: Page, vendorId: number) => {
  const products: { id: number }[] = await (await page.request.get(`/api/products?vendorId=${vendorId}`)).json()
  return products.map(({ id }) => id)
}

/** Whether two boxes on the screen share a pixel. */
function overlap(a: DOMRect, b: DOMRect) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
const boxOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .filter({ visible: true })
    .first()
    .evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)

test('home offers the parked cart while the cart is empty @wide', async ({ page, shop, t }) => {
  const [other] = await idsOf(page, 2)
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 2 } })
  await page.request.post('/api/cart/switch', { data: { productId: other, quantity: 1 } })
  await page.request.delete('/api/cart')
  await shop.open('/')
  const kept = page.getByText(t('cart.parked', { vendor: (await shop.named.vendor(1)).name })).filter({ visible: true })
  await expect(kept).toHaveCount(1)
  await page
    .getByRole('button', { name: t('cart.restore') })
    .filter({ visible: true })
    .click()
  await expect(shop.card(6).getByRole('status')).toHaveText('2')
})

test('the pages of products show contact links of their vendor, and home none @wide', async ({
  page,
  shop,
  t,
  lang,
}) => {
  const vendors: Vendor[] = await (await page.request.get('/api/vendors')).json()
  const products: Product[] = await (await page.request.get('/api/products')).json()
  const nameOf = ({ name, nameAr }: Vendor) => (lang === 'ar' && nameAr ? nameAr : name)
  const reachable = vendors.filter(({ whatsappLink, contactNumber }) => whatsappLink && contactNumber)
  expect(reachable.length).toBeGreaterThan(2)
  for (const vendor of reachable.slice(0, 2)) {
    await shop.open(`/products/${products.find(({ vendorId }) => vendorId === vendor.id)?.id}`)
    const chat = shop.link(t('catalogue.whatsappOf', { vendor: nameOf(vendor) }))
    await expect(chat).toHaveAttribute('href', /^https:\/\/wa\.me\/\d+/)
    await expect(shop.link(t('catalogue.callOf', { vendor: nameOf(vendor) }))).toHaveAttribute('href', /^tel:/)
  }
  await shop.open('/')
  await expect(page.locator('main :is(a[href^="tel:"], a[href*="wa.me"])')).toHaveCount(0)
})

test('each add button has a unique accessible name that contains its visible label', async ({ page, shop, t }) => {
  await shop.open('/?vendor=1')
  const buttons = page
    .getByRole('article')
    .getByRole('group')
    .getByRole('button')
    .filter({ hasText: t('ui.add') })
  const names = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
  expect(names.length).toBeGreaterThan(5)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toContain(t('ui.add'))
})

test('Back removes one filter at a time and stays in the shop', async ({ page, shop, t }) => {
  await page.goto('/about')
  await shop.open('/')
  await shop
    .link((await shop.named.vendor(2)).name)
    .first()
    .click()
  await expect(page).toHaveURL(/vendor=2$/)
  await page.getByRole('button', { name: new RegExp(`^${t('catalogue.filter')}`) }).click()
  await page.locator('button + div a[href*="size="]').first().click()
  await expect(page).toHaveURL(/size=/)
  await page.goBack()
  await expect(page).toHaveURL(/vendor=2$/)
  await page.goBack()
  await expect(page).toHaveURL((url) => url.pathname === '/' && url.search === '')
})

test.describe('a toast', () => {
  test('does not cover the cart, open or beside the page', async ({ page, shop, t }) => {
    for (const id of [5, 6, 13, 2]) await page.request.post('/api/cart/add', { data: { productId: id, quantity: 2 } })
    if (!shop.isPhone) await page.setViewportSize({ width: 1024, height: 768 })
    await shop.open('/?vendor=1')
    await shop.openCart()
    await shop.cart
      .getByRole('button', { name: t('cart.remove') })
      .first()
      .click()
    const toast = '#toasts .deep'
    await expect(page.locator(toast)).toBeVisible()
    await page.waitForTimeout(700)
    const label = `[aria-label="${t('cart.label')}"]`
    const cart = `${shop.isPhone ? 'dialog' : 'aside'}${label}`
    expect(overlap(await boxOf(page, toast), await boxOf(page, cart))).toBe(false)
  })
})

test.describe('on paper', () => {
  test('the order pages show the order and no buttons', async ({ page, shop, t }) => {
    await signInCustomerByCalls(page, newPhone())
    const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
    for (const path of [`/orders/${id}`, '/orders', `/checkout/success/${id}`]) {
      await page.emulateMedia({ media: 'screen' })
      await shop.open(path)
      await page.emulateMedia({ media: 'print' })
      await expect(page.locator('header, footer, #toasts, aside').filter({ visible: true })).toHaveCount(0)
      await expect(
        page.locator('main :is(button, a[href^="tel:"], a[href*="wa.me"])').filter({ visible: true }),
      ).toHaveCount(0)
      await expect(page.locator('main')).toContainText(shop.money(costOf(await shop.named.product(6), 7)))
      const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
      expect(pdf.match(/\/Type\s*\/Page\b/g), path).toHaveLength(1)
    }
    await expect(page.getByText(t('success.received'))).toBeVisible()
  })
})

test('the footer is one line on sign-in, checkout and confirmation @wide', async ({ page, shop, t }) => {
  const height = () => page.locator('footer').evaluate((foot) => foot.getBoundingClientRect().height)
  await shop.open('/about')
  expect(await height()).toBeGreaterThan(150)
  await shop.open('/login')
  expect(await height()).toBeLessThan(64)
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  for (const path of ['/checkout', `/checkout/success/${id}`]) {
    await shop.open(path)
    expect(await height(), path).toBeLessThan(64)
    await expect(shop.link(t('shell.footer.terms'), page.locator('footer'))).toBeVisible()
  }
})

test('the terms have a page, linked in the footer and open to search engines', async ({ page, shop, t, baseURL }) => {
  await shop.open('/faqs')
  await shop.link(t('shell.footer.terms'), page.locator('footer')).click()
  await expect(page.getByRole('heading', { level: 1, name: t('terms.title') })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(t('terms.title')))
  await expect(page.getByText(t('terms.return'))).toBeVisible()
  expect((await page.goto('/terms'))?.status()).toBe(200)
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', t('terms.description'))
  expect(await (await page.request.get('/sitemap.xml')).text()).toContain(`<loc>${baseURL}/terms</loc>`)
})

test('a new customer’s checkout form survives a reload, and a name with a ligature is accepted', async ({
  page,
  shop,
  t,
}) => {
  await signInCustomerByCalls(page, newPhone())
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  await shop.open('/checkout')
  const area = await shop.named.area('seef')
  const vendor = await shop.named.vendor(1)
  await shop.chooseArea(area.name)
  await shop.areaFound(vendor.name, area.name)
  await shop.fillAddress({ block: '428', road: '2831', building: '1172', name: 'عبدﷲ علي' })
  await page.getByRole('textbox', { name: new RegExp(t('checkout.instructions')) }).fill('الباب الأزرق')
  await page.reload()
  await shop.areaFound(vendor.name, area.name)
  await expect(shop.field(t('checkout.block'))).toHaveValue('428')
  await expect(shop.road).toHaveValue('2831')
  await expect(shop.field(t('checkout.building'))).toHaveValue('1172')
  await expect(shop.field(t('checkout.name'))).toHaveValue('عبدﷲ علي')
  await shop.place.click()
  await expect(shop.placed).toBeVisible()
  const placed = await (await page.request.get(`/api/orders/${shop.orderId()}`)).json()
  expect([placed.customerName, placed.instructions]).toEqual(['عبدالله علي', 'الباب الأزرق'])
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('checkout:')))).toEqual(
    [],
  )
})

test('text grows to twice its size with the browser’s own text size @english', async ({ page, shop }) => {
  await signInCustomerByCalls(page, newPhone())
  await page.request.post('/api/cart/add', { data: { productId: 13, quantity: 3 } })
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  for (const path of [
    '/',
    '/?vendor=1',
    '/checkout',
    `/orders/${id}`,
    '/orders',
    `/checkout/success/${id}`,
    '/terms',
  ]) {
    await shop.open(path)
    // Growth of the font size of every element with text.
    const growth = await page.evaluate(() => {
      const texts = [...document.querySelectorAll('header *, main *, footer *')].filter(
        (one) =>
          !one.closest('svg') && [...one.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
      )
      const sizes = () => texts.map((one) => Number.parseFloat(getComputedStyle(one).fontSize))
      const before = sizes()
      document.documentElement.style.setProperty('font-size', '200%')
      return sizes().map((size, i) => size / (before[i] ?? 1))
    })
    expect(growth.length, path).toBeGreaterThan(10)
    expect(new Set(growth), path).toEqual(new Set([2]))
    const widerBy = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await widerBy(), path).toBeLessThanOrEqual(0)
    if (path !== '/') continue
    const bar = await shop.expandCart.boundingBox()
    expect(bar?.width, 'the cart beside its button for the checkout').toBeGreaterThan(150)
  }
})
