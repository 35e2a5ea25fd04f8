import type { Page } from '@playwright/test'
import type { Dashboard } from '@qatra/contract/dashboard/dashboard'
import { audit } from './shop/audit.ts'
import { placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const vendorAdmin = '+97336000002'

const totalOf = async (page: Page) => {
  const answer = await page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/api/admin/orders' && response.ok(),
  )
  return ((await answer.json()) as { total: number }).total
}

/** Other journeys change orders meanwhile: retried until the figures are stable. */
const agreed = (look: () => Promise<void>) => expect(look).toPass()

test('dashboard figures link to exactly the orders they count @desk', async ({ page, shop, t, isPhone }) => {
  void shop
  await signInCustomerByCalls(page, newPhone())
  await placeByCalls(page, { productId: 6, quantity: 7 })
  await signInToAdmin(page, vendorAdmin, '/admin')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('dashboard.title'))
  const periods = page.getByRole('navigation', { name: t('dashboard.period') })
  await periods.getByRole('link', { name: t('dashboard.period.today') }).click()
  await expect(page).toHaveURL(/period=today/)
  await expect(periods.getByRole('link', { name: t('dashboard.period.today') })).toHaveAttribute(
    'aria-current',
    /page|true/,
  )
  const figures = page.getByRole('region', { name: t('dashboard.figures') })
  await expect(figures).toBeVisible()
  await audit(page, 'today', { least: isPhone ? 44 : 24 })
  await page.reload()

  await agreed(async () => {
    await page.goto('/admin/dashboard?period=today')
    // The first link of each tile is its number.
    const orders = figures.getByRole('link', { name: /^[\d,]+$/ }).first()
    const said = Number((await orders.innerText()).replace(/,/g, ''))
    expect(said).toBeGreaterThan(0)
    const [total] = await Promise.all([totalOf(page), orders.click()])
    expect(total).toBe(said)
  })
  await expect(page).toHaveURL(/\/admin\/orders\?.*from=/)
  await expect(page.getByRole('button', { name: t('desk.filter.notCancelled') })).toBeVisible()
})

test('a month is shown as chart, table and product ranking @desk @english', async ({ page, shop, t, isPhone }) => {
  void shop
  await signInToAdmin(page, vendorAdmin, '/admin/dashboard?period=today')
  const periods = page.getByRole('navigation', { name: t('dashboard.period') })
  await periods.getByRole('link', { name: t('dashboard.period.month') }).click()
  await expect(page).toHaveURL(/period=month/)
  const answer = await page.request.get('/api/admin/dashboard?period=month')
  const { byDay } = (await answer.json()) as Dashboard
  const days = page.getByRole('list', { name: t('dashboard.byDay') }).getByRole('link')
  await expect(days).toHaveCount(byDay.length)
  await audit(page, 'month', { least: isPhone ? 44 : 24 })
  await page.reload()

  // The same figures as a table, by keyboard.
  const toTable = page.getByRole('button', { name: `${t('dashboard.table')}: ${t('dashboard.byDay')}` })
  await toTable.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(byDay.length + 1)

  // The count of a product, from its row.
  await agreed(async () => {
    await page.goto('/admin/dashboard?period=month')
    const now = await page.request.get('/api/admin/dashboard?period=month')
    const [first] = ((await now.json()) as Dashboard).byProduct
    const products = page.getByRole('region', { name: t('dashboard.products') })
    const [ofProduct] = await Promise.all([
      totalOf(page),
      products.getByRole('listitem').first().getByRole('link').click(),
    ])
    expect(ofProduct).toBe(first?.orders)
    await expect(page).toHaveURL(new RegExp(`product=${first?.productId}`))
  })
})

test('the dashboard shows all vendors, or one vendor', async ({ page, shop, t }) => {
  void shop
  await signInToAdmin(page, '+97336000001', '/admin/dashboard?period=month')
  const vendors = page.getByRole('region', { name: t('dashboard.vendors') })
  await expect(vendors.getByRole('link').first()).toBeVisible()
  await page.goto('/admin/dashboard?period=month&vendor=1')
  await expect(page.getByRole('region', { name: t('dashboard.figures') })).toBeVisible()
  await expect(vendors).toHaveCount(0)
})
