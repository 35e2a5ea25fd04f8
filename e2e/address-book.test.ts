import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const inSeef = { latitude: 26.2378, longitude: 50.5402, accuracy: 10 }
const parents = {
  label: 'بيت الوالد',
  address: 'المحرق، مجمع 214، طريق 1407، مبنى 22',
  addressParts: { block: '214', road: '1407', building: '22' },
  mapCoordinates: { lat: 26.2572, lng: 50.6119 },
  instructions: 'الباب الأزرق',
  receiverName: 'أبو سالم',
  receiverPhone: '36001234',
}

test('a customer saves an address with the map, edits, removes and restores it @english', async ({
  page,
  context,
  shop,
  t,
}) => {
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation(inSeef)
  await signInCustomerByCalls(page, newPhone())
  await shop.open('/profile')
  const book = page.getByRole('region', { name: t('profile.delivery') })
  await expect(book.getByRole('heading', { name: t('profile.book.empty') })).toBeVisible()
  await book.getByRole('button', { name: t('profile.book.add') }).click()
  const sheet = page.getByRole('dialog', { name: t('profile.book.new') })
  await sheet.getByLabel(t('profile.book.label')).fill('البيت')
  await sheet.getByRole('button', { name: t('map.locate') }).click()
  await sheet.getByLabel(t('checkout.block'), { exact: true }).fill('428')
  await sheet.getByLabel(t('checkout.building'), { exact: true }).fill('1172')
  // The device is accurate, so the road is optional.
  await expect(sheet.getByLabel(t('checkout.road'))).toHaveAccessibleName(new RegExp(t('ui.optional')))
  await sheet.getByRole('button', { name: t('profile.save') }).click()
  await expect(sheet).toHaveCount(0)
  const entry = book.getByRole('listitem')
  await expect(entry).toContainText('البيت')
  await expect(entry).toContainText(t('profile.book.default'))

  await entry.getByRole('button', { name: t('profile.book.edit') }).click()
  const change = page.getByRole('dialog', { name: t('profile.book.change') })
  await change.getByLabel(t('checkout.receiver'), { exact: true }).check()
  await change.getByLabel(t('checkout.receiver.name')).fill('أم سالم')
  await change.getByLabel(t('checkout.receiver.phone')).fill('٣٦٠٠١٢٣٤')
  await change.getByRole('button', { name: t('profile.save') }).click()
  await expect(entry).toContainText('أم سالم')
  await expect(entry).toContainText('+973 3600 1234')

  await entry.getByRole('button', { name: t('profile.book.remove') }).click()
  const undo = page.getByRole('button', { name: t('ui.undo') })
  // The focus holds the toast while the page is checked.
  await undo.focus()
  await expect(book.getByRole('heading', { name: t('profile.book.empty') })).toBeVisible()
  await undo.click()
  await expect(entry).toContainText('أم سالم')
  await expect(entry).toContainText(t('profile.book.default'))
})

test('the checkout offers the saved addresses; the order has the receiver of the chosen one', async ({
  page,
  shop,
  t,
}) => {
  await signInCustomerByCalls(page, newPhone())
  const home = {
    ...parents,
    label: 'البيت',
    address: 'السيف، مجمع 428، طريق 2831، مبنى 1172',
    addressParts: { block: '428', road: '2831', building: '1172' },
    mapCoordinates: { lat: 26.2378, lng: 50.5402 },
    instructions: null,
    receiverName: null,
    receiverPhone: null,
  }
  for (const data of [home, parents]) expect((await page.request.post('/api/addresses', { data })).status()).toBe(200)
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  await shop.open('/checkout')
  await expect(shop.addressCard).toContainText('428')
  await shop.button(`${t('checkout.changePlace')}: ${t('checkout.where')}`).click()
  await expect(page.getByRole('radio', { name: /البيت/ })).toBeChecked()
  await page.getByText('بيت الوالد').click()
  await expect(shop.place).toContainText((await shop.named.area('muharraq')).name)
  await shop.button(t('checkout.book.edit')).click()
  await expect(page.getByLabel(t('checkout.block'), { exact: true })).toHaveValue('214')
  await expect(page.getByLabel(t('checkout.receiver.name'))).toHaveValue('أبو سالم')
  await page.getByLabel(t('checkout.name'), { exact: true }).fill('مريم العلي')
  await page.getByRole('button', { name: new RegExp(`^${t('checkout.place')}`) }).click()
  await expect(page).toHaveURL(/\/checkout\/success\//)
  const id = page.url().split('/').pop()
  await shop.open(`/orders/${id}`)
  await expect(page.getByText('أبو سالم')).toBeVisible()
  await expect(page.getByText('+973 3600 1234')).toBeVisible()
})
