import { addDays, bahrainDate, formatWeekday } from '@qatra/contract/calendar/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const dispatcher = '+97336000003'

test('the office receives the cash of a day, closes it, and opens it again with a reason @desk @english @core', async ({
  page,
  shop,
  isPhone,
  t,
  lang,
}) => {
  void shop
  // A day before the demo's orders, of this language and screen alone.
  const date = addDays(bahrainDate(new Date()), -1000 - (lang === 'ar' ? 0 : 1) - (isPhone ? 2 : 0))
  await signInToAdmin(page, dispatcher, `/admin/day?date=${date}`)
  const drivers: { id: number }[] = await (await page.request.get('/api/admin/drivers')).json()
  const path = `/api/admin/drivers/${drivers[0]?.id}/cash`
  const write = (kind: string, amount: number) =>
    page.request.post(path, {
      data: { kind, amount, date, notes: 'Found in the van', key: `${kind}-${crypto.randomUUID()}` },
    })
  expect((await write('correction', 5.25)).status()).toBe(200)
  await page.reload()

  const close = page.getByRole('button', { name: t('closing.close', { day: formatWeekday(date, lang) }) })
  await expect(close).toHaveAttribute('aria-disabled', 'true')
  await page
    .getByRole('button', { name: t('closing.receive', { amount: formatMoney(fromBhd(5.25), lang) }) })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: t('drivers.handover') })
  await dialog.getByLabel(t('drivers.amount')).fill('5.250')
  await dialog.getByRole('button', { name: t('drivers.save') }).click()
  await expect(page.getByText(t('closing.allCash'))).toBeVisible()
  await close.click()
  await expect(close).toHaveCount(0)
  expect((await write('counted', 1)).status()).toBe(409)

  // The toast covers the button on a low screen, and stays while the pointer is over it.
  await page.mouse.move(0, 0)
  await expect(page.locator('#toasts').getByText(t('closing.done'))).toHaveCount(0)
  await page.getByRole('button', { name: t('closing.reopen') }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: t('closing.reopen') }).click()
  await expect(question).toBeVisible()
  await question.getByLabel(t('closing.reason')).fill('A receipt was missing')
  await question.getByRole('button', { name: t('closing.reopen') }).click()
  await expect(close).toBeVisible()
  expect((await write('counted', 0)).status()).toBe(200)
})
