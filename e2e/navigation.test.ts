import type { Page } from '@playwright/test'
import { expect, test } from './shop/test.ts'

async function scrolledToProduct(page: Page) {
  const link = page.locator('article a[href^="/products/"]').nth(12)
  await link.scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollBy(0, 200))
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300)
  return link
}

test('a product tapped far down on a slow connection shows its page skeleton from the top', async ({ page, shop }) => {
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

test('a product tapped offline shows an error, and loads once the connection returns', async ({
  page,
  context,
  shop,
  watch,
  t,
}) => {
  watch.allowOffline()
  await shop.open('/')
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
})
