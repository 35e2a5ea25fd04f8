import { randomBytes } from 'node:crypto'
import { linkFor } from './shop/links.ts'
import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

test('a sign-in link works once, also after link previews have fetched it @core', async ({ page, shop, t }) => {
  const phone = newPhone()
  const link = await linkFor(phone, { redirectUrl: '/orders', redirectParams: { from: 'link' } })
  for (let times = 0; times < 3; times += 1) {
    const preview = await page.request.get(link, { headers: { 'user-agent': 'WhatsApp/2.23' } })
    expect(preview.status()).toBe(200)
    expect(preview.headers()['referrer-policy']).toBe('no-referrer')
    await page.request.get(`/api/magic-link/status/${link.split('/').at(-1)}`)
  }
  // Before the page has loaded: it leaves by itself.
  await page.goto(link, { waitUntil: 'commit' })
  await expect(page.getByText(t('login.link.success'))).toBeVisible()
  await page.waitForURL(/\/orders\?from=link/)
  await expect(shop.button(t('shell.account'))).toBeVisible()
  await expect(page.getByText(t('orders.empty'))).toBeVisible()
  // Leaves the page first, so that no request of it is refused.
  await page.goto('about:blank')
  await page.request.post('/api/auth/logout')
  await shop.open(link)
  await expect(page.getByText(t('login.link.USED_LINK'))).toBeVisible()
  await expect(shop.link(t('login.link.toLogin'))).toBeVisible()
})

test('a sign-in link of another account asks before it switches accounts', async ({ page, shop, t }) => {
  const own = newPhone()
  // Another phone with the same masked form.
  const other = `${own.slice(0, 6)}${(Number(own[6]) + 1) % 10}${own.slice(7)}`
  await signInCustomerByCalls(page, own)
  const link = await linkFor(other)
  await shop.open(link)
  await expect(page.getByText(t('login.link.switchTitle'))).toBeVisible()
  const me = async () => (await (await page.request.get('/api/auth/me')).json()).phone
  await page.waitForTimeout(500)
  expect(await me()).toBe(own)
  await shop.link(t('login.link.stay')).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  expect(await me()).toBe(own)
  await shop.open(link)
  await shop.button(t('login.link.switch')).click()
  await expect(page.getByText(t('login.link.success'))).toBeVisible()
  expect(await me()).toBe(other)
})

test('invalid, expired and used sign-in links show the reason @english', async ({ page, shop, t }) => {
  const expired = await linkFor(newPhone(), { life: '-1 second' })
  await shop.open(expired)
  await expect(page.getByText(t('login.link.EXPIRED_LINK'))).toBeVisible()
  for (const path of [
    '/magic-login/invalid',
    '/magic-login',
    `/magic-login/${randomBytes(32).toString('base64url')}`,
  ]) {
    await shop.open(path)
    await expect(page.getByText(t('login.link.INVALID_LINK')), path).toBeVisible()
  }
  await shop.open('/magic-login/error?success=1&redirectUrl=//evil.example')
  await expect(page.getByText(t('login.link.GENERAL_ERROR'))).toBeVisible()
  await shop.link(t('login.link.toHome')).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
})
