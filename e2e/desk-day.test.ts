import { bringTo, placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const dispatcher = '+97336000003'

test('the desk opens on a delivery day, and its chips lead to days and to orders that need action @desk @english @core', async ({
  page,
  shop,
  t,
}) => {
  void shop
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
  await bringTo(id, 'shipped')
  // The chips follow the stream of events.
  const listening = page.waitForResponse(/\/api\/admin\/events/, { timeout: 0 })
  await signInToAdmin(page, dispatcher, '/admin/orders')
  await listening
  await expect(page).toHaveURL(/day=\d{4}-\d\d-\d\d/)
  const chips = page.getByRole('navigation', { name: t('desk.days') })
  await expect(chips.locator('[aria-current]')).toHaveCount(1)

  const report = await page.request.post(`/api/admin/orders/${id}/attempts`, { data: { reason: 'absent' } })
  expect(report.status(), await report.text()).toBe(200)
  // The order is of another day than the one on which the desk opens.
  await chips.getByRole('link', { name: t('desk.chip.all') }).click()
  await chips.getByRole('link', { name: t('desk.chip.failed') }).click()
  await expect(page).toHaveURL(/attention=failed/)
  const row = page.locator(`[data-row="${id}"]`)
  await expect(row).toContainText(t('admin.attemptNumber', { number: 2 }))
  await row.click()
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) })
  await expect(panel).toContainText(t('desk.day.attempts', { count: 1 }))
})
