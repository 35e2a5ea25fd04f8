import { costOf } from './shop/catalogue.ts'
import { deliver, placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

test('adding from another vendor parks the cart, and undo restores it @wide @core', async ({ page, shop, t }) => {
  const [first, second] = [await shop.named.vendor(1), await shop.named.vendor(2)]
  const products: { id: number; vendorId: number }[] = await (await page.request.get('/api/products?vendorId=2')).json()
  const other = products[0]?.id ?? 0
  const { sizedName: name } = await shop.named.product(other)
  await shop.open('/?vendor=1')
  await shop.add(13, 2)
  await shop.link(second.name).first().click()
  const wanted = shop.button(t('ui.addOf', { name }), shop.card(other))

  await test.step('keeping changes nothing', async () => {
    await wanted.click()
    const dialog = page.getByRole('dialog', { name: t('cart.switch.title', { vendor: second.name }) })
    await expect(dialog).toBeVisible()
    await expect(shop.button(t('cart.switch.keep', { vendor: first.name }))).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(wanted).toBeFocused()
    await expect(shop.card(other).getByRole('status')).toHaveText('0')
  })
  await test.step('starting puts the other product into a new cart', async () => {
    await wanted.click()
    await shop.button(t('cart.switch.start', { vendor: second.name })).click()
    // The focus holds the toast while the page is checked.
    await shop.button(t('ui.undo')).focus()
    await expect(shop.card(other).getByRole('status')).toHaveText('1')
    await expect(
      shop.toast.filter({ hasText: t('cart.switched', { vendor: second.name, old: first.name }) }),
    ).toBeVisible()
  })
  await test.step('undo', async () => {
    await shop.button(t('ui.undo')).click()
    await expect(shop.card(other).getByRole('status')).toHaveText('0')
    await shop.openCart()
    await expect(shop.cart.getByText(t('cart.parked', { vendor: second.name }))).toBeVisible()
  })
  await test.step('the kept cart is offered and comes back, on another day too', async () => {
    await page.reload()
    await shop.open('/?vendor=2')
    await shop.openCart()
    await shop.button(t('cart.restore'), shop.cart).click()
    await expect(shop.card(other).getByRole('status')).toHaveText('1')
    await expect(shop.cart.getByText(t('cart.parked', { vendor: first.name }))).toBeVisible()
  })
})

test('a removed line is restored by undo, and the quantity is limited to 100', async ({ page, shop, t }) => {
  const { sizedName: name } = await shop.named.product(5)
  await page.request.post('/api/cart/add', { data: { productId: 5, quantity: 99 } })
  await shop.open('/?vendor=1')
  const card = shop.card(5)
  await shop.button(t('ui.increase'), card).click()
  await expect(card.getByRole('status')).toHaveText('100')
  // Grey, but it says why when it is pressed.
  await shop.button(t('ui.increase'), card).click({ force: true })
  await expect(shop.toast.filter({ hasText: t('ui.quantityMax', { max: 100 }) })).toBeVisible()
  await expect(card.getByRole('status')).toHaveText('100')
  await shop.openCart()
  await shop.button(t('cart.removeOf', { name }), shop.cart).click()
  const undo = shop.button(t('ui.undo'))
  await undo.focus()
  await expect(card.getByRole('status')).toHaveText('0')
  await undo.click()
  await expect(card.getByRole('status')).toHaveText('100')
  const kept = async () => (await (await page.request.get('/api/cart')).json()).items[0]?.quantity
  await expect.poll(kept).toBe(100)
  await page.reload()
  await expect(card.getByRole('status')).toHaveText('100')
})

test('a pending quantity is saved when the page is left', async ({ page, shop }) => {
  await shop.open('/?vendor=1')
  await shop.add(2, 3)
  await page.goto('/about')
  await shop.open('/?vendor=1')
  await expect(shop.card(2).getByRole('status')).toHaveText('3')
})

test('a quantity raised right before a full page load is ordered without a price-change dialog @core', async ({
  page,
  shop,
  t,
}) => {
  await signInCustomerByCalls(page, newPhone())
  await page.request.post('/api/cart/add', { data: { productId: 6, quantity: 7 } })
  await shop.open('/?vendor=1')
  await shop.button(t('ui.increase'), shop.card(6)).click()
  await page.goto('/checkout')
  const { deliveryFee } = await shop.named.vendor(1)
  const total = shop.money(costOf(await shop.named.product(6), 8) + deliveryFee)
  await expect(shop.place).toContainText(total)
  const area = await shop.named.area('seef')
  await shop.chooseArea(area.name)
  await shop.areaFound((await shop.named.vendor(1)).name, area.name)
  await shop.fillAddress({ block: '428', road: '2831', building: '1172', name: 'نورة الدوسري' })
  await shop.place.click()
  await page.waitForURL(/\/checkout\/success\//)
  const order = await (await page.request.get(`/api/orders/${shop.orderId()}`)).json()
  expect(order.items[0].quantity).toBe(8)
})

test('a new customer sees the deposit before the checkout, and with as many empty bottles none', async ({
  page,
  shop,
  t,
}) => {
  const [gallon = 0] = (
    await query<{ id: number }>(`select id from products where vendor_id = 3 and name = 'Fayd gallon'`)
  ).map(({ id }) => id)
  const { price, bottle } = await shop.named.product(gallon)
  const { deliveryFee } = await shop.named.vendor(3)
  const deposit = bottle?.deposit ?? 0
  expect(deposit).toBeGreaterThan(0)
  await signInCustomerByCalls(page, newPhone())
  await shop.open('/?vendor=3')
  await shop.add(gallon)
  await shop.openCart()
  await expect(shop.cart.getByText(t('bottles.ask'))).toBeVisible()
  await expect(shop.cart.getByText(t('bottles.deposit', { count: 1 }))).toBeVisible()
  const { id, total } = await placeByCalls(page, { productId: gallon, quantity: 4 })
  expect(total).toBeCloseTo(5 * (price + deposit) + deliveryFee)
  await deliver(id)

  await shop.open('/?vendor=3')
  await shop.add(gallon)
  await shop.openCart()
  await expect(shop.cart.getByText(t('bottles.held', { count: 5 }))).toBeVisible()
  await expect(shop.cart.getByText(t('bottles.none'))).toBeVisible()
  const again = await placeByCalls(page, { productId: gallon, quantity: 5 })
  expect(again.total).toBeCloseTo(6 * price + deposit + deliveryFee)
  await shop.open(`/orders/${again.id}`)
  await expect(page.getByText(t('bottles.after', { count: 6 }))).toBeVisible()
})
