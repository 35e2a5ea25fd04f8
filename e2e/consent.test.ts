import type { BrowserContext } from '@playwright/test'
import { analyticsIds, measured } from './settings.ts'
import { newPhone, signInCustomerByCalls } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const scripts = [
  `https://www.googletagmanager.com/gtag/js?id=${analyticsIds.GA_ID}`,
  'https://connect.facebook.net/en_US/fbevents.js',
  'https://sc-static.net/scevent.min.js',
]

test('without analytics configured there is no consent banner', async ({ page, shop, t }) => {
  await shop.open('/')
  await expect(page.getByRole('heading', { name: t('consent.title') })).toHaveCount(0)
  await expect(shop.button(t('consent.choices'))).toHaveCount(0)
})

test.describe('with analytics configured', () => {
  test.use({ baseURL: measured.origin })

  /** Fakes the three analytics providers and records their requests. */
  async function companies(context: BrowserContext, answer: 'script' | 'nothing' | 'refused') {
    const asked: string[] = []
    await context.route(
      (url) => url.origin !== measured.origin,
      async (route) => {
        const url = route.request().url()
        asked.push(url)
        if (answer === 'refused') return route.abort('blockedbyclient')
        if (answer === 'nothing') return undefined
        return route.fulfill({ contentType: 'text/javascript', body: '' })
      },
    )
    return asked
  }
  const hosts = ['https://www.googletagmanager.com', 'https://connect.facebook.net', 'https://sc-static.net']

  test('third-party scripts load only after consent', async ({ page, context, shop, watch, t }) => {
    const asked = await companies(context, 'script')
    await shop.open('/?vendor=1')
    const question = page.getByRole('region', { name: t('consent.title') })
    await expect(question).toBeVisible()
    await shop.add(6, 2)
    await shop.open('/about')
    await expect(question).toBeVisible()
    expect(asked).toEqual([])
    await shop.button(t('consent.refuse')).click()
    await expect(question).toHaveCount(0)
    await shop.open('/faqs')
    await expect(question).toHaveCount(0)
    await page.waitForTimeout(500)
    expect(asked).toEqual([])

    for (const host of hosts) watch.allowOrigin(host)
    await shop.button(t('consent.choices')).first().click()
    await shop.button(t('consent.grant')).click()
    await expect.poll(() => [...asked].sort()).toEqual([...scripts].sort())
  })

  test('consent loads the three providers, and phone numbers are sent hashed', async ({
    page,
    context,
    shop,
    watch,
    t,
  }) => {
    for (const host of hosts) watch.allowOrigin(host)
    const phone = newPhone()
    const asked = await companies(context, 'script')
    await signInCustomerByCalls(page, phone)
    await shop.open('/')
    await shop.button(t('consent.grant')).click()
    await expect.poll(() => [...asked].sort()).toEqual([...scripts].sort())
    await shop.add(6, 1)
    const told = await page.evaluate(() => {
      const queues = [
        Reflect.get(window, 'dataLayer'),
        Reflect.get(window, 'fbq')?.queue,
        Reflect.get(window, 'snaptr')?.queue,
      ]
      return JSON.stringify(queues.map((queue) => [...(queue ?? [])].map((call) => [...call])))
    })
    expect(told).toContain('add_to_cart')
    expect(told).toContain('AddToCart')
    expect(told).toContain('ADD_CART')
    expect(told).not.toContain(phone.slice(-8))
  })

  for (const answer of ['refused', 'nothing'] as const) {
    test(`tracking scripts that do not load (${answer}) never delay the page`, async ({ context, shop, watch, t }) => {
      for (const host of hosts) watch.allowOrigin(host)
      watch.allow(/ERR_BLOCKED_BY_CLIENT/)
      await companies(context, answer)
      await shop.open('/?vendor=1')
      await shop.button(t('consent.grant')).click()
      await shop.open('/?vendor=1')
      await shop.add(6, 3)
      await shop.openCart()
      const { price } = await shop.named.product(6)
      const amount = shop.money(5 - price * 3)
      await expect(shop.button(t('cart.minimumAdd', { amount }), shop.cart)).toBeVisible()
    })
  }
})
