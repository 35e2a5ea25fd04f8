import type { Page } from '@playwright/test'
import { bringTo, deliver, placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const gallons = { productId: 6, quantity: 7 }
const cartons = { productId: 3, quantity: 7 }

async function signedIn(page: Page) {
  await signInCustomerByCalls(page, newPhone())
}

test('an open order page shows a new status without a reload', async ({ page, shop, t }) => {
  await signedIn(page)
  const { id } = await placeByCalls(page, gallons)
  const stream = page.waitForResponse(/\/api\/auth\/orders\/events/)
  await shop.open(`/orders/${id}`)
  await stream
  const step = (status: 'new' | 'in-progress' | 'delivered') =>
    page.locator('[aria-current=step]').getByText(t(`orders.status.${status}`))
  await expect(step('new')).toBeVisible()
  await bringTo(id, 'shipped')
  await expect(step('in-progress')).toBeVisible()
  await deliver(id)
  await expect(shop.button(t('again.do')).first()).toBeVisible()
})

test('the list of orders shows a new status without a reload', async ({ page, shop, t }) => {
  await signedIn(page)
  const { id } = await placeByCalls(page, gallons)
  const stream = page.waitForResponse(/\/api\/auth\/orders\/events/)
  await shop.open('/orders')
  await stream
  await bringTo(id, 'in-progress')
  await expect(page.getByText(t('orders.status.in-progress')).first()).toBeVisible()
})

test('a customer with a habit sees the open order, and orders as usual in three taps @english @core', async ({
  page,
  shop,
  t,
}) => {
  await signedIn(page)
  const { id: delivered } = await placeByCalls(page, cartons)
  await deliver(delivered)
  const { id: open } = await placeByCalls(page, cartons)
  await bringTo(open, 'shipped')
  await shop.open('/')
  // The products begin in sight, also below an open order and the usual one.
  const add = page.getByRole('article').first().getByRole('group').getByRole('button').last()
  const { y = 0, height = 0 } = (await add.boundingBox()) ?? {}
  expect(y).toBeGreaterThan(0)
  expect(y + height).toBeLessThanOrEqual(shop.isPhone ? 620 : 600)
  const card = page.getByRole('region', { name: t('open.shipped') })
  await expect(card).toContainText(t('orders.status.in-progress'))
  await expect(card.getByRole('link')).toHaveAttribute('href', new RegExp(open))

  const { price } = await shop.named.product(cartons.productId)
  await page.getByRole('button', { name: t('usual.title') }).click()
  await expect(page.getByText(t('usual.added'))).toBeVisible()
  const amount = (price * 7).toFixed(3)
  const { isPhone } = shop
  await shop.button(isPhone ? t('cart.checkoutSum', { amount }) : t('cart.checkout'), shop.cart).click()
  await page.waitForURL(/\/checkout$/)
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)

  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('success.thanksAll'))
  await expect(page.getByRole('heading', { name: t('success.next') })).toBeVisible()
  await expect(page.locator('main')).toContainText(t('unit.carton', { count: 7 }))
  await shop.button(t('order.cancelDo')).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('order.cancelDo') })
    .click()
  await expect(page.getByText(t('order.changedMind'))).toHaveCount(0)
})

test('a search finds products in both languages and all spellings, and quantities are typed', async ({
  page,
  shop,
  t,
}) => {
  const { name } = await shop.named.vendor(2)
  await shop.open('/')
  await shop.link(t('shell.search')).click()
  const field = page.getByRole('searchbox', { name: t('shell.search') })
  await field.fill(`${name} ٥٠٠ مل`)
  await expect(page).toHaveURL(/[?&]q=./)
  const results = page.getByRole('article')
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
  await expect(page.locator('section h2')).toHaveCount(1)
  await page.reload()
  await expect(field).toHaveValue(`${name} ٥٠٠ مل`)
  await expect(page.locator('section h2')).toHaveCount(1)
  await field.fill('zzz')
  await expect(page.getByText(t('search.nothing'))).toBeVisible()
  await shop.button(t('search.clear')).click()
  await expect(field).toBeFocused()
  await expect(page).toHaveURL(/[?&]q=$/)

  await field.fill(name)
  await expect(page).toHaveURL(/[?&]q=./)
  await expect(page.locator('section h2')).toHaveCount(1)
  const first = results.first()
  await first.getByRole('group').getByRole('button').last().click()
  const quantity = first.getByRole('textbox')
  await quantity.fill('٢٤')
  await quantity.press('Enter')
  await expect(first.getByRole('status')).toHaveText('24')
  await quantity.fill('101')
  await quantity.press('Enter')
  await expect(first.getByRole('status')).toHaveText('24')
  await expect(shop.toast.filter({ hasText: t('ui.quantityRange', { max: 100 }) })).toBeVisible()
})
