import { query } from './shop/database.ts'
import { newPhone, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const agent = '+97336000004'

test('a sales agent places two orders by keyboard alone @desk @english @core', async ({
  page,
  shop,
  watch,
  lang,
  t,
  isPhone,
}) => {
  const phone = newPhone()
  // A phone number without a customer.
  watch.allow(/404.*sales\/customers/)
  const [seef, water, gallon] = [
    await shop.named.area('seef'),
    await shop.named.product(1),
    await shop.named.product(6),
  ]
  const keys = page.keyboard
  const focused = page.locator(':focus')
  const offered = (name: string) => expect(page.getByRole('option').filter({ hasText: name }).first()).toBeVisible()
  const placed = async (name: string) => {
    await expect(page.getByRole('heading', { name: t('sale.done') })).toBeVisible()
    await expect(page.getByText(name)).toBeVisible()
    const [order] = await query<{ total: number; placed_by: number; lines: number }>(
      `select o.total, o.placed_by, (select count(*)::int from order_items i where i.order_id = o.id) as lines
       from orders o where phone = $1 order by created_at desc limit 1`,
      [phone],
    )
    expect(order?.lines).toBe(2)
    await expect(page.getByText(shop.money(Number(order?.total) / 1000)).first()).toBeVisible()
    return order
  }
  await signInToAdmin(page, agent, '/admin/sales/place-order')

  await test.step('a new customer: name, area, door, products', async () => {
    await expect(page.getByLabel(t('sale.phone'), { exact: true })).toBeFocused()
    await keys.type(phone.slice(4))
    await keys.press('Enter')
    await expect(page.getByLabel(t('sale.name'))).toBeFocused()
    await keys.type(lang === 'ar' ? 'مريم علي' : 'Maryam Ali')
    await keys.press('Enter')
    await keys.type(seef.name)
    await offered(seef.name)
    await keys.press('Enter')
    await expect(page.getByText(t('sale.delivers', { area: seef.name }))).toBeVisible()
    await expect(page.getByLabel(t('checkout.block'), { exact: true })).toBeFocused()
    for (const part of ['428', '2831', '1172']) {
      await keys.type(part)
      await keys.press('Enter')
    }
    for (const { name } of [water, gallon]) {
      await expect(page.getByRole('combobox', { name: t('sale.add') })).toBeFocused()
      await keys.type(name)
      await offered(name)
      await keys.press('Enter')
      await expect(focused).toHaveAttribute('inputmode', 'numeric')
      await keys.type('2')
      await keys.press('Enter')
    }
    await keys.press('Control+Enter')
    await placed(lang === 'ar' ? 'مريم علي' : 'Maryam Ali')
  })

  await test.step('the same customer again: number, same again, done', async () => {
    await expect(shop.button(t('sale.next'))).toBeFocused()
    await keys.press('Enter')
    await expect(page.getByLabel(t('sale.phone'), { exact: true })).toBeFocused()
    await keys.type(phone.slice(4))
    await keys.press('Enter')
    await expect(shop.button(t('sale.again'))).toBeFocused()
    await keys.press('Enter')
    await expect(page.getByRole('combobox', { name: t('sale.add') })).toBeFocused()
    await page.reload()
    await expect(page.getByLabel(t('sale.name'))).toHaveValue(lang === 'ar' ? 'مريم علي' : 'Maryam Ali')
    await expect(page.getByLabel(t('sale.phone'), { exact: true })).toBeFocused()
    await keys.press('Control+Enter')
    const order = await placed(lang === 'ar' ? 'مريم علي' : 'Maryam Ali')
    const [seller] = await query<{ id: number }>('select id from users where phone = $1', [agent])
    expect(order?.placed_by).toBe(seller?.id)
  })

  await test.step('both stand under my sales, with a delivery note', async () => {
    await page.goto('/admin/sales')
    const name = lang === 'ar' ? 'مريم علي' : 'Maryam Ali'
    await (isPhone ? page.getByRole('listitem') : page.getByRole('row')).filter({ hasText: name }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/[A-Z0-9]{4} [A-Z0-9]{4}/)
    const saved = page.waitForEvent('download')
    await shop.button(t('receiptButton.deliveryNote')).click()
    await page.getByRole('menuitem').first().click()
    expect((await saved).suggestedFilename()).toMatch(/^delivery-note-[A-Z0-9]{16}\.pdf$/)
  })
})
