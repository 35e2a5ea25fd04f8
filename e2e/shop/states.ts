import { expect, type Page } from '@playwright/test'
import { placeByCalls, returningCustomer } from './customers.ts'
import type { Shop } from './pages.ts'
import { newPhone, signInByCalls } from './phones.ts'
import type { Words } from './words.ts'

export interface Stage {
  page: Page
  shop: Shop
  t: Words
}

/** Every screen and main state of the shop: how to get there. */
export const visitorStates: Record<string, (stage: Stage) => Promise<void>> = {
  home: ({ shop }) => shop.open('/'),
  vendor: ({ shop }) => shop.open('/?vendor=2'),
  'nothing-found': ({ shop }) => shop.open('/?size=7ml'),
  product: ({ shop }) => shop.open('/products/6'),
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
    await shop.button(t('ui.increase'), shop.card(5)).click()
    await expect(shop.toast.filter({ hasText: t('ui.quantityMax', { max: 100 }) })).toBeVisible()
  },
  'login-phone': ({ shop }) => shop.open('/login'),
  'login-phone-wrong': async ({ page, shop, t }) => {
    await shop.open('/login')
    await page.getByLabel(t('login.phone')).fill('12')
    await shop.button(t('login.send')).click()
    await expect(page.getByText(t('validation.phoneTooShort'))).toBeVisible()
  },
  'login-code': async ({ page, shop, t }) => {
    await shop.open('/login')
    await page.getByLabel(t('login.phone')).fill(newPhone())
    await shop.button(t('login.send')).click()
    await expect(page.getByLabel(t('login.code'), { exact: true })).toBeVisible()
  },
  'link-invalid': ({ shop }) => shop.open('/magic-login/invalid'),
  about: ({ shop }) => shop.open('/about'),
  faqs: ({ shop }) => shop.open('/faqs'),
  privacy: ({ shop }) => shop.open('/privacy'),
  'not-found': ({ shop }) => shop.open('/404'),
  simulator: async ({ page, shop }) => {
    const phone = newPhone()
    await page.request.post('/api/auth/verify/phone', { data: { phone, language: 'ar' } })
    await shop.open(`/simulator?phone=${encodeURIComponent(phone)}`)
    await expect(page.getByRole('log').getByRole('article').first()).toBeVisible()
  },
}

const fill = (page: Page) => page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })

async function atCheckout({ page, shop }: Stage) {
  await signInByCalls(page, newPhone())
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
    await expect(stage.page.getByLabel(stage.t('checkout.areas.search'))).toBeFocused()
  },
  'checkout-not-delivered': async ({ page, shop, t }) => {
    await signInByCalls(page, newPhone())
    const products: { id: number }[] = await (await page.request.get('/api/products?vendorId=7')).json()
    await page.request.post('/api/cart/add', { data: { productId: products[0]?.id, quantity: 10 } })
    await shop.open('/checkout')
    const area = await shop.named.area('seef')
    await shop.chooseArea(area.name)
    await expect(page.getByText(t('checkout.coverage.refusesTitle', { area: area.name })).first()).toBeVisible()
  },
  'orders-empty': async ({ page, shop }) => {
    await signInByCalls(page, newPhone())
    await shop.open('/orders')
  },
  success: async ({ page, shop }) => {
    await signInByCalls(page, newPhone())
    const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
    await shop.open(`/checkout/success/${id}`)
  },
  order: async ({ page, shop }) => {
    await signInByCalls(page, newPhone())
    const { id } = await placeByCalls(page, { productId: 6, quantity: 7, instructions: 'المدخل الخلفي' })
    await shop.open(`/orders/${id}`)
  },
  'order-cancel-dialog': async ({ page, shop, t }) => {
    await signInByCalls(page, newPhone())
    const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
    await shop.open(`/orders/${id}`)
    await shop.button(t('order.cancel')).click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  'order-not-found': async ({ page, shop }) => {
    await signInByCalls(page, newPhone())
    await shop.open('/orders/ABCDEFGH23456789')
  },
  'order-delivered': async ({ page, shop }) => {
    const { order } = await returningCustomer(page, { productId: 6, quantity: 7 })
    await shop.open(`/orders/${order.id}`)
  },
  orders: async ({ page, shop, t }) => {
    await signInByCalls(page, '+97336000006')
    await shop.open('/orders')
    await page.getByText(t('orders.details')).first().click()
  },
  profile: async ({ page, shop }) => {
    await signInByCalls(page, '+97336000006')
    await shop.open('/profile')
  },
  'account-menu': async ({ page, shop, t }) => {
    await signInByCalls(page, '+97336000006')
    await shop.open('/about')
    await shop.button(t('shell.account')).click()
    await expect(page.getByRole('menu')).toBeVisible()
  },
  'signed-in-already': async ({ page, shop, t }) => {
    await signInByCalls(page, newPhone())
    await shop.open('/about')
    await page.clock.install()
    await page.goto('/login')
    await expect(page.getByText(t('login.already'))).toBeVisible()
  },
}
