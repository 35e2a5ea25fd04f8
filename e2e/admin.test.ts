import { audit } from './shop/audit.ts'
import { newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { ready } from './shop/ready.ts'
import { expect, test } from './shop/test.ts'

const superAdmin = '+97336000001'
const driver = '+97336000005'

test('the admin area opens for a super admin and marks the current page @desk @english', async ({
  page,
  shop,
  t,
  isPhone,
}) => {
  const visitor = await page.request.get('/admin/orders?status=new', { maxRedirects: 0 })
  expect([visitor.status(), visitor.headers()['location']]).toEqual([
    302,
    '/login?redirect=%2Fadmin%2Forders%3Fstatus%3Dnew',
  ])
  await signInToAdmin(page, superAdmin, '/admin')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await page.goto('/admin/orders')
  await expect(page).toHaveTitle(new RegExp(t('admin.nav.orders')))
  const nav = page.getByRole('navigation', { name: t('admin.nav') }).filter({ visible: true })
  // The count of new orders may follow the label.
  const orders = nav.getByRole('link', { name: new RegExp(`^${t('admin.nav.orders')}( ?\\d+)?$`) })
  await expect(orders).toHaveAttribute('aria-current', 'page')
  await audit(page, 'orders', { least: isPhone ? 44 : 24 })
  // The phone number is normalized before it is sent.
  await page.reload()
  await expect(nav.getByRole('link').first()).toBeVisible()
  await ready(page)
  if (isPhone) {
    await nav.getByRole('button', { name: t('admin.nav.more') }).click()
    await expect(page.getByRole('dialog').getByRole('link', { name: t('admin.nav.users') })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await nav.getByRole('button', { name: t('admin.nav.more') }).click()
    await audit(page, 'more', { least: 44 })
  } else {
    // The second key must follow within a second, which a busy machine may miss.
    await expect(async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('u')
      await expect(page).toHaveURL(/\/admin\/users$/, { timeout: 5_000 })
    }).toPass()
    await expect(nav.getByRole('link', { name: t('admin.nav.users') })).toHaveAttribute('aria-current', 'page')
    await page.keyboard.press('Shift+Slash')
    await expect(page.getByRole('dialog')).toContainText(t('admin.shortcuts'))
  }
  void shop
})

test('the server sends the skeleton only to permitted roles, else the not-found page', async ({ page, shop, t }) => {
  const bodyOf = async (path: string) => {
    const answer = await page.request.get(path)
    return { status: answer.status(), html: await answer.text(), headers: answer.headers() }
  }
  await signInToAdmin(page, driver, '/admin/run')
  // Leave the page before its session ends.
  await page.goto('about:blank')
  const own = await bodyOf('/admin/orders')
  expect([own.status, own.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(own.html).toContain(t('admin.checking'))
  expect(own.html).toMatch(/assets\/entry-admin/)
  expect(own.html.match(/<script(?![^>]*(?:src=|application\/json))/)).toBeNull()
  for (const path of ['/admin/users', '/admin/vendors', '/admin/nothing']) {
    const refused = await bodyOf(path)
    expect([path, refused.status, refused.html.includes('entry-admin')]).toEqual([path, 404, true])
    expect(refused.html).toContain(`<title>${t('admin.missing')} ·`)
  }
  await page.context().clearCookies({ name: 'sid' })
  await signInCustomerByCalls(page, newPhone())
  const customers = await bodyOf('/admin/orders')
  expect([customers.status, customers.html.includes('entry-admin')]).toEqual([404, false])
  expect(customers.html).toContain(t('shell.title.notFound'))
  void shop
})
