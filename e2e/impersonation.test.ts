import type { Page } from '@playwright/test'
import { newPhone, signInToAdmin } from './shop/phones.ts'
import { ready } from './shop/ready.ts'
import { expect, test } from './shop/test.ts'
import type { Watch } from './shop/watch.ts'
import type { Words } from './shop/words.ts'

const admin = '+97336000001'
const me = async (page: Page) => (await (await page.request.get('/api/auth/me')).json()) as { id: number; role: string }

interface Parts {
  page: Page
  watch: Watch
  t: Words
}

/** Finds the person in the admin area and starts impersonation with a reason. */
async function actAs({ page, watch, t }: Parts, { phone, id }: { phone: string; id: number }) {
  // The page being left may be refused a call because the rights have changed.
  watch.allow(/40[13].*\/api\/(admin|notifications)/)
  await page.goto(`/admin/users?q=${encodeURIComponent(phone)}&open=${id}`)
  await page.getByRole('button', { name: t('users.act'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('users.act.confirm'), exact: true }).click()
  await expect(dialog.getByText(t('admin.form.reasonNeeded'))).toBeVisible()
  await dialog.getByLabel(t('users.act.reason')).fill('E2E: cannot find the order')
  await dialog.getByRole('button', { name: t('users.act.confirm'), exact: true }).click()
}

test('impersonating a customer shows the banner on every page until it ends @desk @core', async ({
  page,
  shop,
  t,
  watch,
}) => {
  await signInToAdmin(page, admin, '/admin/users')
  const self = await me(page)
  const phone = newPhone()
  const made = await page.request.post('/api/admin/users', { data: { phone, name: 'Maryam', role: 'customer' } })
  expect(made.status(), await made.text()).toBe(200)
  const { id } = (await made.json()) as { id: number }

  await actAs({ page, watch, t }, { phone, id })
  await page.waitForURL((url) => url.pathname === '/')
  const banner = page.getByRole('region', { name: t('impersonation.label') })
  await expect(banner).toContainText('Maryam')
  expect((await me(page)).id).toBe(id)

  // The banner survives a reload and navigation.
  await page.reload()
  await ready(page)
  await expect(banner).toContainText('Maryam')
  await shop.open('/orders')
  await expect(banner).toContainText('Maryam')
  // Personal actions are refused meanwhile.
  expect((await page.request.get('/api/auth/export')).status()).toBe(403)

  await banner.getByRole('button', { name: t('impersonation.stop') }).click()
  // Ends on the person's panel in the admin area.
  await page.waitForURL((url) => url.pathname + url.search === `/admin/users?open=${id}`)
  await expect(page.getByRole('complementary', { name: 'Maryam' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  expect((await me(page)).id).toBe(self.id)

  await page.goto(`/admin/audit?user=${id}`)
  await expect(
    page.getByText(new RegExp(t('audit.did.impersonation-ended', { thing: '' }).trim())).first(),
  ).toBeVisible()
})

test('impersonating staff shows their admin area with the banner @desk', async ({ page, shop, t, watch }) => {
  watch.allow(/404/)
  await shop.open('/about')
  await signInToAdmin(page, admin, '/admin/users')
  const phone = newPhone()
  const data = { phone, name: 'Fatima', role: 'vendor_staff', vendorId: 1 }
  const made = await page.request.post('/api/admin/users', { data })
  const { id } = (await made.json()) as { id: number }
  await actAs({ page, watch, t }, { phone, id })
  await page.waitForURL((url) => url.pathname.startsWith('/admin/') && url.pathname !== '/admin/users')
  const banner = page.getByRole('region', { name: t('impersonation.label') })
  await expect(banner).toContainText('Fatima')
  // A page without permission is not found.
  expect((await page.goto('/admin/users'))?.status()).toBe(404)
  expect((await page.request.get('/api/admin/users')).status()).toBe(403)
  await page.goto('/admin/orders')
  await banner.getByRole('button', { name: t('impersonation.stop') }).click()
  await page.waitForURL((url) => url.pathname + url.search === `/admin/users?open=${id}`)
  await expect(page.getByRole('complementary', { name: 'Fatima' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  expect((await me(page)).role).toBe('super_admin')
})
