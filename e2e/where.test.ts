import type { Page } from '@playwright/test'
import type { Cart } from '@qatra/contract/cart/cart'
import type { Product } from '@qatra/contract/products/products'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const inSeef = { latitude: 26.2378, longitude: 50.5402, accuracy: 10 }

type Listed = Vendor & { delivers: boolean }
const json = async <T>(page: Page, path: string): Promise<T> => (await page.request.get(path)).json()
const productsOf = (page: Page, vendorId: number) => json<Product[]>(page, `/api/products?vendorId=${vendorId}`)
const areaIdOf = async (page: Page, areaId: string) =>
  (await json<{ id: number; areaId: string }[]>(page, '/api/areas')).find((area) => area.areaId === areaId)?.id ?? 0

test('a visitor sees after two taps who delivers to an area, when, and for how much @english @core', async ({
  page,
  shop,
  t,
  lang,
}) => {
  const area = await shop.named.area('seef')
  const nameOf = ({ name, nameAr }: Vendor) => (lang === 'ar' && nameAr ? nameAr : name)
  await shop.open('/')
  await shop.button(t('shell.area.none')).click()
  const sheet = page.getByRole('dialog', { name: t('area.title') })
  await expect(sheet.getByLabel(t('area.search'))).toBeFocused()
  await sheet.getByRole('button', { name: new RegExp(`^${area.name}`) }).click()
  await expect(sheet).toHaveCount(0)
  const line = page.getByRole('button', { name: `${t('shell.area.to')} ${area.name}` })
  await expect(line).toBeFocused()

  const listed = await json<Listed[]>(page, `/api/vendors?areaId=${await areaIdOf(page, 'seef')}`)
  const [delivering, others] = [true, false].map((delivers) => listed.filter((one) => one.delivers === delivers))
  if (!delivering?.length || !others?.length) throw new Error('The area needs vendors of both kinds')
  const region = page.getByRole('region', { name: t('area.deliverTo', { area: area.name }) })
  await region.getByRole('button', { name: t('area.allVendors', { count: listed.length }) }).click()
  const rows = region.getByRole('listitem')
  await expect(rows).toHaveCount(listed.length)
  for (const [at, vendor] of listed.entries()) {
    await expect(rows.nth(at)).toContainText(nameOf(vendor))
    const notHere = t('catalogue.notTo', { area: area.name })
    await (vendor.delivers
      ? expect(rows.nth(at)).not.toContainText(notHere)
      : expect(rows.nth(at)).toContainText(notHere))
  }
  const promise = page.locator('section', { has: page.getByRole('heading', { level: 1 }) })
  await expect(promise).toContainText(area.name)
  await expect(promise).toContainText(nameOf(delivering[0] as Vendor))
  for (const vendor of others) await expect(promise).not.toContainText(nameOf(vendor))
})

test('the server renders the page for the chosen area and caches it', async ({ page, context, shop, watch, t }) => {
  // The page without a network looks for the person.
  watch.allow(/401.*auth\/me\) on \S*\/offline/)
  const area = await shop.named.area('seef')
  const id = String(await areaIdOf(page, 'seef'))
  await context.addCookies([{ name: 'area', value: id, url: new URL((await page.request.get('/')).url()).origin }])
  const answer = await page.request.get('/')
  const html = await answer.text()
  expect(answer.headers()['cache-control']).toBe('public, no-cache')
  expect(html).toContain(t('area.deliverTo', { area: area.name }))
  for (const path of ['/about', '/login']) {
    await shop.open(path)
    await expect(page.getByRole('button', { name: `${t('shell.area.to')} ${area.name}` })).toBeVisible()
  }
  await shop.open('/offline')
  await expect(page.getByRole('button', { name: t('shell.area.to') })).toHaveCount(0)
})

test('the sheet finds an area by its name and by the location, and explains why it cannot', async ({
  page,
  context,
  shop,
  t,
}) => {
  const [seef, muharraq] = [await shop.named.area('seef'), await shop.named.area('muharraq')]
  await shop.open('/')
  await shop.button(t('shell.area.none')).click()
  const sheet = page.getByRole('dialog', { name: t('area.title') })
  const here = sheet.getByRole('button', { name: t('area.locate') })
  await here.click()
  await expect(sheet.getByRole('alert')).toHaveText(t('area.problem.denied'))
  await sheet.getByLabel(t('area.search')).fill(muharraq.name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `${t('shell.area.to')} ${muharraq.name}` })).toBeFocused()
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation(inSeef)
  await page.keyboard.press('Enter')
  await here.click()
  await expect(page.getByRole('button', { name: `${t('shell.area.to')} ${seef.name}` })).toBeVisible()
})

test('a cart whose vendor does not deliver to the area is swapped, with the differences before and undo', async ({
  page,
  context,
  shop,
  t,
}) => {
  const area = await shop.named.area('seef')
  const from = await shop.named.vendor(7)
  const [product] = await productsOf(page, 7)
  if (!product) throw new Error('Vendor 7 has products')
  await page.request.post('/api/cart/add', { data: { productId: product.id, quantity: 3 } })
  const id = String(await areaIdOf(page, 'seef'))
  await context.addCookies([{ name: 'area', value: id, url: new URL((await page.request.get('/')).url()).origin }])
  await shop.open('/')
  await expect(
    page.getByText(t('swap.notice', { vendor: from.name, area: area.name })).filter({ visible: true }),
  ).toBeVisible()
  await page
    .getByRole('button', { name: t('swap.open') })
    .filter({ visible: true })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expect(dialog).toContainText(/(^|\D)3 /)
  expect((await json<Cart>(page, '/api/cart')).vendorId).toBe(7)
  await shop.button(t('swap.do'), dialog).click()
  const undo = shop.button(t('ui.undo'), shop.toast)
  // The focus holds the toast while the page is checked.
  await undo.focus()
  await expect(dialog).toHaveCount(0)
  const swapped = await json<Cart>(page, '/api/cart')
  const delivering = await json<Listed[]>(page, `/api/vendors?areaId=${id}`)
  expect(delivering.find((vendor) => vendor.id === swapped.vendorId)?.delivers).toBe(true)
  expect(swapped.items.map(({ quantity }) => quantity)).toEqual([3])
  await undo.click()
  await expect.poll(async () => (await json<Cart>(page, '/api/cart')).items[0]?.productId).toBe(product.id)
})

test("the checkout starts in the chosen area, and the order's address counts from then on", async ({
  page,
  context,
  shop,
  t,
}) => {
  const [vendor, area] = [await shop.named.vendor(1), await shop.named.area('seef')]
  const id = String(await areaIdOf(page, 'seef'))
  await context.addCookies([{ name: 'area', value: id, url: new URL((await page.request.get('/')).url()).origin }])
  await signInCustomerByCalls(page, newPhone())
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  await shop.open('/checkout')
  await shop.areaFound(vendor.name, area.name)
  await shop.fillAddress({ block: '428', road: '1', building: '2', name: 'ليلى أحمد' })
  await shop.place.click()
  await expect(shop.placed).toBeVisible()
  await expect.poll(async () => (await context.cookies()).some(({ name }) => name === 'area')).toBe(false)
  await shop.open('/')
  await expect(page.getByRole('button', { name: `${t('shell.area.to')} ${area.name}` })).toBeVisible()
})
