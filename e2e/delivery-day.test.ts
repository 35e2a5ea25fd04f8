import { formatDay } from '@qatra/contract/calendar'
import type { Page } from '@playwright/test'
import { bringTo, returningCustomer } from './shop/customers.ts'
import { expect, test } from './shop/test.ts'

const openDays = async ({ request }: Page, vendorId: number) => {
  const days: { date: string }[] = await (await request.get(`/api/delivery-days?vendorId=${vendorId}`)).json()
  return days.map(({ date }) => date)
}

test('a customer chooses the delivery day at checkout and moves it on the order page @wide', async ({
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
  await days.getByText(String(Number(second.slice(8))), { exact: true }).click()
  await expect(days.getByRole('radio', { name: long(second), exact: true })).toBeChecked()
  await shop.areaFound((await shop.named.vendor(1)).name, (await shop.named.area('seef')).name)
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(long(second))

  const id = shop.orderId()
  await shop.open(`/orders/${id}`)
  await shop.button(t('days.change')).click()
  const dialog = page.getByRole('dialog', { name: t('days.changeTitle') })
  await expect(dialog.getByRole('radio', { name: long(second), exact: true })).toBeChecked()
  await expect(dialog.getByRole('button', { name: t('days.do') })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByText(String(Number(third.slice(8))), { exact: true }).click()
  await dialog.getByRole('button', { name: t('days.do') }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(long(third))
  await expect(page.locator('s')).toHaveText(long(second))

  await bringTo(id, 'shipped')
  await page.reload()
  await expect(shop.button(t('days.change'))).toHaveCount(0)
  await expect(page.getByText(t('days.shipped', { vendor: (await shop.named.vendor(1)).name }))).toBeVisible()
})
