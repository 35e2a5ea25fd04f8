import { type APIRequestContext, request as requests } from '@playwright/test'
import { plain } from './settings.ts'
import { placeByCalls } from './shop/customers.ts'
import { newPhone, signInCustomerByCalls, signInRequest } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const unknown = 'AAAA2222BBBB3333'
const pages = ['/orders/{id}', '/checkout/success/{id}']

/** The order page without its id and its render time. */
async function answer(request: APIRequestContext, path: string, id: string) {
  const page = await request.get(path.replace('{id}', id), { maxRedirects: 0 })
  const { location = '', 'cache-control': caching } = page.headers()
  const text = (await page.text()).replaceAll(id, 'ID').replace(/"(dehydratedAt|dataUpdatedAt)":\d+/g, '"$1":0')
  return { status: page.status(), location: location.replaceAll(id, 'ID'), caching, text }
}

test("the page of another person's order is byte-identical to that of an order that does not exist", async ({
  page,
}) => {
  const customerName = 'Zaynab Canary'
  await signInCustomerByCalls(page, newPhone())
  const { id } = await placeByCalls(page, { productId: 6, quantity: 7, customerName })
  const stranger = await requests.newContext({ baseURL: plain.origin })
  const nobody = await requests.newContext({ baseURL: plain.origin })
  await signInRequest(stranger, newPhone())

  for (const path of pages) {
    const real = await answer(stranger, path, id)
    expect(real).toEqual(await answer(stranger, path, unknown))
    expect([real.status, real.caching]).toEqual([404, 'no-store'])
    expect(real.text).not.toContain(customerName)
    const shut = await answer(nobody, path, id)
    expect(shut).toEqual(await answer(nobody, path, unknown))
    expect([shut.status, shut.location]).toEqual([307, expect.stringMatching(/^\/login\?redirect=/)])

    // The owner gets another page, so the comparison can fail. Its head contains no order data.
    const own = await answer(page.request, path, id)
    expect([own.status, own.caching]).toEqual([200, 'no-store'])
    expect(own.text).toContain(customerName)
    const head = own.text.slice(0, own.text.indexOf('</head>'))
    const told = [...head.matchAll(/<title>[^<]*|<meta[^>]*|<link[^>]*/g)].map(([tag]) => tag).join('\n')
    expect(told).toMatch(/<title>.+/)
    for (const secret of ['2831', '1172', customerName, '26.2378', 'السيف']) expect(told).not.toContain(secret)
  }
  await Promise.all([stranger.dispose(), nobody.dispose()])
})
