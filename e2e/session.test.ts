import { placeByCalls } from './shop/customers.ts'
import { query } from './shop/database.ts'
import { codeFor, countCodes, newPhone, signInCustomerByCalls, signInToAdmin } from './shop/phones.ts'
import { ready } from './shop/ready.ts'
import { expect, test } from './shop/test.ts'

const person = 'سلمى بنت خالد'

test('signing out removes all personal data in both tabs and behind the back button @core', async ({
  page,
  context,
  shop,
  t,
}) => {
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7, customerName: person })
  await shop.open('/orders')
  await page.getByRole('article').getByRole('link', { name: /./ }).first().click()
  await page.waitForURL(new RegExp(id))
  const tab = await context.newPage()
  await tab.goto(`/orders/${id}`)
  await ready(tab)
  await expect(tab.getByText('2831')).toBeVisible()

  await shop.button(t('shell.account')).click()
  await page.getByRole('menuitem', { name: t('shell.signOut') }).click()
  await expect(shop.toast.filter({ hasText: t('login.loggedOut') })).toBeVisible()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  await tab.waitForURL(/\/login/)
  await expect(tab.getByText('2831')).toHaveCount(0)

  for (let back = 0; back < 2; back += 1) {
    await page.goBack()
    await expect(page.getByLabel(t('login.phone'))).toBeVisible()
    const html = await page.content()
    // The word boundaries exclude the test server's port.
    expect(/\b2831\b/.test(html), 'the address is still in the page').toBe(false)
    expect(html, 'the name is still in the page').not.toContain(person)
  }
  expect((await context.cookies()).filter(({ name, value }) => name === 'sid' && value.startsWith('u.'))).toEqual([])
})

test('the browser shows no signed-in page after a sign-out through the API', async ({ page, shop }) => {
  await signInCustomerByCalls(page, newPhone())
  await placeByCalls(page, { productId: 6, quantity: 7, customerName: person })
  const answer = await page.goto('/orders')
  expect(answer?.headers()['cache-control']).toBe('no-store')
  await ready(page)
  await page.goto('/about')
  await page.request.post('/api/auth/logout')
  await page.goBack()
  await expect(page).toHaveURL(/\/login/)
  await shop.open('/orders')
  await expect(page).toHaveURL(/\/login/)
})

test("a person who gets no code signs in by sending a message and entering the page's digits", async ({
  page,
  shop,
  t,
}) => {
  const phone = newPhone()
  await shop.open('/login?redirect=/about')
  await page.getByLabel(t('login.phone')).fill(phone)
  await shop.button(t('login.send')).click()
  await shop.button(t('login.message.offer')).click()
  const word = await page.getByText(/^LOGIN [A-Z2-9]{6}$/).innerText()
  const digits = await page.locator('bdi', { hasText: /^\d\d$/ }).innerText()

  const [telephone] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: t('login.message.open') }).click(),
  ])
  await ready(telephone)
  const write = async (text: string) => {
    await telephone.getByLabel(t('simulator.write')).fill(text)
    await telephone.getByRole('button', { name: t('simulator.send'), exact: true }).click()
  }
  await write(word)
  await expect(telephone.getByRole('button', { name: /^(لست أنا|It’s not me)$/ })).toBeVisible()
  await expect(page.getByText(t('login.message.asked', { answer: digits }))).toBeVisible()
  await write(digits)
  await expect(telephone.getByText(/أكدنا رقمك|Your number is confirmed/)).toBeVisible()
  // The page's path is also in the redirect parameter of the sign-in page.
  await page.waitForURL(({ pathname }) => pathname === '/about')
  expect((await page.request.get('/api/auth/me')).status()).toBe(200)
})

test('sign-in handles a wrong code, a pasted code, another number and a new code @english @core', async ({
  page,
  shop,
  watch,
  t,
}) => {
  watch.allow(/42[29].*verify/)
  const phone = newPhone()
  await shop.open('/login?redirect=/about')
  const number = page.getByLabel(t('login.phone'))
  const code = page.getByLabel(t('login.code'), { exact: true })
  const send = shop.button(t('login.send'))

  for (const [typed, words] of [
    ['36', 'validation.phoneTooShort'],
    ['12345678901234567', 'validation.phoneTooLong'],
    ['3600abcd', 'validation.phoneBadCharacters'],
  ] as const) {
    await number.fill(typed)
    await send.click()
    await expect(number).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText(t(words))).toBeVisible()
  }
  await number.fill('٣٣٩٩٩٩٩٩')
  await send.click()
  await expect(page.getByText('+973 3399 9999')).toBeVisible()
  await shop.button(t('login.changeNumber')).last().click()
  await expect(number).toHaveValue('3399 9999')
  await number.fill(phone)
  await send.click()

  const right = await codeFor(page.request, phone)
  await code.fill(right === '1111' ? '2222' : '1111')
  await expect(page.getByText(t('login.error.INVALID_CODE'))).toBeVisible()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await expect(code).toBeFocused()

  const before = await countCodes(page.request, phone)
  await shop.button(t('login.resend')).click()
  const newer = await codeFor(page.request, phone, before)
  await code.fill('')
  await code.evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, `${newer} هو رمز دخولك إلى قطرة.`)
  await page.waitForURL(/\/about/)
})

test('a code in Arabic digits is accepted, and an expired one refused', async ({ page, shop, watch, t }) => {
  watch.allow(/422.*verify/)
  const phone = newPhone()
  await shop.open('/login')
  await page.getByLabel(t('login.phone')).fill(phone)
  await shop.button(t('login.send')).click()
  const code = page.getByLabel(t('login.code'), { exact: true })
  await expect(code).toBeVisible()
  const right = await codeFor(page.request, phone)
  const arabic = right.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')
  await query("update login_codes set expires_at = now() - interval '1 second' where phone = $1", [phone])
  await code.fill(arabic)
  await expect(page.getByText(t('login.error.INVALID_CODE'))).toBeVisible()
  await query("update login_codes set expires_at = now() + interval '1 minute' where phone = $1", [phone])
  await code.fill('')
  await code.pressSequentially(arabic)
  await page.waitForURL(/\/orders/)
  await expect(page.getByText(t('orders.empty'))).toBeVisible()
})

test('a signed-in person on the sign-in page is redirected after 1.5 s, without a loop', async ({ page, shop, t }) => {
  await signInCustomerByCalls(page, newPhone())
  await shop.open('/about')
  // Before the page has loaded: it leaves by itself.
  await page.goto('/login?redirect=/faqs', { waitUntil: 'commit' })
  await expect(page.getByText(t('login.already'))).toBeVisible()
  await expect(page.getByLabel(t('login.phone'))).toHaveCount(0)
  await page.waitForURL(/\/faqs/)
  await page.goBack()
  await expect(page).toHaveURL(/\/about/)
  for (const evil of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', '%2f%2fevil.example']) {
    await page.goto(`/login?redirect=${encodeURIComponent(evil)}`)
    await page.waitForURL(/\/orders$/)
  }
})

test('an offline sign-out shows a notice in all tabs, survives a reload, and ends the session once online', async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  // The home page of the next visitor cannot load its data either.
  watch.allowOffline()
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7, customerName: person })
  const tab = await context.newPage()
  await tab.goto('/about')
  await ready(tab)
  await shop.open(`/orders/${id}`)
  const me = async () => (await page.request.get('/api/auth/me')).status()
  const notice = (one: typeof page) => one.getByText(t('login.signOutPending'))

  await context.setOffline(true)
  await shop.button(t('shell.account')).click()
  await page.getByRole('menuitem', { name: t('shell.signOut') }).click()
  await expect(notice(page)).toBeVisible()
  await expect(notice(tab)).toBeVisible()
  await expect(shop.toast.filter({ hasText: t('login.loggedOutSuccess') })).toHaveCount(0)
  await expect(page.getByText('2831')).toHaveCount(0)
  expect(await me()).toBe(200)

  // The network is back, but the server does not answer this call yet.
  await context.route('**/api/auth/logout', (route) => route.abort())
  await context.setOffline(false)
  await page.reload()
  await expect(notice(page)).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(0)
  expect(await me()).toBe(200)

  await context.unroute('**/api/auth/logout')
  await expect(notice(page)).toHaveCount(0)
  await expect(notice(tab)).toHaveCount(0)
  await expect(shop.link(t('shell.signIn'))).toBeVisible()
  expect(await me()).toBe(401)
})

test('a person who signs in right after an offline sign-out stays signed in', async ({
  page,
  context,
  shop,
  watch,
}) => {
  watch.allowOffline()
  const [first, second] = [newPhone(), newPhone()]
  await signInCustomerByCalls(page, first)
  await shop.open('/login?redirect=/about')
  await page.waitForURL(/\/about/)
  await context.setOffline(true)
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menuitem').last().click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await context.setOffline(false)
  await shop.open('/login?redirect=/about')
  await shop.signIn(second)
  await page.reload()
  expect((await (await page.request.get('/api/auth/me')).json()).phone).toBe(second)
})

test('staff who sign out of the admin area offline see a notice, and leave once online', async ({
  page,
  context,
  watch,
  t,
  shop,
}) => {
  watch.allowOffline()
  await shop.open('/about')
  await signInToAdmin(page, '+97336000003', '/admin/products')
  await context.setOffline(true)
  await page.getByRole('button', { name: t('admin.nav.more') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('shell.signOut') })
    .click()
  await expect(page.getByText(t('login.signOutPending'))).toBeVisible()
  await context.setOffline(false)
  await expect(page).toHaveURL((url) => url.pathname === '/')
  expect((await page.request.get('/api/auth/me')).status()).toBe(401)
})
