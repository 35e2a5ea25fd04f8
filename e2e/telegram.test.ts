import type { Response } from '@playwright/test'
import { formatPhone } from '@qatra/contract/lib/phone'
import { measured } from './settings.ts'
import { audit } from './shop/audit.ts'
import { signInToAdmin } from './shop/phones.ts'
import { ready } from './shop/ready.ts'
import { telegramOn } from './shop/telegram.ts'
import { expect, test } from './shop/test.ts'

test.use({ baseURL: measured.origin })

/** One person per test, since an account has one Telegram; starts on a page without map tiles. */
const people: Record<string, { phone: string; start: string }> = {
  'ar-phone': { phone: '+97336000002', start: '/admin/orders' },
  'en-phone': { phone: '+97336000003', start: '/admin/orders' },
  'ar-desktop': { phone: '+97336000004', start: '/admin/sales' },
  'en-desktop': { phone: '+97336000012', start: '/admin/orders' },
}
const isolated = (name: string) => `\u2068${name}\u2069`

test('a person links Telegram from the bell and unlinks it @desk', async ({ page, context, shop, t }, { project }) => {
  void shop
  const { phone, start } = people[project.name] ?? { phone: '', start: '' }
  await signInToAdmin(page, phone, start)
  await page.request.delete('/api/admin/telegram/link')
  await page.reload()
  await ready(page)

  const bell = page.getByRole('button', { name: new RegExp(t('notifications.bellNone')) }).last()
  const line = page.getByRole('link', { name: t('admin.nav.telegram') })
  // The page may still be hydrating.
  await expect(async () => {
    if (!(await line.isVisible())) await bell.click()
    await expect(line).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(line).toContainText(t('admin.telegram.unlinked'))
  await line.click()
  await expect(page).toHaveURL(/\/admin\/telegram/)
  await expect(page.getByRole('heading', { level: 1, name: t('telegramPage.title') })).toBeVisible()

  await page.getByRole('button', { name: t('telegramPage.link') }).click()
  const open = page.getByRole('link', { name: t('telegramPage.open') })
  const href = (await open.getAttribute('href')) ?? ''
  expect(href).toContain(`/simulator/telegram?phone=${encodeURIComponent(phone)}&start=`)
  // A phone's camera would resolve localhost to the phone.
  await expect(page.getByRole('img', { name: t('telegramPage.qr') })).toHaveCount(0)
  await expect(page.getByRole('timer')).toContainText(/14:5\d|15:00/)
  const code = await page.locator('code').innerText()
  expect(href.endsWith(code)).toBe(true)

  await audit(page, 'a code to link by', { least: 24 })

  // Linking completes in Telegram, without an action on the page.
  // The audit replaced the page's letters.
  const way = page.locator('a[href*="start="]')
  const [phonePage] = await Promise.all([context.waitForEvent('page'), way.click()])
  const telegram = telegramOn(phonePage, t)
  await telegram.start()
  await expect(telegram.log.getByRole('article')).toHaveCount(2)
  await expect(phonePage).not.toHaveURL(/start=/)
  await expect(phonePage.getByLabel(t('simulator.telegram.writeBot'))).toBeVisible()
  await audit(phonePage, 'the bot was started', { least: 24 })
  await phonePage.close()
  const linked = t('telegramPage.linkedAs', { name: isolated(formatPhone(phone)) })
  await expect(page.getByRole('heading', { name: linked })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: linked })).toHaveCount(1)
  await audit(page, 'linked', { least: 24 })
  await page.reload()
  await expect(page.getByRole('heading', { name: linked })).toBeVisible()

  // The notification preferences are saved.
  const preference = page.getByRole('switch', { name: t('telegramPage.choice.order_updates') })
  const isSaved = (one: Response) => /\/api\/auth\/profile/.test(one.url()) && one.request().method() !== 'GET'
  const kept = (act: Promise<void>) => Promise.all([page.waitForResponse(isSaved), act])
  await kept(preference.uncheck())
  await page.reload()
  await expect(preference).not.toBeChecked()
  await kept(preference.check())

  await page.getByRole('button', { name: t('telegramPage.unlink') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: t('telegramPage.unlink.keep') })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: linked })).toBeVisible()
  await page.getByRole('button', { name: t('telegramPage.unlink') }).click()
  await dialog.getByRole('button', { name: t('telegramPage.unlink'), exact: true }).click()
  await expect(page.getByRole('button', { name: t('telegramPage.link') })).toBeVisible()
  await expect(page.getByText(t('telegramPage.unlinked'), { exact: true })).toBeVisible()
  const status: unknown = await (await page.request.get('/api/admin/telegram')).json()
  expect(status).toMatchObject({ isLinked: false, accountName: null })
})
