import type { Page } from '@playwright/test'
import { formatDay } from '@qatra/contract/calendar/calendar'
import { bringTo, placeByCalls, returningCustomer } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const dispatcher = '+97336000003'

/** Day of the month, as on the buttons. */
const dayOf = (date: string) => String(Number(date.slice(8)))

const openDays = async ({ request }: Page, vendorId: number) => {
  const days: { date: string }[] = await (await request.get(`/api/delivery-days?vendorId=${vendorId}`)).json()
  return days.map(({ date }) => date)
}

test('a customer chooses the delivery day at checkout and moves it on the order page @wide @core', async ({
  page,
  shop,
  t,
  lang,
}) => {
  await returningCustomer(page, { productId: 6, quantity: 7 })
  const [first = '', second = '', third = ''] = await openDays(page, 1)
  const long = (date: string) => formatDay(date, lang, 'long')
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  await shop.open('/checkout')
  const days = page.getByRole('radiogroup', { name: t('days.title') })
  await expect(days.getByRole('radio', { name: long(first), exact: true })).toBeChecked()
  await days.getByText(dayOf(second), { exact: true }).click()
  await expect(days.getByRole('radio', { name: long(second), exact: true })).toBeChecked()
  await expect(shop.place).toContainText(long(second).split(' ')[0] ?? '')
  await expect(shop.place).toContainText((await shop.named.area('seef')).name)
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(long(second))

  const id = shop.orderId()
  await shop.open(`/orders/${id}`)
  await shop.button(t('days.change')).click()
  const dialog = page.getByRole('dialog', { name: t('days.changeTitle') })
  await expect(dialog.getByRole('radio', { name: long(second), exact: true })).toBeChecked()
  await expect(dialog.getByRole('button', { name: t('days.do') })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByText(dayOf(third), { exact: true }).click()
  await dialog.getByRole('button', { name: t('days.do') }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(long(third))
  await expect(page.locator('s')).toHaveText(long(second))

  await bringTo(id, 'shipped')
  await page.reload()
  await expect(shop.button(t('days.change'))).toHaveCount(0)
  await expect(page.getByText(t('days.shipped', { vendor: (await shop.named.vendor(1)).name }))).toBeVisible()
})

/** Two orders of a new customer, in the list of orders, and the open days of their vendor. */
async function deskWithTwo(page: Page) {
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const orders = [
    await placeByCalls(page, { productId: 6, quantity: 7 }),
    await placeByCalls(page, { productId: 6, quantity: 7 }),
  ]
  const [, second = '', third = ''] = await openDays(page, 1)
  await signInToAdmin(page, dispatcher, `/admin/orders?q=${encodeURIComponent(phone.slice(-8))}`)
  return { orders, second, third }
}

test('the office moves an order, with a reason in the history @desk @english @core', async ({
  page,
  shop,
  t,
  lang,
}) => {
  void shop
  const { orders, second } = await deskWithTwo(page)
  const id = orders[0]?.id ?? ''
  await page.locator(`[data-row="${id}"]`).click()
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) })
  await panel.getByRole('button', { name: t('desk.day.move') }).click()
  const dialog = page.getByRole('dialog', { name: t('desk.day.title') })
  await dialog.getByText(dayOf(second), { exact: true }).click()
  await dialog.getByLabel(t('desk.reason')).fill('Road closed')
  await dialog.getByRole('button', { name: t('desk.day.to', { day: formatDay(second, lang, 'short') }) }).click()
  await expect(panel.locator('time').first()).toHaveText(formatDay(second, lang, 'long'))
  await expect(panel.getByRole('list', { name: t('desk.timeline') })).toContainText('Road closed')
})

test('the office moves several orders at once @desk', async ({ page, shop, t, lang }) => {
  void shop
  const { orders, third } = await deskWithTwo(page)
  for (const order of orders) await page.locator(`[data-row="${order.id}"]`).getByRole('checkbox').check()
  await page.getByRole('button', { name: t('desk.day.move') }).click()
  const dialog = page.getByRole('dialog', { name: t('desk.day.title') })
  await dialog.getByText(dayOf(third), { exact: true }).click()
  await dialog.getByRole('button', { name: t('desk.day.to', { day: formatDay(third, lang, 'short') }) }).click()
  // The undo window, then the server.
  await expect
    .poll(async () => {
      const answers = await Promise.all(
        orders.map(async (order) => (await page.request.get(`/api/admin/orders/${order.id}`)).json()),
      )
      return answers.map(({ promisedDate }) => promisedDate)
    })
    .toEqual([third, third])
})

test('closing a day asks what to do with its orders and moves them @desk @core', async ({ page, shop, t, lang }) => {
  await signInCustomerByCalls(page, newPhone())
  // One of the last of the days, so that no other journey orders for it; the order moves to the next one.
  const days = await openDays(page, 2)
  const day = days.at(lang === 'ar' ? -1 : -3) ?? ''
  const products: { id: number; vendorId: number }[] = await (await page.request.get('/api/products?vendorId=2')).json()
  const order = await placeByCalls(page, { productId: products[0]?.id ?? 0, quantity: 50, deliveryDate: day })
  await signInToAdmin(page, '+97336000012', '/admin/calendar')
  const cell = page.locator(`[data-day="${day}"]`)
  await expect(page.locator('[data-day]').first()).toBeVisible()
  if ((await cell.count()) === 0) await page.getByRole('button', { name: t('admin.calendar.next') }).click()
  await cell.click()
  await page.getByRole('button', { name: t('admin.calendar.close'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('admin.calendar.move.title') })
  await expect(dialog).toContainText(t('admin.calendar.move.text', { count: 1 }))
  await dialog.getByRole('button', { name: t('admin.calendar.move.do') }).click()
  await expect(dialog).toBeHidden()
  await expect(shop.toast.filter({ hasText: t('admin.calendar.moved', { count: 1 }) })).toBeVisible()
  await expect
    .poll(async () => (await (await page.request.get(`/api/admin/orders/${order.id}`)).json()).promisedDate > day)
    .toBe(true)
})
