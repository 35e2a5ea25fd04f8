import type { Page } from '@playwright/test'
import { countCodes, fillSignIn, newPhone, removeSession, signInToAdmin } from './shop/phones.ts'
import { ready } from './shop/ready.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

async function signInToShop(page: Page, phone: string) {
  await page.goto('/login?redirect=/about')
  await fillSignIn(page, phone, await countCodes(page.request, phone))
  await page.waitForURL(({ pathname }) => pathname === '/about')
}

/** A vendor's admin invites a phone as a driver. */
async function invite(page: Page, t: Words, phone: string, name: string) {
  await signInToAdmin(page, '+97336000002', '/admin/users')
  await page.getByRole('button', { name: t('users.invite'), exact: true }).click()
  const panel = page.getByRole('complementary', { name: t('users.invite'), exact: true })
  await panel.getByLabel(t('users.phone'), { exact: true }).fill(phone)
  await panel.getByLabel(t('users.name'), { exact: true }).fill(name)
  await panel.getByLabel(t('users.role'), { exact: true }).selectOption('driver')
  await panel.getByRole('button', { name: t('users.invite'), exact: true }).click()
  await expect(invitationTo(page, phone)).toContainText(t('admin.role.driver'))
}
/** Unique, since other journeys invite people too. */
const invitationTo = (page: Page, phone: string) =>
  page.getByRole('article').filter({ hasText: new RegExp(`${phone.slice(-4)}`) })

/** The banner of a customer's page leads to the invitation. */
async function openInvitation(page: Page, t: Words) {
  const banner = page.getByRole('region', { name: t('invitations.title'), exact: true })
  await banner.getByRole('link', { name: t('invitations.look'), exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname === '/invitations')
  await ready(page)
  await expect(page.getByText(t('invitations.role', { role: t('invitations.role.driver') }))).toBeVisible()
}

test('an invited person signs in, accepts, signs in again and works with the role @english @core', async ({
  page,
  shop,
  t,
}) => {
  const phone = newPhone()
  await invite(page, t, phone, 'Yusuf')
  await removeSession(page)
  await signInToShop(page, phone)
  await openInvitation(page, t)

  const before = await countCodes(page.request, phone)
  await shop.button(t('invitations.accept')).click()
  await page.waitForURL(({ pathname }) => pathname === '/login')
  await fillSignIn(page, phone, before)
  await page.waitForURL(({ pathname }) => pathname === '/admin/run')
  await expect(page.locator('.admin #main:not([aria-busy])')).toBeVisible()
  const me = await (await page.request.get('/api/auth/me')).json()
  expect(me).toMatchObject({ phone, role: 'driver', vendorId: 1 })
})

test('an invited person declines, stays a customer, and the vendor sees that', async ({ page, shop, t }) => {
  const phone = newPhone()
  await invite(page, t, phone, 'Khalid')
  await removeSession(page)
  await signInToShop(page, phone)
  await openInvitation(page, t)
  await shop.button(t('invitations.decline')).click()
  await expect(page.getByText(t('invitations.none'))).toBeVisible()
  const me = await (await page.request.get('/api/auth/me')).json()
  expect(me).toMatchObject({ phone, role: 'customer', vendorId: null })

  await signInToAdmin(page, '+97336000002', '/admin/users?open=invitations')
  await expect(
    invitationTo(page, phone)
      .filter({ hasText: t('users.invitation.declined') })
      .first(),
  ).toBeVisible()
})
