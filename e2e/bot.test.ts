import type { Locator, Page } from '@playwright/test'
import type { Lang } from '@qatra/contract/lib/lang'
import { newPhone, removeSession, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const dispatcher = '+97336000003'

/** What the customer writes and taps and the bot's answers, by language. */
const talks: Record<Lang, Record<string, string>> = {
  ar: {
    hello: 'السلام عليكم',
    welcome: 'مرحبًا بك في قطرة',
    order: 'اطلب ماء',
    where: 'إلى أين نوصّل؟',
    place: 'التوصيل إلى القضيبية',
    vendor: 'هيرات',
    products: 'منتجات هيرات',
    product: '500 مل · مياه',
    cartons: 'كرتونين',
    minimum: 'لتبلغ الحد الأدنى للطلب',
    more: '٣ كراتين ٢٠٠ مل',
    total: '7.400',
    checkout: 'إتمام الطلب',
    address: 'مبنى 12، طريق 305، مجمع 304',
    noNotes: 'لا ملاحظات',
    whose: 'باسم مَن الطلب؟',
    name: 'مريم علي',
    summary: 'هل نؤكد الطلب؟',
    confirm: 'تأكيد الطلب',
    placed: 'أكدنا طلبك من هيرات',
    again: 'نعم',
    before: 'ولم نكرره',
  },
  en: {
    hello: 'hi',
    welcome: 'Welcome to Qatra',
    order: 'Order water',
    where: 'Where shall we deliver?',
    place: 'Delivering to Gudaibiya',
    vendor: 'Hayrat',
    products: 'Hayrat has these',
    product: '500 ml · water',
    cartons: 'two cartons',
    minimum: 'to reach the minimum order',
    more: 'add 3 cartons of 200ml',
    total: '7.400',
    checkout: 'Check out',
    address: 'Building 12, road 305, block 304',
    noNotes: 'No notes',
    whose: 'What name is the order for?',
    name: 'Maryam Ali',
    summary: 'Shall we place this order?',
    confirm: 'Confirm order',
    placed: 'Hayrat has your order',
    again: 'yes',
    before: 'we did not repeat it',
  },
}

interface Thread {
  log: Locator
  write: (text: string) => Promise<void>
  /** The newest message with this button or row. */
  tap: (title: string) => Promise<void>
  /** The newest message holds this. */
  answered: (...texts: string[]) => Promise<void>
}

function threadOn(page: Page, labels: { write: string; send: string }): Thread {
  const log = page.getByRole('log')
  return {
    log,
    async write(text) {
      await page.getByLabel(labels.write).fill(text)
      await page.getByRole('button', { name: labels.send, exact: true }).click()
    },
    tap: (title) => log.getByRole('button', { name: title }).last().click(),
    async answered(...texts) {
      const newest = log.getByRole('article').last()
      for (const text of texts) await expect(newest).toContainText(text)
    },
  }
}

test('an order by bot, from the greeting to delivery, on WhatsApp, site and admin @english @core', async ({
  page,
  shop,
  t,
  lang,
}) => {
  const phone = newPhone()
  const talk = talks[lang]
  const said = (key: string) => talk[key] ?? key
  await shop.open(`/simulator?phone=${encodeURIComponent(phone)}`)
  const { log, write, tap, answered } = threadOn(page, { write: t('simulator.write'), send: t('simulator.send') })

  await write(said('hello'))
  await answered(said('welcome'))
  await tap(said('order'))
  await answered(said('where'))
  await tap(t('simulator.sendLocation'))
  await page.getByRole('button', { name: t('simulator.location', { place: t('simulator.place.manama') }) }).click()
  await answered(said('place'))
  const list = lang === 'ar' ? 'اختر' : 'Choose'
  await tap(list)
  await log
    .getByRole('button', { name: new RegExp(`^${said('vendor')}`) })
    .last()
    .click()
  await answered(said('products'))
  await tap(list)
  await log
    .getByRole('button', { name: new RegExp(`^${said('product')}`) })
    .first()
    .click()
  await expect(log.getByRole('button', { name: '3', exact: true })).toBeVisible()
  await write(said('cartons'))
  await answered(said('minimum'))
  await write(said('more'))
  await answered(said('total'))
  await tap(said('checkout'))
  await expect(log.getByRole('article').last()).toContainText('3810')
  await write(said('address'))
  await expect(log.getByRole('button', { name: said('noNotes') })).toBeVisible()
  await tap(said('noNotes'))
  await answered(said('whose'))
  await write(said('name'))
  await answered(said('summary'), said('address'), said('name'), said('total'))
  await tap(said('confirm'))
  await answered(said('placed'), said('total'))
  // A second tap and a second message place no second order.
  await tap(said('confirm'))
  await answered(said('before'))
  await write(said('again'))
  await answered(said('before'))

  await signInCustomerByCalls(page, phone)
  await page.goto('/orders')
  const orders: { items: { id: string; total: number }[] } = await (await page.request.get('/api/auth/orders')).json()
  expect(orders.items).toHaveLength(1)
  const id = orders.items[0]?.id ?? ''
  await expect(page.getByRole('main')).toContainText('7.400')

  await removeSession(page)
  await signInToAdmin(page, dispatcher, `/admin/orders?q=${encodeURIComponent(phone.slice(-8))}`)
  await expect(page.locator(`[data-row="${id}"]`)).toContainText(id.slice(0, 4))
  const delivered = await page.request.patch(`/api/admin/orders/${id}/status`, { data: { status: 'delivered' } })
  expect(delivered.status(), await delivered.text()).toBe(200)

  await page.goto(`/simulator?phone=${encodeURIComponent(phone)}`)
  const [before = '', after = ''] = t('news.order.delivered' as 'order.delivered', { id: '|', vendor: '|' }).split('|')
  await expect(
    log.getByRole('article').filter({ hasText: before.trim() }).filter({ hasText: after.trim() }).first(),
  ).toBeVisible()
})
