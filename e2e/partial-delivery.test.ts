import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { fils, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Order } from '@qatra/contract/orders/orders'
import { audit } from './shop/audit.ts'
import { bringTo, placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { driverWithStops } from './shop/drivers.ts'
import { newPhone, removeSession, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const dispatcher = '+97336000003'

/** A product of the vendor of which five reach its minimum. */
async function fiveOfOne({ request }: Page, vendorId = 1) {
  const vendor: { minDeliveryAmount: number } = await (await request.get(`/api/vendors/${vendorId}`)).json()
  const products: { id: number; price: number }[] = await (
    await request.get(`/api/products?vendorId=${vendorId}`)
  ).json()
  const product = products.find(({ price }) => price * 5 >= vendor.minDeliveryAmount)
  if (!product) throw new Error('No product reaches the minimum')
  return { productId: product.id, quantity: 5 }
}

const stored = async (id: string) => {
  const [row] = await query<{ status: string; total: number; quantity: number; cash: number | null }>(
    `select o.status, o.total::integer, i.quantity,
       (select sum(amount)::integer from ledger_entries where order_id = o.id and holder = 'driver') as cash
     from orders o join order_items i on i.order_id = o.id where o.id = $1`,
    [id],
  )
  return row
}

const takenFor = (id: string) =>
  query<{ means: string; amount: number; reference: string | null }>(
    'select means, amount::integer, reference from ledger_entries where order_id = $1 and holder = $2 order by id',
    [id, 'driver'],
  )

test('a driver takes a split payment, and without network 3 and 6 of 5; money, order page and receipt show it @english @core', async ({
  page,
  context,
  shop,
  watch,
  t,
  lang,
}) => {
  watch.allowOffline()
  const five = await fiveOfOne(page, 2)
  const names = ['مريم العلي', 'علي الحداد', 'هدى القصاب']
  const { phone, customerPhone, ids } = await driverWithStops(
    names.map((customerName) => ({ ...five, customerName })),
    { vendorId: 2, means: ['cash', 'benefitpay'] },
  )
  await signInToAdmin(page, phone, '/admin/run')
  const next = page.locator('#next-stop')
  const nextId = async () => ids[names.indexOf((await next.innerText()).trim())] ?? ''
  const sheet = page.getByRole('dialog')
  const reference = sheet.getByLabel(t('run.reference', { means: 'benefitpay' }))

  const split = await nextId()
  await page.getByRole('button', { name: t('run.split') }).click()
  await sheet.getByLabel(t('run.splitAmount', { means: t('admin.means.cash') })).fill('١٫٥')
  await reference.fill('٧٧-12')
  await sheet.getByRole('button', { name: t('run.saveAmount'), exact: true }).click()
  await expect.poll(async () => (await stored(split))?.status).toBe('delivered')
  const whole = (await stored(split))?.total ?? 0
  expect(await takenFor(split)).toEqual([
    { means: 'cash', amount: 1500, reference: null },
    { means: 'benefitpay', amount: whole - 1500, reference: '77-12' },
  ])

  const id = await nextId()
  const before = await stored(id)
  const open = page.getByRole('button', { name: t('partly.open') })
  await open.click()
  await audit(page, 'partial delivery', { least: 44 })
  // The audit replaces texts.
  await page.reload()
  await expect(open).toBeVisible()
  await context.setOffline(true)
  await open.click()
  const save = sheet.getByRole('button', { name: t('partly.save', { total: '' }).trim() })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  for (let times = 0; times < 2; times += 1)
    await sheet
      .getByRole('button', { name: t('ui.decrease') })
      .first()
      .click()
  await sheet.getByRole('radio', { name: t('admin.means.benefitpay') }).check()
  await reference.fill('78')
  await save.click()
  await expect(page.getByText(t('run.waiting', { count: 1 }))).toBeVisible()
  const more = await nextId()
  await open.click()
  await sheet
    .getByRole('button', { name: t('ui.increase') })
    .first()
    .click()
  await save.click()
  await expect(page.getByText(t('run.waiting', { count: 2 }))).toBeVisible()
  await context.setOffline(false)
  await expect.poll(async () => (await stored(more))?.status).toBe('delivered')
  await expect.poll(async () => (await stored(id))?.status).toBe('delivered')
  const [after, six] = [await stored(id), await stored(more)]
  expect([after?.quantity, six?.quantity]).toEqual([3, 6])
  expect(after?.total).toBeLessThan(before?.total ?? 0)
  expect(await takenFor(id)).toEqual([{ means: 'benefitpay', amount: after?.total, reference: '78' }])
  expect(await takenFor(more)).toEqual([{ means: 'cash', amount: six?.total, reference: null }])

  await expect(page.getByText(t('run.waiting', { count: 2 }))).toBeHidden()
  // Cash in hand, and what was taken by other means.
  for (const bhd of [1500 + (six?.total ?? 0), whole - 1500 + (after?.total ?? 0)])
    await expect(page.locator('header').getByText(formatMoney(fils(bhd), lang))).toBeVisible()
  await removeSession(page)
  await signInCustomerByCalls(page, customerPhone)
  const order: Order = await (await page.request.get(`/api/orders/${id}`)).json()
  expect(fromBhd(order.total)).toBe(after?.total)
  await shop.open(`/orders/${id}`)
  await expect(page.getByText(new RegExp(t('unit.deliveredOf', { quantity: 3, ordered: '5 .*' })))).toBeVisible()
  await expect(page.getByText(formatMoney(fromBhd(order.total), lang)).first()).toBeVisible()
  const receipt = await page.request.get(`/api/orders/${id}/receipt.pdf?lang=${lang}`)
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: await receipt.body() }).toString()
  expect(text).toContain(order.total.toFixed(3))
  expect(text).not.toContain(((before?.total ?? 0) / 1000).toFixed(3))
})

test('the office delivers 3 of 5 with the cash at the office @desk', async ({ page, shop, t, lang }) => {
  void shop
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const { id } = await placeByCalls(page, await fiveOfOne(page))
  await bringTo(id, 'shipped')
  await signInToAdmin(page, dispatcher, `/admin/orders?q=${encodeURIComponent(phone.slice(-8))}`)
  await page.locator(`[data-row="${id}"]`).click()
  const panel = page.getByRole('complementary', { name: t('desk.panel', { id: id.slice(0, 4) }) })
  await panel.getByRole('button', { name: t('partly.open') }).click()
  const dialog = page.getByRole('dialog')
  for (let times = 0; times < 2; times += 1)
    await dialog
      .getByRole('button', { name: t('ui.decrease') })
      .first()
      .click()
  await dialog.getByRole('button', { name: t('partly.save', { total: '' }).trim() }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('desk.cash.admin') })
    .click()
  await expect.poll(async () => (await stored(id))?.status).toBe('delivered')
  const after = await stored(id)
  expect([after?.quantity, after?.cash]).toEqual([3, null])
  await expect(panel.getByText(new RegExp(t('unit.deliveredOf', { quantity: 3, ordered: '5 .*' })))).toBeVisible()
  await expect(panel.getByText(formatMoney(fils(after?.total ?? 0), lang)).first()).toBeVisible()
})
