import type { Page } from '@playwright/test'
import { isolated } from '@qatra/contract/lib/text'
import { placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const superAdmin = '+97336000001'

/** Places two orders of a new customer, then signs a dispatcher in to the admin area in the same browser. */
async function ordersAtTheDesk(page: Page, count = 2) {
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    ids.push((await placeByCalls(page, { productId: 6, quantity: 7, customerName: 'مريم العلي' })).id)
  }
  await signInToAdmin(page, superAdmin, '/admin/orders')
  return { phone, ids }
}

/** The focused element once the page is idle; fails if it is the body or detached. */
async function focused(page: Page, after: string): Promise<string> {
  await page.waitForTimeout(250)
  await page.waitForLoadState('networkidle')
  const found = await page.evaluate(() => {
    const element = document.activeElement
    return element === null ? 'nothing' : `${element.tagName} ${element.textContent?.trim().slice(0, 40) ?? ''}`
  })
  expect(found, `focus after ${after}`).not.toMatch(/^(BODY|nothing)/)
  return found
}

const isInBulkBar = (page: Page) => page.evaluate(() => document.activeElement?.closest('[data-bulk]') !== null)

test('the focus never falls to the body while a dispatcher works by keyboard @desktop @core', async ({
  page,
  shop,
  lang,
  t,
}) => {
  void shop
  const { phone, ids } = await ordersAtTheDesk(page)
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(phone.slice(-8))
  await expect(page.locator('[data-row]')).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-row]').first()).toBeFocused()

  // Selects two rows by arrow keys; Tab then reaches the bulk actions.
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  let tabs = 0
  while (!(await isInBulkBar(page)) && tabs < 80) {
    await page.keyboard.press('Tab')
    tabs += 1
  }
  expect(tabs, 'tabs from the selection to its actions').toBeLessThanOrEqual(3)

  const prepare = page.getByRole('button', { name: t('desk.bulk.prepare'), exact: true })
  await prepare.focus()
  await page.keyboard.press('Enter')
  await focused(page, 'a bulk act')
  await expect(page.getByRole('checkbox', { checked: true }).and(page.locator('tbody input'))).toHaveCount(2)
  await page.keyboard.press('z')
  await expect(page.locator('[data-row]').first()).toContainText(t('admin.status.new'))
  await focused(page, 'undo')
  await page.keyboard.press('b')
  expect(await isInBulkBar(page)).toBe(true)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await focused(page, 'a dialog closed by Escape')
  await page.getByRole('button', { name: t('admin.clearSelection') }).focus()
  await page.keyboard.press('Enter')
  await focused(page, 'the end of the selection')

  // Moves one order through all statuses.
  const row = page.locator(`[data-row="${ids[0]}"]`)
  await row.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: ids[0]?.slice(0, 4) ?? '' }) })
  await panel.getByRole('button', { name: t('desk.act.prepare') }).focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByText(t('admin.status.in-progress')).first()).toBeVisible()
  await focused(page, 'the next act')
  await panel
    .getByRole('button', { name: t('desk.act.chooseDriver') })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('listitem').first().getByRole('button')).toBeVisible()
  await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: t('desk.driver.change'), exact: true })).toBeVisible()
  await focused(page, 'the choice of a driver')
  for (const end of [t('admin.cancel'), t('desk.note.save')]) {
    await panel.getByRole('button', { name: t('desk.tool.note') }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('اتصل قبل الوصول')
    await panel.getByRole('button', { name: end, exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('button', { name: t('desk.tool.note') })).toBeVisible()
    await focused(page, `a note: ${end}`)
  }
  await panel.getByRole('button', { name: t('desk.tool.cancel') }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('desk.cancel.do') })
    .focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByText(t('admin.status.cancelled')).first()).toBeVisible()
  await focused(page, 'the end of an order')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await focused(page, 'closing the panel')

  // Saves a view of a filter and deletes it, in a popover.
  const name = `صباح ${newPhone()}`
  const shown = lang === 'en' ? isolated(name) : name
  await page.goto('/admin/orders?payment=unpaid')
  await page
    .getByRole('button', { name: t('desk.views') })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await page.getByLabel(t('desk.view.name')).fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('desk.view.saved'))).toBeVisible()
  await focused(page, 'saving a view')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: t('desk.view.remove', { name: shown }) }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('desk.view.removed', { name: shown }))).toBeVisible()
  await focused(page, 'deleting a view')
})

test('a closed panel returns the focus to its row in every list @desk', async ({ page, shop }) => {
  void shop
  await signInToAdmin(page, superAdmin, '/admin/orders')
  for (const width of [1280, 800]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/admin/orders', '/admin/drivers', '/admin/users', '/admin/customers', '/admin/vendors']) {
      await page.goto(path)
      await expect(page.locator('[data-row]').first()).toBeVisible()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('complementary')).toBeVisible()
      await focused(page, `opening a row of ${path}`)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('complementary')).toBeHidden()
      await focused(page, `closing the panel of ${path} at ${width}`)
    }
  }
})

test('Enter in the search opens the found order, and Escape returns the focus to the search @desk', async ({
  page,
  shop,
  t,
}) => {
  void shop
  const { ids } = await ordersAtTheDesk(page, 1)
  const short = ids[0]?.slice(0, 4) ?? ''
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(ids[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: t('desk.panel', { id: short }) })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: t('desk.search') })).toBeFocused()
})

test('beside an open panel every column of the desk keeps its width @desktop', async ({ page, shop, t }) => {
  void shop
  const { ids } = await ordersAtTheDesk(page, 1)
  for (const width of [1280, 1366, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/admin/orders?open=${ids[0]}`)
    await expect(page.getByRole('complementary')).toBeVisible()
    await expect(page.locator('[data-row]').first()).toBeVisible()
    for (const key of ['desk.column.customer', 'desk.column.area'] as const) {
      const box = await page.getByRole('columnheader', { name: t(key) }).boundingBox()
      expect(box?.width, `${key} at ${width}`).toBeGreaterThanOrEqual(100)
    }
    const table = await page
      .getByRole('table')
      .evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0))
    expect(table, `the table at ${width}`).toBeLessThanOrEqual(0)
  }
})

test('the panel shows the delivery day largest, the driver, the stop number and contact links @desk', async ({
  page,
  shop,
  t,
}) => {
  void shop
  const { ids } = await ordersAtTheDesk(page, 1)
  const id = ids[0] ?? ''
  const drivers: { id: number; name: string; vendorId: number }[] = await (
    await page.request.get('/api/admin/drivers?vendorId=1')
  ).json()
  const [driver] = drivers
  expect((await page.request.put(`/api/admin/orders/${id}/driver`, { data: { driverId: driver?.id } })).status()).toBe(
    200,
  )
  await page.goto(`/admin/orders?open=${id}`)
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) })
  await expect(panel.getByText(driver?.name ?? '').first()).toBeVisible()
  const [before = '', between = ''] = t('desk.driver.stop', { number: '|', count: '|' }).split('|')
  await expect(panel.getByText(new RegExp(`${before}\\d+${between}\\d+`))).toBeVisible()
  await expect(panel.getByRole('link', { name: t('desk.call', { name: driver?.name ?? '' }) })).toHaveAttribute(
    'href',
    /^tel:/,
  )
  await expect(panel.getByRole('link', { name: t('desk.whatsapp', { name: driver?.name ?? '' }) })).toBeVisible()
  const sizes = await panel.evaluate((element) => {
    const size = (one: Element | null) => Number.parseFloat(one ? getComputedStyle(one).fontSize : '0')
    const all = [...element.querySelectorAll('section *')].map(size)
    return { day: size(element.querySelector('section time')), largest: Math.max(...all) }
  })
  expect(sizes.day).toBe(sizes.largest)
})
