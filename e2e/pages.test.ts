import { expect, test } from './shop/test.ts'

test('an unknown address returns 404 with a not-found page', async ({ page, shop, watch, t }) => {
  watch.allow(/404/)
  for (const path of ['/404', '/not-found', '/no/such/page', '/products/999999', '/products/abc']) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: t('shell.title.notFound') })).toBeVisible()
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  }
  await shop.link(t('shell.notFound.home')).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  const api = await page.request.get('/api/no-such-call')
  expect([api.status(), (await api.json()).code]).toEqual([404, 'NOT_FOUND'])
})

test('the admin area redirects visitors to the sign-in page', async ({ page, shop, t }) => {
  await shop.open('/admin/orders?status=new')
  await expect(page).toHaveURL((url) => url.pathname === '/login')
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/admin/orders?status=new')
  await expect(page.getByLabel(t('login.phone'))).toBeVisible()
})

test('invalid search parameters are corrected', async ({ page, shop }) => {
  for (const odd of ['/?vendor=abc', '/?vendor=-1', '/?vendor=999999']) {
    await shop.open(odd)
    await expect(page, odd).toHaveURL((url) => !url.searchParams.has('vendor'))
    await expect(page.getByRole('article').first()).toBeVisible()
  }
})

test('a size without products shows an empty state with a reset link', async ({ page, shop, t }) => {
  await shop.open('/?size=7ml')
  await expect(page.getByText(t('search.none'))).toBeVisible()
  await shop.link(t('catalogue.reset')).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the server-rendered page has products, prices, language and metadata', async ({
    page,
    shop,
    lang,
    t,
    baseURL,
  }) => {
    const [product, vendor] = [await shop.named.product(6), await shop.named.vendor(1)]
    await page.goto(`/?vendor=1&lang=${lang}&utm_source=mail&fbclid=1`)
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await expect(page.locator('html')).toHaveAttribute('dir', lang === 'ar' ? 'rtl' : 'ltr')
    await expect(page).toHaveTitle(new RegExp(vendor.name))
    await expect(shop.card(6)).toContainText(product.name)
    await expect(shop.card(6)).toContainText(shop.money(product.price))

    const address = (language: string) => `${baseURL}/?vendor=1${language}`
    const canonical = lang === 'ar' ? address('') : address('&lang=en')
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', canonical)
    const alternate = (language: string) => page.locator(`link[rel=alternate][hreflang="${language}"]`)
    await expect(alternate('ar')).toHaveAttribute('href', address(''))
    await expect(alternate('en')).toHaveAttribute('href', address('&lang=en'))
    await expect(alternate('x-default')).toHaveAttribute('href', address(''))
    await expect(page.locator('meta[name=description]')).toHaveAttribute(
      'content',
      t('catalogue.vendorDescription', { vendor: vendor.name }),
    )

    await page.goto('/products/6')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name)
    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').first().textContent()) ?? '')
    expect(data).toMatchObject({
      '@type': 'Product',
      name: product.name,
      offers: { '@type': 'Offer', priceCurrency: 'BHD', price: product.price.toFixed(3) },
    })
  })
})

test('robots.txt, sitemap, manifest and the licences of libraries are served', async ({ page }) => {
  const textOf = async (path: string) => (await page.request.get(path)).text()
  expect(await textOf('/robots.txt')).toContain('/sitemap.xml')
  expect(await textOf('/sitemap.xml')).toContain('/products/6')
  const { icons }: { icons: { src: string }[] } = JSON.parse(await textOf('/manifest.webmanifest'))
  for (const { src } of icons) expect((await page.request.get(src)).status(), src).toBe(200)
  const licences = await textOf('/licences.txt')
  for (const library of ['react-dom 1', 'zod 4', 'leaflet 1', 'tailwindcss 4', 'ibm-plex-sans-arabic 0'])
    expect(licences).toContain(library)
})

test('prefers-reduced-motion is respected', async ({ page, shop, t }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await shop.open('/?vendor=1')
  await shop.add(6, 7)
  if (shop.isPhone) await shop.expandCart.click()
  const moved = await page.evaluate(() =>
    document
      .getAnimations()
      .flatMap(({ effect }) =>
        effect instanceof KeyframeEffect ? effect.getKeyframes().flatMap((frame) => Object.keys(frame)) : [],
      ),
  )
  const known = new Set([
    'offset',
    'computedOffset',
    'easing',
    'composite',
    'opacity',
    'visibility',
    'color',
    'backgroundColor',
  ])
  expect(moved.filter((property) => !known.has(property))).toEqual([])
  await expect(shop.button(t('cart.checkout'), shop.cart)).toBeVisible()
})

test('the dark theme follows the system setting', async ({ page, shop }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await shop.open('/')
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await background()).not.toBe(light)
})

test('going back restores the scroll position', async ({ page, shop, t }) => {
  await shop.open('/')
  const link = page.locator('footer').getByRole('link', { name: t('shell.footer.faqs') })
  await link.scrollIntoViewIfNeeded()
  // The router stores the scroll position 100 ms after the last scroll event.
  await page.waitForTimeout(250)
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: t('faqs.title') })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(t('faqs.title')))
  await expect(page.locator('#main')).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300)
})
