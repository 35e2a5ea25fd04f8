import { formatDay } from '@qatra/contract/calendar/calendar'
import { inLang } from '@qatra/contract/lib/lang'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { measured, outside } from './settings.ts'
import { query } from './shop/database.ts'
import { newPhone, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

// Journeys of the other server compare their pages with the list of vendors.
test.use({ baseURL: measured.origin })
const ask = (sql: string, values: unknown[] = []) => query<{ id: number }>(sql, values, measured)

/** A vendor of this test with one product, one admin and areas. */
async function openVendor(phone: string) {
  const [vendor] = await ask(
    `insert into vendors (name, name_ar, delivery_fee, min_delivery_amount, contact_number, tint, emblem)
     values ('Journey', 'رحلة', 250, 2000, '+97336001077', '#3a63ad', 'leaf') returning id`,
  )
  const id = vendor?.id ?? 0
  await ask(
    `insert into products (vendor_id, name, name_ar, price, size, duplicate_key) values ($1, 'Spring', 'نبع', 900, '500ml', 'spring|500')`,
    [id],
  )
  await ask('insert into vendor_delivery_areas (vendor_id, area_id) select $1, id from areas order by id limit 12', [
    id,
  ])
  await ask(
    `insert into users (phone, name, role, vendor_id, is_verified) values ($1, 'هدى', 'vendor_admin', $2, true)`,
    [phone, id],
  )
  return id
}

test('a vendor’s admin changes fee, areas and days, and the shop shows it at once @desk @core', async ({
  page,
  context,
  shop,
  watch,
  lang,
  t,
}) => {
  // The map of the areas asks for tiles.
  watch.allow(/https:\/\/tiles\.test\//)
  await context.route(`${outside.tiles}/**`, (route) => route.abort())
  const phone = newPhone()
  const id = await openVendor(phone)
  const vendor = async () => (await (await page.request.get(`/api/vendors/${id}`)).json()) as Vendor
  try {
    await signInToAdmin(page, phone, '/admin/vendor-control')
    await page.getByLabel(t('admin.vendors.fee'), { exact: true }).fill('0.75')
    await expect(page.getByRole('figure')).toContainText('0.750')
    await shop.button(t('admin.save')).click()
    await expect(shop.toast.filter({ hasText: t('admin.vendors.saved') })).toBeVisible()
    expect((await vendor()).deliveryFee).toBe(0.75)

    await page.getByRole('link', { name: t('admin.vendors.tab.areas'), exact: true }).click()
    const boxes = page.getByRole('checkbox')
    const first = boxes.and(page.locator(':checked')).first()
    const name = (await first.locator('xpath=..').innerText()).trim()
    await first.uncheck()
    await shop.button(t('admin.vendors.areasSave')).click()
    await expect(shop.toast.filter({ hasText: t('admin.vendors.areasSaved') })).toBeVisible()
    const [area] = await ask('select id from areas where $1 in (name, name_ar)', [name])
    const delivers = await page.request.get(`/api/vendors/${id}/delivers-to/${area?.id}`)
    expect(await delivers.json()).toEqual({ delivers: false })

    await page.getByRole('link', { name: t('admin.vendors.tab.days'), exact: true }).click()
    const { promisedDate } = await vendor()
    await page.locator(`[data-day="${promisedDate}"]`).click()
    await shop.button(t('admin.calendar.close')).click()
    const day = formatDay(promisedDate, lang, 'long')
    await expect(shop.toast.filter({ hasText: t('admin.calendar.closed', { day }) })).toBeVisible()
    const later = (await vendor()).promisedDate
    expect(later > promisedDate).toBe(true)
    await expect(page.getByText(t('admin.vendors.orderNow', { day: formatDay(later, lang, 'long') }))).toBeVisible()

    await page.goto(`/?vendor=${id}`)
    await expect(page.getByRole('heading', { name: inLang(lang, 'Journey', 'رحلة') }).first()).toBeVisible()
    await expect(page.getByText('0.750').first()).toBeVisible()
    await expect(page.getByText(formatDay(later, lang, 'long')).first()).toBeVisible()

    await page.goto('/admin/vendor-control?part=days')
    await page.locator(`[data-day="${promisedDate}"]`).click()
    await shop.button(t('admin.calendar.open')).click()
    await expect.poll(async () => (await vendor()).promisedDate).toBe(promisedDate)
  } finally {
    await ask('update vendors set is_active = false where id = $1', [id])
  }
})
