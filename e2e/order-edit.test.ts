import type { Page } from '@playwright/test'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { bringTo, placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const dispatcher = '+97336000003'
const productId = 6

const stored = async ({ request }: Page, path: string) => {
  const order: { total: number; items: { quantity: number }[] } = await (await request.get(path)).json()
  return { total: order.total, quantities: order.items.map(({ quantity }) => quantity) }
}

test('a customer changes items and address of an order until it is shipped @wide @core', async ({
  page,
  shop,
  t,
  lang,
}) => {
  await signInCustomerByCalls(page, newPhone())
  const { id, total } = await placeByCalls(page, { productId, quantity: 7 })
  await shop.open(`/orders/${id}`)
  await shop.button(t('edit.change')).click()
  const items = page.getByRole('dialog', { name: t('edit.title') })
  const save = items.getByRole('button', { name: t('edit.save', { total: '' }).trim() })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await items
    .getByRole('button', { name: t('ui.increase') })
    .first()
    .click()
  await expect(items.getByText(t('edit.more'))).toBeVisible()
  await expect(items.getByText(t('unit.gallon', { count: 8 }))).toBeVisible()
  await save.click()
  await expect(items).toBeHidden()
  const after = await stored(page, `/api/orders/${id}`)
  expect(after.quantities).toEqual([8])
  expect(after.total).toBeGreaterThan(total)
  await expect(page.getByText(formatMoney(fromBhd(after.total), lang)).first()).toBeVisible()

  await shop.button(t('edit.address.change')).click()
  const address = page.getByRole('dialog', { name: t('edit.address.title') })
  await address.getByLabel(t('checkout.building')).fill('1180')
  await address.getByLabel(t('checkout.instructions')).fill('Blue door')
  await address.getByRole('button', { name: t('edit.address.save') }).click()
  await expect(address).toBeHidden()
  await expect(page.getByText('Blue door')).toBeVisible()

  await bringTo(id, 'shipped')
  await page.reload()
  await expect(shop.button(t('edit.change'))).toHaveCount(0)
  await expect(shop.button(t('edit.address.change'))).toHaveCount(0)
})

test('the office changes the items of an order, with both lists in its history @desk', async ({ page, shop, t }) => {
  void shop
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const { id } = await placeByCalls(page, { productId, quantity: 7 })
  await signInToAdmin(page, dispatcher, `/admin/orders?q=${encodeURIComponent(phone.slice(-8))}`)
  await page.locator(`[data-row="${id}"]`).click()
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) })
  await panel.getByRole('button', { name: t('edit.change') }).click()
  const dialog = page.getByRole('dialog', { name: t('edit.title') })
  await dialog
    .getByRole('button', { name: t('ui.increase') })
    .first()
    .click()
  await dialog.getByRole('button', { name: t('edit.save', { total: '' }).trim() }).click()
  await expect(dialog).toBeHidden()
  expect((await stored(page, `/api/admin/orders/${id}`)).quantities).toEqual([8])
  const history = panel.getByRole('list', { name: t('desk.timeline') })
  await expect(history).toContainText(/\b7 /)
  await expect(history).toContainText(/\b8 /)
})
