import type { Page } from '@playwright/test'
import { measured } from './settings.ts'
import { placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const INSET = 34

/** Height of the home indicator at the bottom of the screen, in px. */
async function withHomeBar(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: INSET, top: 47 } })
}

/** Distance in px from the bottom of an element to the bottom of the screen. */
const clearance = (page: Page, css: string) =>
  page
    .locator(css)
    .filter({ visible: true })
    .first()
    .evaluate((one) => Math.round(innerHeight - one.getBoundingClientRect().bottom))

test('cart and toasts keep clear of the home indicator of a phone', async ({ page, shop, t }) => {
  await withHomeBar(page)
  await shop.open('/products/6')
  await page
    .locator('main')
    .getByRole('button', { name: t('ui.add') })
    .first()
    .click()
  await expect(shop.cart).toBeVisible()
  await expect.poll(() => clearance(page, 'aside')).toBe(12 + INSET)
  const place = () => page.locator('#toasts').evaluate((one) => Number.parseFloat(getComputedStyle(one).bottom))
  await expect.poll(place).toBe(80 + 12 + INSET)
  await shop.open('/about')
  expect(await place()).toBeGreaterThanOrEqual(12 + INSET)
})

test.describe('with analytics configured', () => {
  test.use({ baseURL: measured.origin })
  test('the consent banner keeps clear of the home indicator of a phone', async ({ page, shop, t, watch }) => {
    watch.allow(/request to another host/)
    await withHomeBar(page)
    await shop.open('/')
    await expect(shop.button(t('consent.refuse'))).toBeVisible()
    await expect.poll(() => clearance(page, 'section[aria-labelledby="consent-title"]')).toBe(12 + INSET)
  })
})

test('every admin field on a phone has a font size that iOS does not zoom', async ({ page, t }) => {
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
  await signInToAdmin(page, '+97336000001', '/admin/orders')
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('input, select, textarea')]
        .filter((one) => !['checkbox', 'radio', 'file', 'hidden'].includes((one as HTMLInputElement).type))
        .filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < 16)
        .map((one) => one.outerHTML.slice(0, 160)),
    )
  let fields = 0
  const paths = [
    'orders',
    `orders?open=${id}`,
    'products/new',
    'customers',
    'whatsapp',
    'magic-links',
    'sales/place-order',
    'users/new',
  ]
  for (const path of paths) {
    await page.goto(`/admin/${path}`)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await page.waitForLoadState('networkidle').catch(() => null)
    fields += await page.locator('input, select, textarea').count()
    expect(await small(), path).toEqual([])
  }
  expect(fields, t('shell.brand')).toBeGreaterThan(10)
})

test('fields filled in by the browser keep our colours, and our boxes of the code visible', async ({
  page,
  shop,
  t,
}) => {
  await shop.open('/login')
  const phone = page.getByLabel(t('login.phone'))
  await phone.fill(newPhone().replace('+973', ''))
  const colour = await phone.evaluate((field) => getComputedStyle(field).color)
  await fillByBrowser(page, 'input[type=tel]')
  await expect(phone).toHaveCSS('box-shadow', / 0px 0px 0px 100px inset$/)
  await expect(phone).toHaveCSS('-webkit-text-fill-color', colour)
  await shop.button(t('login.send')).click()
  const code = page.getByLabel(t('login.code'), { exact: true })
  await expect(code).toBeVisible()
  await fillByBrowser(page, 'input[name=code]')
  await expect(code).toHaveCSS('opacity', '0')
})

/** As the browser draws a field that it has filled in by itself. */
async function fillByBrowser(page: Page, selector: string) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  await devtools.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: ['autofill'] })
}
