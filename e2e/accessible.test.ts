import { audit } from './shop/audit.ts'
import { customerStates, visitorStates } from './shop/states.ts'
import { test } from './shop/test.ts'

/** One state of each page is audited on a wide screen in English; the other states on phones in both languages. */
const wide = new Set([
  'home',
  'product',
  'cart-open',
  'switch-dialog',
  'login-phone',
  'login-code',
  'link-invalid',
  'about',
  'faqs',
  'privacy',
  'terms',
  'not-found',
  'simulator',
  'simulator-telegram',
  'checkout-chosen',
  'checkout-return',
  'success',
  'order',
  'orders',
  'profile',
  'account-menu',
])

/** Each group is one test, so that the browser starts once. */
const groups = (states: typeof visitorStates, size: number) => {
  const entries = Object.entries(states)
  return [entries.filter(([name]) => wide.has(name)), entries.filter(([name]) => !wide.has(name))].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / size) }, (_, at) => alike.slice(at * size, (at + 1) * size)),
  )
}

for (const group of [...groups(visitorStates, 6), ...groups(customerStates, 5)]) {
  const names = group.map(([name]) => name)
  const sizes = names.every((name) => wide.has(name)) ? ' @wide' : ' @english'
  test(`the pages satisfy WCAG 2.2 AA: ${names.join(', ')}${sizes}`, async ({
    page,
    context,
    shop,
    t,
    watch,
    lang,
    baseURL,
  }) => {
    // Includes not-found, refused and offline states; the page without a network looks for the person.
    watch.allowOffline()
    watch.allow(/404/, /401.*auth\/me\) on \S*\/offline/, /42[29].*verify/)
    for (const [name, reach] of group) {
      // Wait for pending requests before the session is removed.
      await page.goto('about:blank')
      await context.clearCookies()
      await context.addCookies([{ name: 'lang', value: lang, url: baseURL ?? '' }])
      await reach({ page, shop, t })
      await audit(page, name)
      await page.unrouteAll()
      await context.setOffline(false)
    }
  })
}
