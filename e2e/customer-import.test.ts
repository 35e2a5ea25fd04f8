import { audit } from './shop/audit.ts'
import { newPhone, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const superAdmin = '+97336000001'

test('customers are imported from a file, found in the list, and taken back @desk @english @core', async ({
  page,
  shop,
  t,
  isPhone,
}) => {
  void shop
  const [phone, other] = [newPhone(), newPhone()]
  const name = 'مريم علي'
  await signInToAdmin(page, superAdmin, '/admin/customers')
  await page.getByRole('link', { name: t('customers.import'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('customerImport.title') })).toBeVisible()

  const fileName = `customers-${phone.slice(-6)}.csv`
  const rows = [
    'الهاتف,الاسم,الوسوم,الملاحظات,وافق على العروض,مصدر الموافقة',
    `${phone.slice(4)},${name},شهري,الباب الخلفي,نعم,نموذج ورقي`,
    `${other.slice(4)},علي,,,نعم,`,
    '9.7336E+10,Sara,,,,',
  ]
  const file = { name: fileName, mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) }
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByRole('heading', { name: t('import.summary') })).toBeFocused()
  await expect(page.getByText(t('customerImport.created', { count: 1 }))).toBeVisible()
  await expect(page.getByRole('region', { name: t('import.fix') }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: t('customerImport.go', { count: 1 }) }).click()
  await expect(page.getByRole('heading', { name: t('customerImport.done', { count: 1 }) })).toBeFocused()

  await page.getByRole('link', { name: t('customerImport.show') }).click()
  await page.getByText(name).first().click()
  const panel = page.getByRole('complementary', { name })
  await expect(panel).toContainText('نموذج ورقي')
  await expect(panel).toContainText('الباب الخلفي')

  await page.goto('/admin/customers/import')
  await page.getByRole('button', { name: t('import.undoOf', { name: fileName }) }).click()
  await page
    .getByRole('button', { name: t('import.undo'), exact: true })
    .last()
    .click()
  await expect(page.getByText(t('customerImport.undone.removed', { count: 1 }))).toBeVisible()
  await expect(page.getByRole('button', { name: t('import.undoOf', { name: fileName }) })).toHaveCount(0)

  // The audit changes the letters of an Arabic page.
  await audit(page, 'customer-import', { least: isPhone ? 44 : 24 })
  await page.reload()
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByRole('heading', { name: t('import.summary') })).toBeFocused()
  await audit(page, 'customer-import-checked', { least: isPhone ? 44 : 24 })
})
