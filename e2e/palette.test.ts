import type { Page } from '@playwright/test'
import { placeByCalls } from './shop/customers.ts'
import { newPhone, removeSession, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import { type Words, wordsIn } from './shop/words.ts'

const vendorAdmin = '+97336000002'
const dispatcher = '+97336000003'

/** By the keys on a wide screen; on a phone from the menu. */
async function openPalette(page: Page, t: Words, isPhone: boolean) {
  if (isPhone) {
    await page.getByRole('button', { name: t('admin.nav.more') }).click()
    await page.getByRole('button', { name: t('admin.find.open') }).click()
  } else await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: t('admin.find.open') })
  await expect(field).toBeFocused()
  return field
}

test('Ctrl+K finds an order by phone and a page by its name in the other language @desk', async ({
  page,
  shop,
  t,
  lang,
  isPhone,
}) => {
  void shop
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7, customerName: 'إيمان العلي' })
  await signInToAdmin(page, dispatcher, '/admin/drivers')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const field = await openPalette(page, t, isPhone)
  await field.fill(phone.slice(-8))
  const order = page.getByRole('option').filter({ hasText: id.slice(0, 4) })
  await expect(order).toContainText('إيمان العلي')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/admin/orders\\?.*open=${id}`))
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) })
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  // What was opened lately is there again; Escape closes the search and leaves the page as it is.
  await openPalette(page, t, isPhone)
  await expect(page.getByRole('group', { name: t('admin.find.recent') }).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(page).toHaveURL(/\/admin\/orders/)

  await openPalette(page, t, isPhone)
  await field.fill(wordsIn(lang === 'ar' ? 'en' : 'ar')('admin.nav.customers'))
  await page
    .getByRole('group', { name: t('admin.find.pages') })
    .getByRole('option', { name: t('admin.nav.customers') })
    .click()
  await expect(page).toHaveURL(/\/admin\/customers/)
})

test('a view that a dispatcher saves is there for the vendor’s admin, who removes it @desk', async ({
  page,
  shop,
  t,
}) => {
  void shop
  const name = `Vans ${Date.now()}`
  // Addresses in the rows have the word too.
  const views = page.getByRole('button', { name: new RegExp(`^${t('desk.views')}`) })
  await signInToAdmin(page, dispatcher, '/admin/orders?status=shipped')
  await views.click()
  await page.getByLabel(t('desk.view.name')).fill(name)
  await page.getByRole('button', { name: t('desk.view.save') }).click()
  await expect(page.getByRole('status').filter({ hasText: t('desk.view.saved') })).toBeVisible()

  await removeSession(page)
  await signInToAdmin(page, vendorAdmin, '/admin/orders?day=all')
  await views.click()
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page).toHaveURL(/status=shipped/)
  await views.click()
  await page.getByRole('button', { name: t('desk.view.remove', { name }) }).click()
  await expect(page.getByRole('button', { name: t('desk.view.remove', { name }) })).toHaveCount(0)
})
