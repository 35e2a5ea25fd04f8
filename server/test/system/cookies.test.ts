import { verifyCode } from '@qatra/contract/users/auth'
import { afterAll, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, firstRow, keyOf, sentBy } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { askForCode, newPhone } from '../fixtures/codes.ts'
import { type Identity, meet } from '../fixtures/identities.ts'
import { isFull, sample, sampleSeed } from '../sample.ts'

const shop = await startShop({ isSecure: true, publicUrl: 'https://qatra.example' })
/** Scripts may read language and area, which give no rights; pages set them, not endpoints. */
const wanted = ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']
let given = 0

/** Missing or wrong attributes of the cookies of a response. */
function careless(headers: Record<string, unknown>): string[] {
  const cookies = [headers['set-cookie'] ?? []].flat().map(String)
  given += cookies.length
  return cookies.filter((cookie) => {
    const [pair = '', ...attributes] = cookie.split('; ')
    const rest = attributes.filter((one) => !/^(?:Max-Age=\d+|Expires=.+)$/.test(one)).sort()
    return !pair.startsWith('__Host-') || rest.join() !== wanted.join()
  })
}

it.each(sample(endpoints, 0.25).map((endpoint) => [keyOf(endpoint), endpoint] as const))(
  `every cookie of %s is bound to the host, secure and HttpOnly (seed ${sampleSeed})`,
  async (_, endpoint) => {
    const people: Identity[] = ['anonymous', /^\/api\/(?:admin|sales)/.test(endpoint.path) ? 'super_admin' : 'customer']
    for (const who of people) {
      const person = await meet(shop, who)
      const sent = await sentBy(shop, firstRow(endpoint), person)
      const { headers } = await person.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body })
      expect(careless(headers)).toEqual([])
    }
  },
)

it('cookies of a sign-in are bound to the host, secure and HttpOnly', async () => {
  const [phone, visitor] = [newPhone(), shop.visitor()]
  const code = await askForCode(shop, visitor, phone)
  const { status, headers } = await visitor.call(verifyCode, { body: { phone, code } })
  expect([status, careless(headers)]).toEqual([200, []])
})

it('the check detects every missing or wrong attribute', () => {
  const right = '__Host-sid=u.x; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=2592000'
  expect(careless({ 'set-cookie': right })).toEqual([])
  for (const part of ['__Host-', '; Path=/', '; HttpOnly', '; Secure', '; SameSite=Lax'])
    expect(careless({ 'set-cookie': [right.replace(part, '')] })).toHaveLength(1)
  for (const more of ['; Domain=qatra.example', '; SameSite=None'])
    expect(careless({ 'set-cookie': right + more })).toHaveLength(1)
})

// The sign-in sets one; a sample of endpoints may set no other.
afterAll(() => expect(given).toBeGreaterThan(isFull ? 10 : 0))
