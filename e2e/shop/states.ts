import { expect, type Page } from '@playwright/test'
import { bringTo, placeByCalls, returningCustomer } from './customers.ts'
import { query } from './database.ts'
import { linkFor } from './links.ts'
import type { Shop } from './pages.ts'
import { codeFor, newPhone, signInCustomerByCalls } from './phones.ts'
import type { Words } from './words.ts'

export interface Stage {
  page: Page
  shop: Shop
  t: Words
}

async function askForCode({ page, shop, t }: Stage) {
  const phone = newPhone()
  await shop.open('/login')
  await page.getByLabel(t('login.phone')).fill(phone)
  await shop.button(t('login.send')).click()
  return phone
}

/** How to reach every screen and main state. */
export const visitorStates: Record<string, (stage: Stage) => Promise<void>> = {
  home: ({ shop }) => shop.open('/'),
  vendor: ({ shop }) => shop.open('/?vendor=1'),
  offline: ({ shop }) => shop.open('/offline'),
  'nothing-found': ({ shop }) => shop.open('/?size=7ml'),
  product: ({ shop }) => shop.open('/products/6'),
  'area-sheet': async ({ page, shop, t }) => {
    await shop.open('/')
    await shop.button(t('shell.area.none')).click()
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
  },
  'home-area': async ({ page, shop, t }) => {
    const area = await shop.named.area('seef')
    await shop.open('/')
    await shop.button(t('shell.area.none')).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`^${area.name}`) })
      .click()
    await expect(
      page.getByRole('heading', { name: t('area.deliverTo', { area: area.name }), exact: true }),
    ).toBeVisible()
  },
  'cart-below-minimum': async ({ shop }) => {
    await shop.open('/?vendor=1')
    await shop.add(6, 2)
  },
  'cart-open': async ({ shop }) => {
    await shop.open('/?vendor=1')
    await shop.add(6, 2)
    await shop.add(13, 1)
    await shop.openCart()
  },
  'switch-dialog': async ({ page, shop, t }) => {
    await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 2 } })
    await shop.open('/?vendor=2')
    await page.getByRole('article').first().getByRole('group').getByRole('button').last().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page.getByText(t('cart.switch.text', { vendor: (await shop.named.vendor(1)).name }))).toBeVisible()
  },
  'language-menu': async ({ page, shop, t }) => {
    await shop.open('/about')
    await page.getByRole('button', { name: new RegExp(t('shell.language')) }).click()
    await expect(page.getByRole('menu')).toBeVisible()
  },
  toast: async ({ page, shop, t }) => {
    await page.request.post('/api/cart/add', { data: { productId: 5, quantity: 100 } })
    await shop.open('/?vendor=1')
    await shop.button(t('ui.increase'), shop.card(5)).click({ force: true })
    await expect(shop.toast.filter({ hasText: t('ui.quantityMax', { max: 100 }) })).toBeVisible()
  },
  'login-phone': ({ shop }) => shop.open('/login'),
  'login-phone-wrong': async ({ page, shop, t }) => {
    await shop.open('/login')
    await page.getByLabel(t('login.phone')).fill('12')
    await shop.button(t('login.send')).click()
    await expect(page.getByText(t('validation.phoneTooShort'))).toBeVisible()
  },
  'login-too-soon': async ({ page, shop, t }) => {
    await page.route('**/api/auth/verify/phone', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '47' },
        json: { code: 'TOO_MANY_REQUESTS', message: '' },
      }),
    )
    await askForCode({ page, shop, t })
    await expect(shop.button(t('login.haveCode'))).toBeVisible()
  },
  'login-code': async ({ page, shop, t }) => {
    await askForCode({ page, shop, t })
    await expect(page.getByLabel(t('login.code'), { exact: true })).toBeVisible()
  },
  'login-code-wrong': async ({ page, shop, t }) => {
    const phone = await askForCode({ page, shop, t })
    const code = await codeFor(page.request, phone)
    await page.getByLabel(t('login.code'), { exact: true }).fill(code === '1111' ? '2222' : '1111')
    await expect(page.getByText(t('login.error.INVALID_CODE'))).toBeVisible()
  },
  'link-invalid': ({ shop }) => shop.open('/magic-login/invalid'),
  'link-expired': async ({ page, shop, t }) => {
    await shop.open(await linkFor(newPhone(), { life: '-1 second' }))
    await expect(page.getByText(t('login.link.EXPIRED_LINK'))).toBeVisible()
  },
  ...Object.fromEntries(
    ['about', 'faqs', 'privacy', 'terms'].map((path) => [path, ({ shop }: Stage) => shop.open(`/${path}`)]),
  ),
  'kept-cart': async ({ page, shop, t }) => {
    await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 2 } })
    const products: { id: number }[] = await (await page.request.get('/api/products?vendorId=2')).json()
    await page.request.post('/api/cart/switch', { data: { productId: products[0]?.id, quantity: 1 } })
    await page.request.delete('/api/cart')
    await shop.open('/')
    await expect(page.getByRole('button', { name: t('cart.restore') }).filter({ visible: true })).toBeVisible()
  },
  'not-found': ({ shop }) => shop.open('/404'),
  simulator: async ({ page, shop }) => {
    const phone = newPhone()
    await page.request.post('/api/auth/verify/phone', { data: { phone, language: 'ar' } })
    await shop.open(`/simulator?phone=${encodeURIComponent(phone)}`)
    await expect(page.getByRole('log').getByRole('article').first()).toBeVisible()
  },
  'simulator-telegram': async ({ page, shop, t }) => {
    await shop.open('/simulator/telegram?phone=%2B97336000002')
    await expect(page.getByRole('navigation', { name: t('simulator.telegram.chats') })).toBeVisible()
  },
}

const fill = (page: Page) => page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })

/** A page of a new customer, or of this one. */
const signedInAt =
  (path: string, phone?: string) =>
  async ({ page, shop }: Stage) => {
    await signInCustomerByCalls(page, phone ?? newPhone())
    await shop.open(path)
  }

/** The id of an order of a new customer. */
async function placed(page: Page) {
  await signInCustomerByCalls(page, newPhone())
  return (await placeByCalls(page, { productId: 6, quantity: 7 })).id
}

async function atCheckout({ page, shop }: Stage) {
  await signInCustomerByCalls(page, newPhone())
  await fill(page)
  await shop.open('/checkout')
}

export const customerStates: Record<string, (stage: Stage) => Promise<void>> = {
  checkout: atCheckout,
  'checkout-chosen': async (stage) => {
    const { shop } = stage
    await atCheckout(stage)
    const area = await shop.named.area('seef')
    await shop.chooseArea(area.name)
    await shop.areaFound((await shop.named.vendor(1)).name, area.name)
    await shop.fillAddress({ block: '428', road: '2831', building: '1172', name: 'نورة الدوسري' })
  },
  'checkout-errors': async (stage) => {
    await atCheckout(stage)
    await stage.shop.chooseArea((await stage.shop.named.area('seef')).name)
    await stage.shop.fillAddress({ block: '', road: '', building: '', name: '' })
    await stage.shop.place.click()
    await expect(stage.page.getByText(stage.t('checkout.error.road'))).toBeVisible()
  },
  'checkout-areas': async (stage) => {
    await atCheckout(stage)
    await stage.shop.button(stage.t('checkout.areas.open')).click()
    await expect(stage.page.getByLabel(stage.t('area.search'))).toBeFocused()
  },
  'checkout-return': async ({ page, shop }) => {
    await returningCustomer(page, { productId: 6, quantity: 7 })
    await page.request.post('/api/cart/add', { data: { productId: 13, quantity: 1 } })
    await fill(page)
    await shop.open('/checkout')
    await expect(shop.place).not.toHaveAttribute('aria-disabled')
  },
  'checkout-change': async ({ page, shop }) => {
    await returningCustomer(page, { productId: 6, quantity: 7 })
    await fill(page)
    await shop.open('/checkout')
    await shop.editAddress()
  },
  'checkout-not-delivered': async ({ page, shop, t }) => {
    await signInCustomerByCalls(page, newPhone())
    const products: { id: number }[] = await (await page.request.get('/api/products?vendorId=7')).json()
    await page.request.post('/api/cart/add', { data: { productId: products[0]?.id, quantity: 10 } })
    await shop.open('/checkout')
    const area = await shop.named.area('seef')
    await shop.chooseArea(area.name)
    await expect(page.getByText(t('checkout.coverage.refusesTitle', { area: area.name })).first()).toBeVisible()
  },
  'checkout-outside': async (stage) => {
    const { page, t } = stage
    await page.context().grantPermissions(['geolocation'])
    await page.context().setGeolocation({ latitude: 26.4, longitude: 50.75, accuracy: 10 })
    await atCheckout(stage)
    await stage.shop.button(t('map.locate')).click()
    await expect(page.getByRole('alert').filter({ hasText: t('checkout.coverage.outsideText') })).toBeVisible()
  },
  'checkout-offline': async (stage) => {
    const { page, shop, t } = stage
    await atCheckout(stage)
    await shop.chooseArea((await shop.named.area('seef')).name)
    await shop.fillAddress({ block: '428', road: '1', building: '2', name: 'ليلى أحمد' })
    await page.context().setOffline(true)
    await shop.place.click()
    await expect(page.getByText(t('checkout.error.offlineText')).first()).toBeVisible()
  },
  'orders-empty': signedInAt('/orders'),
  success: async ({ page, shop }) => shop.open(`/checkout/success/${await placed(page)}`),
  order: async ({ page, shop }) => {
    await signInCustomerByCalls(page, newPhone())
    const { id } = await placeByCalls(page, { productId: 6, quantity: 7, instructions: 'المدخل الخلفي' })
    await shop.open(`/orders/${id}`)
  },
  'order-cancel-dialog': async ({ page, shop, t }) => {
    await shop.open(`/orders/${await placed(page)}`)
    await shop.button(t('order.cancel')).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'order-edit-dialog': async ({ page, shop, t }) => {
    await shop.open(`/orders/${await placed(page)}`)
    await shop.button(t('edit.change')).click()
    const keep = shop.button(t('edit.keep'))
    await expect(keep).toBeVisible()
    expect((await keep.boundingBox())?.height, 'a label in one line').toBeLessThan(50)
  },
  'order-not-found': signedInAt('/orders/ABCDEFGH23456789'),
  ...Object.fromEntries(
    (['in-progress', 'shipped', 'cancelled'] as const).map((status) => [
      `order-${status}`,
      async ({ page, shop }: Stage) => {
        const id = await placed(page)
        await bringTo(id, status)
        await shop.open(`/orders/${id}`)
      },
    ]),
  ),
  'again-dialog': async ({ page, shop, t }) => {
    await returningCustomer(page, { productId: 6, quantity: 7 })
    await page.request.post('/api/cart/add', { data: { productId: 13, quantity: 1 } })
    await shop.open('/orders')
    await shop.button(t('again.do')).first().click()
    await expect(page.getByRole('dialog', { name: t('again.confirmTitle') })).toBeVisible()
  },
  'again-partial': async ({ page, shop, t }) => {
    await signInCustomerByCalls(page, newPhone())
    await page.request.post('/api/cart/add', { data: { productId: 13, quantity: 2 } })
    const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
    await bringTo(id, 'delivered')
    // Changes this order only, so that the catalogue stays as other tests expect it.
    await query('update order_items set product_id = null where order_id = $1 and product_id = 13', [id])
    await shop.open(`/orders/${id}`)
    await shop.button(t('again.do')).click()
    await expect(shop.toast.filter({ hasText: t('again.reason.PRODUCT_DELETED') })).toBeVisible()
    // The cart opens after the toast.
    await expect(shop.cart.getByRole('listitem').first()).toBeVisible()
  },
  'home-known': async (stage) => {
    await signedInAt('/', '+97336000006')(stage)
    // This customer of the demo data has a habit.
    await expect(stage.page.getByText(stage.t('usual.title'))).toBeVisible()
  },
  'erase-dialog': async (stage) => {
    await signedInAt('/profile')(stage)
    await stage.shop.button(stage.t('profile.erase')).click()
    await expect(stage.page.getByRole('dialog')).toBeVisible()
  },
  'link-switch': async ({ page, shop, t }) => {
    await signInCustomerByCalls(page, newPhone())
    await shop.open(await linkFor(newPhone()))
    await expect(page.getByText(t('login.link.switchTitle'))).toBeVisible()
  },
  'order-delivered': async ({ page, shop }) => {
    const { order } = await returningCustomer(page, { productId: 6, quantity: 7 })
    await shop.open(`/orders/${order.id}`)
  },
  orders: signedInAt('/orders', '+97336000006'),
  profile: signedInAt('/profile', '+97336000006'),
  'account-menu': async (stage) => {
    await signedInAt('/about', '+97336000006')(stage)
    await stage.shop.button(stage.t('shell.account')).click()
    await expect(stage.page.getByRole('menu')).toBeVisible()
  },
  'signed-in-already': async ({ page, shop, t }) => {
    await signInCustomerByCalls(page, newPhone())
    // The page leaves after 1.5 s; without an answer to the next page it stays.
    await page.route('**/api/orders**', () => {})
    await page.route('**/orders', () => {})
    await shop.open('/login')
    await expect(page.getByText(t('login.already'))).toBeVisible()
  },
}
