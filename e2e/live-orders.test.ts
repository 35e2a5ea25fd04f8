import { join } from 'node:path'
import { type Browser, type Page, request as requests } from '@playwright/test'
import { folder, freePort, plain } from './settings.ts'
import { bringTo, placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { startOwnServer, stopOwnServer } from './shop/own-server.ts'
import { newPhone, signInCustomerByCalls, signInRequest, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

/** A dispatcher of the first vendor for one journey, who has read all that the bell has counted so far. */
async function newDispatcher(): Promise<string> {
  const phone = newPhone()
  await query(
    `with person as (
       insert into users (phone, name, role, vendor_id, is_verified) values ($1, 'Huda', 'vendor_staff', 1, true) returning id
     )
     insert into notification_marks (user_id, read_up_to)
     select person.id, coalesce((select max(id) from notifications), 0) from person`,
    [phone],
  )
  return phone
}

/** A customer in another browser who orders from the first vendor. */
async function orderElsewhere(browser: Browser, baseURL: string = plain.origin) {
  const context = await browser.newContext({ baseURL })
  try {
    const page = await context.newPage()
    await signInCustomerByCalls(page, newPhone())
    return await placeByCalls(page, { productId: 6, quantity: 7 })
  } finally {
    await context.close()
  }
}

const bellOf = (page: Page, t: Words) =>
  page
    .getByRole('button', { name: t('notifications.title') })
    .locator('visible=true')
    .first()
/** Other journeys place orders too, so this is a minimum. */
async function unreadOf(page: Page, t: Words): Promise<number> {
  return Number(/\d+/.exec(await bellOf(page, t).innerText())?.[0] ?? 0)
}
async function sitDown(page: Page, { path = '/admin/orders', phone = '' } = {}) {
  const listening = page.waitForResponse(/\/api\/admin\/events/, { timeout: 0 })
  await signInToAdmin(page, phone || (await newDispatcher()), path)
  await listening
}

test('a new order appears in the admin area of another browser, with sound and notification @desk @english @core', async ({
  page,
  browser,
  shop,
  isPhone,
  t,
}) => {
  void shop
  await sitDown(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => unreadOf(page, t)).toBeGreaterThanOrEqual(0)
  const before = await unreadOf(page, t)
  const { id } = await orderElsewhere(browser)

  await expect.poll(() => unreadOf(page, t)).toBeGreaterThan(before)
  await expect(page).toHaveTitle(/^\(\d+\+?\) /)
  // The list keeps its rows and shows a hint.
  const hint = page.getByRole('status').filter({ has: page.getByRole('button') })
  await expect(hint).toBeVisible()
  await expect(page.locator(`[data-row="${id}"]`)).toHaveCount(0)
  await hint.getByRole('button').click()
  await expect(
    page
      .locator(`[data-row="${id}"]`)
      .or(page.getByText(id.slice(0, 4)))
      .first(),
  ).toBeVisible()

  await bellOf(page, t).click()
  const panel = page.getByRole('dialog', { name: t('notifications.title') })
  await expect(panel.getByText(t('notifications.line.connected'), { exact: true })).toBeVisible()
  const row = panel.getByRole('link').filter({ hasText: id.slice(0, 4) })
  await expect(row).toContainText(t('notifications.order-placed'))
  await expect(row).toContainText(t('notifications.unread'))
  await row.click()
  await expect(page).toHaveURL(new RegExp(`open=${id}`))
  // On a phone the panel covers the page.
  if (isPhone) await page.keyboard.press('Escape')
  await bellOf(page, t).click()
  await expect(row).toBeVisible()
  await expect(row).not.toContainText(t('notifications.unread'))
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
})

test('a colleague’s change to an order appears at once in its row @desk', async ({ page, browser, shop, t }) => {
  void shop
  const { id } = await orderElsewhere(browser)
  await sitDown(page, { path: `/admin/orders?open=${id}` })
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) })
  await expect(panel.getByText(t('admin.status.new')).first()).toBeVisible()
  await bringTo(id, 'in-progress')
  await expect(panel.getByText(t('admin.status.in-progress')).first()).toBeVisible()
})

test('the hint of a new order moves no row, and stays while a colleague changes another order and when scrolled @desk', async ({
  page,
  browser,
  shop,
  t,
}) => {
  void shop
  const other = await orderElsewhere(browser)
  await sitDown(page, { path: '/admin/orders?day=all' })
  await expect(page.locator(`[data-row="${other.id}"]`)).toBeVisible()
  await orderElsewhere(browser)
  const hint = page.getByRole('status').filter({ has: page.getByRole('button') })
  await expect(hint).toBeVisible()
  // Measured without a pause, since live events may change the list.
  const moved = await hint.evaluate((element) => {
    const top = () => document.querySelector('[data-row]')?.getBoundingClientRect().top ?? Number.NaN
    const withHint = top()
    element.setAttribute('hidden', '')
    const without = top()
    element.removeAttribute('hidden')
    return withHint - without
  })
  expect(moved, 'pixels by which the hint moves the first row').toBe(0)
  await bringTo(other.id, 'in-progress')
  await expect(page.locator(`[data-row="${other.id}"]`)).toContainText(t('admin.status.in-progress'))
  await expect(hint).toBeVisible()
  await page.mouse.wheel(0, 1_200)
  await expect(hint).toBeInViewport()
  // With another sort order the new order would be on another page.
  await page.goto('/admin/orders?day=all&sort=customer')
  await expect(page.locator('[data-row]').first()).toBeVisible()
  const { id } = await orderElsewhere(browser)
  await hint.getByRole('button').click()
  await expect(page.locator(`[data-row="${id}"]`)).toBeVisible()
})

test('each of three tabs follows the orders, also after one is closed', async ({ page, context, browser, shop, t }) => {
  void shop
  await sitDown(page)
  const second = await context.newPage()
  await second.goto('/admin/orders')
  const third = await context.newPage()
  await third.goto('/admin/orders')
  await expect(bellOf(third, t)).toBeVisible()
  const before = await unreadOf(third, t)
  await orderElsewhere(browser)
  await expect.poll(() => unreadOf(third, t)).toBeGreaterThan(before)
  const between = await unreadOf(second, t)
  await page.close()
  await orderElsewhere(browser)
  await expect.poll(() => unreadOf(second, t)).toBeGreaterThan(between)
})

test('the sound stays off once it is switched off, and one click marks everything read', async ({
  page,
  browser,
  shop,
  t,
}) => {
  void shop
  await orderElsewhere(browser)
  await sitDown(page)
  await bellOf(page, t).click()
  const panel = page.getByRole('dialog', { name: t('notifications.title') })
  await panel.getByRole('button', { name: t('notifications.mute') }).click()
  await panel.getByRole('button', { name: t('notifications.readAll') }).click()
  await page.reload()
  await bellOf(page, t).click()
  await expect(panel.getByRole('button', { name: t('notifications.unmute') })).toBeVisible()
})

test('after a server restart the page reconnects and has all events', async ({ browser, lang, t }, { workerIndex }) => {
  const port = await freePort()
  const baseURL = `http://localhost:${port}`
  const own = { port, origin: baseURL, dataDir: join(folder, `own-${lang}-${workerIndex}`) }
  const start = () => startOwnServer(own, { RATE_LIMITS: 'off' })
  let server = await start()
  const context = await browser.newContext({ baseURL })
  try {
    await context.addCookies([{ name: 'lang', value: lang, url: baseURL }])
    const page = await context.newPage()
    await sitDown(page, { phone: '+97336000003' })
    const before = await unreadOf(page, t)
    const loads: string[] = []
    page.on('domcontentloaded', () => loads.push(page.url()))
    await stopOwnServer(server)
    await bellOf(page, t).click()
    const panel = page.getByRole('dialog', { name: t('notifications.title') })
    await expect(panel.getByText(t('notifications.line.connecting'))).toBeVisible()
    server = await start()
    const customer = await requests.newContext({ baseURL })
    await signInRequest(customer, newPhone())
    await customer.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
    const place = { lat: 26.2378, lng: 50.5402 }
    const data = { customerName: 'مريم العلي', address: 'مجمع 428، طريق 2831', mapCoordinates: place }
    expect((await customer.post('/api/orders', { data })).status()).toBe(200)
    await customer.dispose()
    await expect(panel.getByText(t('notifications.line.connected'), { exact: true })).toBeVisible()
    await expect(panel.getByRole('link').first()).toContainText(t('notifications.order-placed'))
    await expect.poll(() => unreadOf(page, t)).toBe(before + 1)
    expect(loads).toEqual([])
  } finally {
    await context.close()
    await stopOwnServer(server)
  }
})
