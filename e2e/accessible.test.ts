import { audit } from './shop/audit.ts'
import { customerStates, visitorStates } from './shop/states.ts'
import { test } from './shop/test.ts'

/** In one test a group, so that the browser need not be set up for each. */
const groups = (states: typeof visitorStates, size: number) => {
  const entries = Object.entries(states)
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, at) => entries.slice(at * size, (at + 1) * size))
}

for (const group of [...groups(visitorStates, 6), ...groups(customerStates, 5)]) {
  test(`WCAG 2.2 AA: ${group.map(([name]) => name).join(', ')} @wide`, async ({
    page,
    context,
    shop,
    t,
    watch,
    lang,
    baseURL,
  }) => {
    test.setTimeout(120_000)
    // The page of an order that is not there, and the not-found page.
    watch.allow(/404/)
    for (const [name, reach] of group) {
      await context.clearCookies()
      await context.addCookies([{ name: 'lang', value: lang, url: baseURL ?? '' }])
      await reach({ page, shop, t })
      await audit(page, name)
    }
  })
}
