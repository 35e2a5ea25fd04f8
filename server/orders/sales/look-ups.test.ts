import { findSalesCustomer } from '@qatra/contract/sales'
import { expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { newPhone } from '../../test/fixtures/codes.ts'
import { makeVisitor } from '../../test/fixtures/make.ts'

const shop = await startShop({ role: 'web', rateLimits: true })

it('the 61st look-up of an agent in a burst gets 429 with Retry-After; other agents are not affected', async () => {
  const [agent, colleague] = [
    await makeVisitor(shop, { role: 'vendor_sales', vendorId: 1 }),
    await makeVisitor(shop, { role: 'vendor_sales', vendorId: 1 }),
  ]
  const lookUp = (by: typeof agent) => by.call(findSalesCustomer, { query: { phone: newPhone() } })
  const began = performance.now()
  const answers: Awaited<ReturnType<typeof lookUp>>[] = []
  while (answers.length < 100 && answers.every(({ status }) => status === 404))
    answers.push(...(await Promise.all(Array.from({ length: 4 }, () => lookUp(agent)))))
  const refused = answers.find(({ status }) => status === 429)
  const allowed = answers.filter(({ status }) => status === 404).length
  // The bucket refills by ten per minute.
  const refilled = Math.floor((performance.now() - began) / 6_000)
  expect(allowed).toBeGreaterThanOrEqual(60)
  expect(allowed).toBeLessThanOrEqual(60 + refilled)
  expect(refused?.refusal.code).toBe('TOO_MANY_REQUESTS')
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(6)
  expect((await lookUp(colleague)).status).toBe(404)
})
