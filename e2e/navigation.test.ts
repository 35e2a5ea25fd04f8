import type { BrowserContext, Page } from '@playwright/test'
import type { Shop } from './shop/pages.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

async function scrolledToProduct(page: Page) {
  const link = page.locator('article a[href^="/products/"]').nth(12)
  await link.scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollBy(0, 200))
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300)
  return link
}

test('a product tapped far down on a slow connection shows its page skeleton from the top @wide', async ({
  page,
  shop,
}) => {
  await shop.open('/')
  const link = await scrolledToProduct(page)
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route(/\/api\/products\/\d+$/, async (route) => {
    await held
    await route.continue()
  })
  const before = await page.evaluate(() => scrollY)
  await link.click()
  await expect(page.locator('main[aria-busy]')).toBeInViewport({ ratio: 0.5 })
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expect(page.locator('footer')).not.toBeInViewport()
  answer()
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before - 50)
})

test('a product tapped offline shows an error, and loads once the connection returns @wide', async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch dynamically imported module/)
  await shop.open('/')
  await isToldOffline(page, context, shop, t)
})

test('a product tapped offline, after another one was seen, says so too @wide', async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  watch.allow(/ERR_INTERNET_DISCONNECTED/, /CallError: No answer/)
  // The code of product pages is there then, and the call alone fails.
  await shop.open('/products/6')
  await page
    .getByRole('banner')
    .getByRole('link', { name: t('shell.home') })
    .click()
  await expect(page).toHaveURL(({ pathname }) => pathname === '/')
  await isToldOffline(page, context, shop, t)
})

async function isToldOffline(page: Page, context: BrowserContext, shop: Shop, t: Words) {
  const link = await scrolledToProduct(page)
  await context.setOffline(true)
  await link.click()
  await expect(page.getByText(t('shell.error.offline'))).toBeInViewport()
  await expect(page.locator('footer')).not.toBeInViewport()
  await context.setOffline(false)
  await shop.button(t('shell.error.retry')).click()
  await expect(page).toHaveURL(/\/products\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  await expect(page.getByText(t('shell.error.offline'))).toHaveCount(0)
}
