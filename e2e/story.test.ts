import { type Browser, type BrowserContext, type Page, request as requests } from '@playwright/test'
import type { Lang } from '@qatra/contract/lib/lang'
import { measured } from './settings.ts'
import { query } from './shop/database.ts'
import { newPhone, signInCustomerByCalls, signInRequest, signInToAdmin } from './shop/phones.ts'
import { telegramOn } from './shop/telegram.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

test.use({ baseURL: measured.origin })

/** Texts of customer, bot and staff. */
const lines = {
  ar: {
    hello: 'السلام عليكم',
    welcome: 'مرحبًا بك في قطرة',
    price: 'بجم كرتون هيرات 500؟',
    priced: '1.600',
    cartons: '4',
    where: 'إلى أين نوصّل؟',
    area: 'السيف',
    added: '6.400',
    help: 'ابي اكلم موظف',
    called: 'سيرد عليك أحد زملائنا',
    answer: 'أهلًا، نوصل إليكم بعد العصر.',
    alright: 'تمام',
    cart: 'سلتي',
    shown: 'سلتك من هيرات',
    telegram: 'السائق يتصل قبل أن يصل.',
    good: 'زين',
    thanks: 'مشكورين',
    welcomeBack: 'في خدمتكم دائمًا.',
    quiet: 'رسالتك عند زميلنا',
    checkout: 'إتمام الطلب',
    asksAddress: '3810',
    address: 'مبنى 12، طريق 2831، مجمع 428',
    noNotes: 'لا ملاحظات',
    name: 'مريم علي',
    summary: 'هل نؤكد الطلب؟',
    confirm: 'تأكيد الطلب',
    placed: 'أكدنا طلبك من هيرات',
  },
  en: {
    hello: 'hi',
    welcome: 'Welcome to Qatra',
    price: 'how much is Hayrat 500 ml?',
    priced: '1.600',
    cartons: '4',
    where: 'Where shall we deliver?',
    area: 'Seef',
    added: '6.400',
    help: 'I want to speak to a person',
    called: 'one of our team will answer',
    answer: 'Hello, we deliver to you after four.',
    alright: 'ok',
    cart: 'my cart',
    shown: 'Your cart from Hayrat',
    telegram: 'The driver calls before he arrives.',
    good: 'fine',
    thanks: 'thanks',
    welcomeBack: 'Always at your service.',
    quiet: 'Your message is with our team',
    checkout: 'Check out',
    asksAddress: '3810',
    address: 'Building 12, road 2831, block 428',
    noNotes: 'No notes',
    name: 'Maryam Ali',
    summary: 'Shall we place this order?',
    confirm: 'Confirm order',
    placed: 'Hayrat has your order',
  },
} as const satisfies Record<Lang, Record<string, string>>

/** A super admin of this test in a browser of their own. */
async function answerer(browser: Browser, lang: Lang, follow: (context: BrowserContext) => Promise<void>) {
  const phone = newPhone()
  const name = lang === 'ar' ? 'سارة الموظفة' : 'Sara of the office'
  await query(
    `insert into users (phone, name, language, role, is_verified) values ($1, $2, $3, 'super_admin', true)`,
    [phone, name, lang],
    measured,
  )
  const context = await browser.newContext({ baseURL: measured.origin, viewport: { width: 1280, height: 900 } })
  await follow(context)
  await context.addCookies([{ name: 'lang', value: lang, url: measured.origin }])
  const page = await context.newPage()
  await signInToAdmin(page, phone, '/admin/telegram')
  return { context, page, name, phone }
}

/** Links their Telegram through the page. */
async function linkTelegram(page: Page, t: Words) {
  await page.getByRole('button', { name: t('telegramPage.link') }).click()
  const way = page.getByRole('link', { name: t('telegramPage.open') })
  const [telegram] = await Promise.all([page.context().waitForEvent('page'), way.click()])
  await telegramOn(telegram, t).start()
  await expect(page.getByRole('button', { name: t('telegramPage.unlink') })).toBeVisible()
  return telegram
}

/** Whether the bot answered the customer's last message with this text; undefined until processed. */
async function botAnswered(phone: string, words: string) {
  const [row] = await query<{ answered: boolean }>(
    `select m.bot_response_sent as answered from whatsapp_messages m join contacts c on c.id = m.contact_id
     where c.phone = $1 and m.content = $2 and m.processed order by m.id desc limit 1`,
    [phone, words],
    measured,
  )
  return row?.answered
}

test('an order from bot chat through staff, Telegram and delivery to the receipt @english @core', async ({
  page,
  browser,
  shop,
  watch,
  lang,
  t,
}) => {
  const phone = newPhone()
  const said = lines[lang]
  await page.addInitScript(() => {
    localStorage.setItem('analytics-consent', JSON.stringify({ choice: 'refused', at: '2026-01-01T00:00:00.000Z' }))
  })
  const staff = await answerer(browser, lang, watch.follow)
  const theirPhone = await linkTelegram(staff.page, t)

  await shop.open(`/simulator?phone=${encodeURIComponent(phone)}`)
  const log = page.getByRole('log')
  const newest = log.getByRole('article').last()
  const write = async (text: string) => {
    await page.getByLabel(t('simulator.write')).fill(text)
    await page.getByRole('button', { name: t('simulator.send'), exact: true }).click()
  }
  const answered = async (...texts: string[]) => {
    for (const text of texts) await expect(newest).toContainText(text)
  }
  const tap = (title: string) => log.getByRole('button', { name: title }).last().click()
  /** The customer's message is the last one: the bot stays silent. */
  const isSilentAbout = async (text: string) => {
    await write(text)
    await expect.poll(() => botAnswered(phone, text)).toBe(false)
    await answered(text)
  }

  /** A person has answered without being asked for: the bot says so once, at the customer's first message. */
  const isLeftToStaff = async (text: string) => {
    await write(text)
    await expect.poll(() => botAnswered(phone, text)).toBe(true)
    await answered(said.quiet)
  }

  await test.step('the bot tells a price and fills the cart', async () => {
    await write(said.hello)
    await answered(said.welcome)
    await write(said.price)
    await answered(said.priced)
    await write(said.cartons)
    await answered(said.where)
    await write(said.area)
    await answered(said.added)
  })

  const inbox = staff.page
  const handBack = () => inbox.getByRole('button', { name: t('inbox.handBack') }).click()
  await test.step('a person takes over in the inbox, and the bot is silent', async () => {
    await write(said.help)
    await answered(said.called)
    await inbox.goto('/admin/whatsapp?view=waiting')
    await inbox
      .locator('[data-contact]')
      .filter({ hasText: phone.slice(-4) })
      .click()
    await expect(inbox.getByRole('log', { name: t('inbox.messages') }).getByText(said.help)).toBeVisible()
    await inbox.locator('[data-composer]').fill(said.answer)
    await inbox.locator('[data-composer]').press('Enter')
    await answered(said.answer)
    await expect(inbox.getByText(t('inbox.answering.you'))).toBeVisible()
    // The bot said that a person answers when the customer asked for one.
    await isSilentAbout(said.alright)
  })

  await test.step('handed back, the bot goes on with the same cart', async () => {
    await handBack()
    await expect(inbox.getByText(t('inbox.answering.bot'))).toBeVisible()
    await write(said.cart)
    await answered(said.shown, said.added)
  })

  await test.step('the same conversation is answered from its Telegram topic', async () => {
    const telegram = telegramOn(theirPhone, t)
    await telegram.open(staff.phone)
    await telegram.openTopic(phone)
    // The talk with the bot after the hand-back is not mirrored.
    await expect(telegram.log.getByText(said.alright, { exact: true })).toBeVisible()
    await telegram.answer(said.telegram)
    await answered(said.telegram)
    await expect(inbox.getByRole('log', { name: t('inbox.messages') }).getByText(said.telegram)).toBeVisible()
    await isLeftToStaff(said.good)
    await expect(telegram.log.getByText(said.good, { exact: true })).toBeVisible()

    // After the topic is deleted, the next message creates a new one.
    await telegram.deleteTopic()
    await isSilentAbout(said.thanks)
    await telegram.openTopic(phone)
    await expect(telegram.log.getByText(said.thanks, { exact: true })).toBeVisible()
    await telegram.answer(said.welcomeBack)
    await answered(said.welcomeBack)
    await handBack()
    await expect(inbox.getByText(t('inbox.answering.bot'))).toBeVisible()
  })

  const id = await test.step('the customer orders what the summary shows', async () => {
    await write(said.checkout)
    await answered(said.asksAddress)
    await write(said.address)
    await tap(said.noNotes)
    await expect(newest).not.toContainText(said.noNotes)
    await write(said.name)
    await answered(said.summary, said.address, said.name, said.added)
    await tap(said.confirm)
    await answered(said.placed, said.added)
    const [order] = await query<{ id: string }>('select id from orders where phone = $1', [phone], measured)
    return order?.id ?? ''
  })

  await test.step('a driver delivers it, and the news leads to the receipt', async () => {
    const [driver] = await query<{ id: number }>(`select id from users where phone = '+97336000005'`, [], measured)
    const given = await inbox.request.put(`/api/admin/orders/${id}/driver`, { data: { driverId: driver?.id } })
    expect(given.status(), await given.text()).toBe(200)
    const left = await inbox.request.patch(`/api/admin/orders/${id}/status`, { data: { status: 'shipped' } })
    expect(left.status(), await left.text()).toBe(200)
    const onTheRoad = await requests.newContext({ baseURL: measured.origin })
    await signInRequest(onTheRoad, '+97336000005', lang)
    const arrived = await onTheRoad.patch(`/api/admin/orders/${id}/status`, { data: { status: 'delivered' } })
    expect(arrived.status(), await arrived.text()).toBe(200)
    await onTheRoad.dispose()
    const link = log.getByRole('link', { name: new RegExp(`/orders/${id}`) })
    await expect(link).toBeVisible()

    await signInCustomerByCalls(page, phone, lang)
    await page.goto((await link.getAttribute('href')) ?? '')
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: t('order.receipt') }).click()
    expect((await saved).suggestedFilename()).toMatch(/^receipt-1-\d{6}\.pdf$/)
  })
  await staff.context.close()
})
