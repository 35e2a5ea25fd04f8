import type { Page } from '@playwright/test'
import { expireSession } from './shop/expire-session.ts'
import { linkFor } from './shop/links.ts'
import { newPhone, removeSession, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const staff = [
  { role: 'super_admin', phone: '+97336000001', path: '/admin/vendors?search=a' },
  { role: 'vendor_admin', phone: '+97336000002', path: '/admin/users?role=driver' },
  { role: 'vendor_staff', phone: '+97336000003', path: '/admin/orders?status=new&page=2' },
  { role: 'vendor_sales', phone: '+97336000004', path: '/admin/sales?page=2' },
  { role: 'driver', phone: '+97336000005', path: '/admin/run' },
] as const

const addressOf = (page: Page) => page.evaluate(() => location.pathname + location.search)
const adminPage = (page: Page) => page.locator('.admin #main:not([aria-busy])')

for (const { role, phone, path } of staff) {
  test(`${role} signs in by the form and lands on the admin page of the address @desk @core`, async ({
    page,
    shop,
    t,
  }) => {
    await shop.open('/about')
    await signInToAdmin(page, phone, path)
    expect(await addressOf(page)).toBe(path)
    await expect(page.getByText(t('shell.title.notFound'))).toHaveCount(0)
    await expect(page.getByRole('navigation', { name: t('admin.nav') }).filter({ visible: true })).toBeVisible()

    // The sign-in page left no entry in the history.
    await page.goBack()
    await expect(page).toHaveURL((url) => url.pathname === '/about')
    await page.goForward()
    await expect(adminPage(page)).toBeVisible()
    expect(await addressOf(page)).toBe(path)
  })
}

test('/admin redirects each role to its first admin page after sign-in', async ({ page, shop }) => {
  await shop.open('/about')
  await signInToAdmin(page, '+97336000005', '/admin')
  await expect(page).toHaveURL((url) => url.pathname === '/admin/run')
})

test('the sign-in page redirects signed-in staff to the admin page with its query', async ({ page, shop, t }) => {
  await signInToAdmin(page, '+97336000002')
  const target = '/admin/orders?status=new&q=3600'
  await shop.open('/about')
  // Before the page has loaded: it leaves by itself.
  const arrived = { waitUntil: 'commit' } as const
  await page.goto(`/login?redirect=${encodeURIComponent(target)}`, arrived)
  await expect(page.getByText(t('login.already'))).toBeVisible()
  await page.waitForURL(({ pathname }) => pathname === '/admin/orders')
  await expect(adminPage(page)).toBeVisible()
  expect(await addressOf(page)).toBe(target)
  await page.goBack()
  await expect(page).toHaveURL((url) => url.pathname === '/about')

  await page.goto(`/login?redirect=${encodeURIComponent(target)}`, arrived)
  // The page leaves by itself, before or after the press.
  await Promise.any([shop.button(t('login.continue')).click(), adminPage(page).waitFor()])
  await expect(adminPage(page)).toBeVisible()
  expect(await addressOf(page)).toBe(target)
})

test('a customer who signs in by message keeps the query of the redirect and cannot open the admin area', async ({
  page,
  shop,
  watch,
  t,
}) => {
  watch.allow(/404/)
  const phone = newPhone()
  await shop.open(`/login?redirect=${encodeURIComponent('/products/6?from=message')}`)
  await page.getByLabel(t('login.phone')).fill(phone)
  await shop.button(t('login.send')).click()
  await shop.button(t('login.message.offer')).click()
  const word = await page.getByText(/^LOGIN [A-Z2-9]{6}$/).innerText()
  const digits = await page.locator('bdi', { hasText: /^\d\d$/ }).innerText()
  const write = (body: string) =>
    page.request.post('/api/simulator/messages', { data: { from: phone, type: 'text', body } })
  await write(word)
  await expect(page.getByText(t('login.message.asked', { answer: digits }))).toBeVisible()
  await write(digits)
  await page.waitForURL(({ pathname }) => pathname === '/products/6')
  expect(await addressOf(page)).toBe('/products/6?from=message')

  const refused = page.waitForResponse((response) => new URL(response.url()).pathname === '/admin/orders')
  await page.goto(`/login?redirect=${encodeURIComponent('/admin/orders')}`)
  expect((await refused).status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('shell.title.notFound'))
})

for (const how of ['the stream notices', 'a read', 'a command'] as const) {
  test(`a session that expires (${how}) leads to the form and back to the same page`, async ({
    page,
    shop,
    watch,
    t,
  }) => {
    watch.allow(/401/, /ERR_FAILED/)
    const phone = '+97336000012'
    const stream = '**/api/admin/events**'
    if (how !== 'the stream notices') await page.route(stream, (route) => route.abort())
    const target = how === 'a command' ? '/admin/vendor-control?part=days' : '/admin/customers?consent=false'
    await shop.open('/about')
    const opened = how === 'the stream notices' ? page.waitForResponse(stream) : null
    await signInToAdmin(page, phone, target)
    await opened
    if (how === 'a read') {
      // The session ends with this read: an earlier one would redirect before the search is in the address.
      await page.route(
        ({ pathname, search }) => pathname === '/api/admin/customers' && search.includes('3699'),
        async (route) => {
          await expireSession(page)
          await route.continue()
        },
        { times: 1 },
      )
      await page.getByLabel(t('customers.search')).fill('3699')
    } else if (how === 'the stream notices') await expireSession(page)
    if (how === 'a command') {
      await page.route(
        ({ pathname }) => pathname === '/api/admin/calendar',
        async (route) => {
          if (route.request().method() === 'POST') await expireSession(page)
          await route.continue()
        },
      )
      await page.locator('[data-day]').last().click()
      await shop.button(t('admin.calendar.close')).click()
    }
    await page.waitForURL(({ pathname }) => pathname === '/login')
    await shop.signIn(phone)
    await expect(adminPage(page)).toBeVisible()
    expect(await addressOf(page)).toBe(how === 'a read' ? `${target}&q=3699` : target)
    await page.goBack()
    await expect(page).toHaveURL((url) => url.pathname === '/about')
  })
}

test('a sign-in link never redirects a customer to the admin area', async ({ page, lang, t }) => {
  for (const [redirectUrl, address] of [
    ['/admin/orders', '/'],
    [null, '/'],
  ] as const) {
    const link = await linkFor(newPhone(), redirectUrl ? { redirectUrl } : {})
    await removeSession(page)
    const href = `${link}?redirectUrl=${encodeURIComponent('/admin/orders')}&lang=${lang}`
    await page.goto(href, { waitUntil: 'commit' })
    await expect(page.getByText(t('login.link.success'))).toBeVisible()
    await expect(page).toHaveURL((url) => url.pathname === address)
    await expect(page.getByText(t('shell.title.notFound'))).toHaveCount(0)
  }
})
