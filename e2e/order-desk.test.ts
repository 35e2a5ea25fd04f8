import { type Page, request as requests } from '@playwright/test'
import { plain } from './settings.ts'
import { placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInRequest, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const dispatcher = '+97336000003'

/** Places an order, then signs a dispatcher in in the same browser. */
async function orderAndSitDown(page: Page) {
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const order = await placeByCalls(page, { productId: 6, quantity: 7 })
  await signInToAdmin(page, dispatcher, `/admin/orders?q=${encodeURIComponent(phone.slice(-8))}`)
  return { id: order.id, short: order.id.slice(0, 4) }
}

test('a dispatcher moves an order from new to delivered, one click a step @desk @english @core @both', async ({
  page,
  shop,
  t,
  isPhone,
}) => {
  void shop
  const { id, short } = await orderAndSitDown(page)
  const row = page.locator(`[data-row="${id}"]`)
  await expect(row).toContainText(short)
  await expect(row).toContainText(t('admin.status.new'))
  await row.click()
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: short }) })

  // Changes the address, which the driver will read.
  await panel.getByRole('button', { name: t('desk.address.change') }).click()
  await expect(page.getByLabel(t('checkout.block'), { exact: true })).toBeFocused()
  await page.getByLabel(t('checkout.road'), { exact: true }).fill('٢٨٣٥')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(panel.getByText(/2835/).first()).toBeVisible()
  await expect(panel.getByText(t('desk.event.address'))).toBeVisible()

  await panel.getByRole('button', { name: t('desk.act.prepare') }).click()
  await panel.getByRole('button', { name: t('desk.act.chooseDriver') }).click()
  await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click()
  // The button shows the name of the assigned driver.
  const [before = '', after = ''] = t('desk.act.ship', { name: '|' }).split('|')
  await panel.getByRole('button').filter({ hasText: before.trim() }).filter({ hasText: after.trim() }).click()
  await panel.getByRole('button', { name: t('desk.act.deliver') }).click()
  await page
    .getByRole('dialog', { name: t('desk.cash.title') })
    .getByRole('button', { name: t('desk.cash.admin') })
    .click()
  await expect(panel.getByText(t('admin.status.delivered')).first()).toBeVisible()
  await expect(panel.getByText(t('admin.payment.paid')).first()).toBeVisible()

  // After the undo window the timeline lists each step; the delivery's line says the payment.
  const timeline = panel.getByRole('list', { name: t('desk.timeline') }).getByRole('listitem')
  await expect(timeline).toHaveCount(6)
  if (!isPhone) await expect(row).toContainText(t('admin.status.delivered'))
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(row).toContainText(t('admin.status.delivered'))
})

test('of two dispatchers at one order the second sees who was first, and the current state @core', async ({
  page,
  shop,
  watch,
  t,
}) => {
  void shop
  watch.allow(/409.*status/)
  // The second page has not received the event yet.
  watch.allow(/admin\/events/)
  await page.route('**/api/admin/events*', (route) => route.abort())
  const { id, short } = await orderAndSitDown(page)
  await page.goto(`/admin/orders?open=${id}`)
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: short }) })
  const next = panel.getByRole('button', { name: t('desk.act.prepare') })
  await expect(next).toBeVisible()
  const other = await requests.newContext({ baseURL: plain.origin })
  await signInRequest(other, '+97336000002')
  expect((await other.patch(`/api/admin/orders/${id}/status`, { data: { status: 'cancelled' } })).status()).toBe(200)
  await other.dispose()
  await next.click()
  // The server refuses it at the end of the undo window.
  await expect(panel.getByRole('alert')).toContainText(t('admin.status.cancelled'))
  await expect(next).toBeHidden()
  await expect(panel.getByText(t('admin.status.cancelled')).first()).toBeVisible()
})

test('a bulk move of two orders can be undone, and is sent otherwise @desk', async ({ page, shop, t }) => {
  void shop
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const ids = [
    (await placeByCalls(page, { productId: 6, quantity: 7 })).id,
    (await placeByCalls(page, { productId: 6, quantity: 8 })).id,
  ]
  await signInToAdmin(page, dispatcher, `/admin/orders?q=${encodeURIComponent(phone.slice(-8))}`)
  const statuses = () =>
    Promise.all(ids.map(async (id) => (await (await page.request.get(`/api/admin/orders/${id}`)).json()).status))
  const rows = page.locator('[data-row]')
  await expect(rows).toHaveCount(2)

  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: t('desk.bulk.prepare'), exact: true }).click()
  for (const row of await rows.all()) await expect(row).toContainText(t('admin.status.in-progress'))
  await page.getByRole('button', { name: t('desk.bulk.undo') }).click()
  for (const row of await rows.all()) await expect(row).toContainText(t('admin.status.new'))
  // Longer than the undo window: nothing was sent.
  await page.waitForTimeout(7_000)
  expect(await statuses()).toEqual(['new', 'new'])

  // Undo restores the selection; leaving the page sends the waiting action.
  await page.getByRole('button', { name: t('desk.bulk.prepare'), exact: true }).click()
  await page.goto('/admin/products')
  await expect.poll(statuses).toEqual(['in-progress', 'in-progress'])
})
