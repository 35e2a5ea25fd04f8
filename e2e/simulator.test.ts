import { newPhone } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

test('the test phone shows a code, copies it and sends an answer @english', async ({
  page,
  context,
  shop,
  t,
  lang,
  baseURL,
}) => {
  const phone = newPhone()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseURL ?? '' })
  await page.request.post('/api/auth/verify/phone', { data: { phone, language: lang } })
  await shop.open(`/simulator?phone=${encodeURIComponent(phone)}`)
  const log = page.getByRole('log')
  const message = log.getByRole('article').first()
  await expect(message).toBeVisible()
  const copy = message.getByRole('button')
  const code = /\d{4}/.exec(await copy.innerText())?.[0] ?? ''
  await expect(copy).toHaveText(t('simulator.copy', { code }))
  await copy.click()
  await expect(shop.toast.filter({ hasText: t('simulator.copied', { code }) })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)

  await page.getByLabel(t('simulator.write')).fill('مرحبًا <b>hello</b>')
  await shop.button(t('simulator.send')).click()
  await expect(log.getByText('مرحبًا <b>hello</b>')).toBeVisible()
  await page.getByRole('link', { name: t('simulator.allPhones') }).click()
  await expect(page).toHaveURL((url) => !url.searchParams.has('phone'))
})
