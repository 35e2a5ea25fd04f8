import { countCodes, fillSignIn, newPhone, removeSession, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const admin = '+97336000001'

test('a super admin adds a passkey, and signs in with it in place of the code @desk @core', async ({
  page,
  t,
  watch,
  browserName,
}) => {
  test.skip(browserName !== 'chromium', 'Only Chromium has a virtual authenticator')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await signInToAdmin(page, admin, '/admin/users')
  const phone = newPhone()
  const made = await page.request.post('/api/admin/users', { data: { phone, name: 'Maryam', role: 'super_admin' } })
  expect(made.status(), await made.text()).toBe(200)
  await signInToAdmin(page, phone, '/admin/security')

  await page.getByLabel(t('security.name')).fill('Office laptop')
  await page.getByRole('button', { name: t('security.add') }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Office laptop' })
  await expect(row).toContainText(t('security.unused'))
  await expect(page.getByText(t('security.required'))).toBeVisible()

  // The code alone is refused now, and the passkey offered.
  watch.allow(/403.*\/api\/auth\/verify\/otp/)
  const before = await countCodes(page.request, phone)
  await removeSession(page)
  await page.goto('/admin/security')
  await page.waitForURL(({ pathname }) => pathname === '/login')
  await fillSignIn(page, phone, before)
  await expect(page.getByText(t('login.error.PASSKEY_REQUIRED'))).toBeVisible()
  await page.getByRole('button', { name: t('login.passkey') }).click()
  await page.waitForURL(({ pathname }) => pathname === '/admin/security')
  await expect(row).toBeVisible()
  await expect(row).not.toContainText(t('security.unused'))

  await row.getByRole('button', { name: t('security.remove') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('security.remove') })
    .click()
  await expect(page.getByText(t('security.none'))).toBeVisible()
})
