import type { Page } from '@playwright/test'
import { placeByCalls } from './shop/customers.ts'
import { shopOn } from './shop/pages.ts'
import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { ready } from './shop/ready.ts'
import { expect, test } from './shop/test.ts'
import { wordsIn } from './shop/words.ts'

const rootOf = (page: Page) => page.evaluate(() => `${document.documentElement.lang} ${document.documentElement.dir}`)
const messagesTo = async (page: Page, phone: string) => {
  const sent = await page.request.get(`/api/simulator/messages?phone=${encodeURIComponent(phone)}`)
  const messages: { body: string }[] = await sent.json()
  return messages.map(({ body }) => body)
}
const cookieOf = async (page: Page) => (await page.context().cookies()).find(({ name }) => name === 'lang')?.value

test('the first byte is in the language of ?lang, else the saved one, else Arabic', async ({
  page,
  context,
  baseURL,
}) => {
  const first = async (path: string) =>
    /<html lang="(\w+)" dir="(\w+)"/.exec(await (await page.request.get(path)).text())
  expect((await first('/'))?.slice(1)).toEqual(['ar', 'rtl'])
  for (const odd of ['?lang=fr', '?lang=EN', '?lang=', '?lang=en&lang=ar']) {
    expect((await first(`/${odd}`))?.slice(1), odd).toEqual(['ar', 'rtl'])
  }
  await page.goto('/?lang=en')
  await ready(page)
  expect(await rootOf(page)).toBe('en ltr')
  expect(await cookieOf(page)).toBe('en')
  await page.goto('/about')
  expect(await rootOf(page)).toBe('en ltr')
  for (const odd of ['?lang=fr', '?lang=AR', '?lang=ar&lang=en']) {
    await page.goto(`/${odd}`)
    expect(await rootOf(page), odd).toBe('en ltr')
  }
  await context.clearCookies()
  await context.addCookies([{ name: 'lang', value: 'xx', url: baseURL ?? '' }])
  await page.goto('/')
  expect(await rootOf(page)).toBe('ar rtl')
})

test('changing the language keeps cart, scroll position, focus and query @wide @core', async ({
  page,
  shop,
  t,
  lang,
}) => {
  const other = lang === 'ar' ? 'en' : 'ar'
  const words = wordsIn(other)
  await shop.open('/?vendor=1&size=1.5L&utm_source=x#here')
  await shop.add(5, 2)
  const trigger = page.getByRole('button', { name: new RegExp(t('shell.language')) })
  await trigger.focus()
  // The header is not sticky: so far down its button can still be seen.
  await page.evaluate(() => window.scrollTo(0, 24))
  const before = await page.evaluate(() => ({ length: history.length, top: scrollY }))
  expect(before.top).toBe(24)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText(t(`shell.language.${lang}`))
  const choice = page.getByRole('menuitemradio', { name: t(`shell.language.${other}`) })
  await choice.press('Enter')

  await expect(page.locator('html')).toHaveAttribute('lang', other)
  await expect(page.locator('html')).toHaveAttribute('dir', other === 'ar' ? 'rtl' : 'ltr')
  await expect(page).toHaveURL((url) => url.searchParams.get('lang') === other)
  const { searchParams, hash } = new URL(page.url())
  expect([searchParams.get('vendor'), searchParams.get('size'), searchParams.get('utm_source'), hash]).toEqual([
    '1',
    '1.5L',
    'x',
    '#here',
  ])
  await expect(page.getByRole('button', { name: new RegExp(words('shell.language')) })).toBeFocused()
  const after = await page.evaluate(() => ({ length: history.length, top: scrollY }))
  expect(after).toEqual(before)
  expect(await cookieOf(page)).toBe(other)
  await expect(shop.card(5).getByRole('status')).toHaveText('2')
  await expect(page).toHaveTitle(new RegExp(words('shell.brand')))
  await page.reload()
  expect((await rootOf(page)).startsWith(other)).toBe(true)
})

test('messages to a signed-in person use the chosen language', async ({ page, shop, t, lang }) => {
  const other = lang === 'ar' ? 'en' : 'ar'
  const phone = newPhone()
  await signInCustomerByCalls(page, phone, lang)
  const profile = async () => (await (await page.request.get('/api/auth/profile')).json()).language
  expect(await profile()).toBe(lang)
  await shop.open('/about')
  await page.getByRole('button', { name: new RegExp(t('shell.language')) }).click()
  await page.getByRole('menuitemradio', { name: t(`shell.language.${other}`) }).click()
  await expect.poll(profile).toBe(other)
  await placeByCalls(page, { productId: 6, quantity: 7 })
  const newest = async () => {
    const bodies = await messagesTo(page, phone)
    return bodies.length > 1 ? (bodies[0] ?? '') : ''
  }
  await expect.poll(newest).toMatch(other === 'ar' ? /[\u0600-\u06ff]{3}/ : /order/i)
})

test('?lang in the address changes the message language of the signed-in person', async ({ page, shop }) => {
  const phone = newPhone()
  await signInCustomerByCalls(page, phone, 'en')
  const profile = async () => (await (await page.request.get('/api/auth/profile')).json()).language
  expect(await profile()).toBe('en')
  await shop.open('/about?lang=ar')
  await expect.poll(profile).toBe('ar')
  await shop.open('/orders?lang=en')
  await expect.poll(profile).toBe('en')
})

for (const how of ['in the address', 'in the menu'] as const) {
  test(`a language chosen on the sign-in page (${how}) applies to the session and the messages`, async ({
    page,
    shop,
    lang,
  }) => {
    const other = lang === 'ar' ? 'en' : 'ar'
    const words = wordsIn(other)
    const phone = newPhone()
    await signInCustomerByCalls(page, phone, lang)
    const profile = async () => (await (await page.request.get('/api/auth/profile')).json()).language
    expect(await profile()).toBe(lang)
    await page.context().clearCookies({ name: 'sid' })

    await shop.open(how === 'in the address' ? `/login?redirect=/about&lang=${other}` : '/login?redirect=/about')
    if (how === 'in the menu') {
      await page.getByRole('button', { name: new RegExp(wordsIn(lang)('shell.language')) }).click()
      await page.getByRole('menuitemradio', { name: wordsIn(lang)(`shell.language.${other}`) }).click()
    }
    await expect(page.locator('html')).toHaveAttribute('lang', other)
    await shopOn({ page, lang: other, t: words, isPhone: true }).signIn(phone)
    await expect(page).toHaveURL((url) => url.pathname === '/about')
    expect(await profile()).toBe(other)
    await page.goto('/orders')
    expect((await rootOf(page)).startsWith(other)).toBe(true)

    const sent = await messagesTo(page, phone)
    await placeByCalls(page, { productId: 6, quantity: 7 })
    const newest = async () => {
      const bodies = await messagesTo(page, phone)
      return bodies.length > sent.length ? (bodies[0] ?? '') : ''
    }
    await expect.poll(newest).toMatch(other === 'ar' ? /[\u0600-\u06ff]{3}/ : /order/i)
  })
}
