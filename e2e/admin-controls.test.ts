import { placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const superAdmin = '+97336000001'

// These journeys run with the production Content-Security-Policy; every violation fails them.

test('a filter menu opens, moves and closes by keyboard and returns the focus @desktop', async ({ page, shop, t }) => {
  void shop
  await signInToAdmin(page, superAdmin, '/admin/orders')
  const chip = page.getByRole('search').getByRole('button', { name: t('desk.filter.payment'), exact: true })
  const options = page.getByRole('menu').getByRole('menuitemcheckbox')
  await chip.focus()
  await page.keyboard.press('ArrowDown')
  await expect(options.first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(options.last()).toBeFocused()
  // Typeahead: the first letter of an option moves to it.
  const key = (await options.first().textContent())?.[0] ?? ''
  await options.last().dispatchEvent('keydown', { key })
  await expect(options.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(options.first()).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(page.getByRole('search').locator('[aria-haspopup]:focus')).toHaveCount(1)
})

test('the area filter is searched regardless of the alef form, and stays open @desk', async ({ page, shop, t }) => {
  void shop
  await signInToAdmin(page, superAdmin, '/admin/orders')
  const label = t('desk.filter.area')
  await page.getByRole('search').getByRole('button', { name: label }).click()
  const options = page.getByRole('menuitemcheckbox')
  await expect(options.first()).toBeVisible()
  const name = (await options.last().textContent()) ?? ''
  await page.getByRole('searchbox', { name: t('admin.searchIn', { name: label }) }).fill(name.replaceAll(/[أإآ]/g, 'ا'))
  await expect(options).toHaveText([name])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/area=/)
  await expect(options.first()).toHaveAttribute('aria-checked', 'true')
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
})

test('a popover closes on an outside click and when the focus leaves it @desk', async ({ page, shop, t }) => {
  void shop
  await signInToAdmin(page, superAdmin, '/admin/orders')
  const chip = page.getByRole('search').getByRole('button', { name: t('desk.filter.placed') })
  const panel = page.getByRole('dialog', { name: t('desk.filter.placed') })
  await chip.click()
  await expect(panel.getByRole('button').first()).toBeFocused()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(panel).toHaveCount(0)
  await chip.focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(panel).toHaveCount(0)
})

test('a combobox in a modal dialog searches and selects by keyboard @desk', async ({ page, shop, t, lang }) => {
  void shop
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7 })
  await signInToAdmin(page, superAdmin, `/admin/orders/${id}`)
  await page.getByRole('button', { name: t('desk.address.change') }).click()
  const dialog = page.getByRole('dialog')
  const area = dialog.getByRole('combobox', { name: t('desk.filter.area') })
  const before = await area.inputValue()
  await area.click()
  await expect(dialog.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('option')).toHaveCount(0)
  await expect(dialog, 'Escape closes the list first').toBeVisible()
  await area.fill(lang === 'ar' ? 'المحرق' : 'Muharraq')
  await expect(dialog.getByRole('option').first()).toHaveAttribute('data-highlighted', '')
  await page.keyboard.press('Enter')
  await expect(area).not.toHaveValue(before)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})
