import { signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const shopkeeper = '+97336000003'
/** A 1 × 1 pixel image. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('a vendor creates a product, edits it and reads its history @desk @english @core', async ({ page, shop, t }) => {
  void shop
  const name = `Journey ${Date.now()}`
  await signInToAdmin(page, shopkeeper, '/admin/products/new')
  await page.getByRole('button', { name: t('admin.save') }).click()
  await expect(page.getByText(t('validation.required')).first()).toBeVisible()
  await page.getByLabel(t('adminProducts.name'), { exact: true }).fill(name)
  await page.getByLabel(t('adminProducts.nameAr'), { exact: true }).fill(name)
  await page
    .getByRole('group', { name: t('adminProducts.sizes') })
    .getByRole('button')
    .nth(2)
    .click()
  await page.getByLabel(t('adminProducts.price'), { exact: true }).fill('١٫٧٥')
  await page
    .getByRole('group', { name: t('adminProducts.units') })
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('button', { name: t('admin.save') }).click()
  await expect(page).toHaveURL(/\/admin\/products\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)

  await page.getByLabel(t('adminProducts.price'), { exact: true }).fill('2')
  await page.getByRole('button', { name: t('admin.save') }).click()
  await page.getByRole('link', { name: t('adminProducts.tab.history') }).click()
  const history = page.getByRole('list', { name: t('adminProducts.tab.history') }).getByRole('listitem')
  await expect(history).toHaveCount(2)
  await expect(history.first()).toContainText('1.750')
  await expect(history.first()).toContainText('2.000')
})

test('a product file is checked, its errors are listed, and its valid rows are imported @desk', async ({
  page,
  shop,
  t,
}) => {
  void shop
  const stamp = Date.now()
  await signInToAdmin(page, shopkeeper, '/admin/products/upload')
  const picture = { name: 'a.png', mimeType: 'image/png', buffer: png }
  const kept = await page.request.post('/api/admin/media', { multipart: { picture } })
  const { url } = (await kept.json()) as { url: string }
  const rows = [
    'vendorId,name,price,size,imageUrl',
    `1,File ${stamp},1.5,500ml,${url}`,
    `1,File ${stamp},1.5,0.5L,${url}`,
    `1,=HACK(),0,1L,${url}`,
  ]
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await expect(page.getByRole('heading', { name: t('import.summary') })).toBeVisible()
  await expect(page.getByRole('region', { name: t('import.fix') }).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: t('adminProducts.bulk.go', { count: 1 }) }).click()
  await expect(page.getByRole('heading', { name: t('adminProducts.bulk.done', { count: 1 }) })).toBeVisible()
  await page.getByRole('link', { name: t('adminProducts.bulk.show') }).click()
  await expect(page.getByText(`File ${stamp}`).first()).toBeVisible()
})
