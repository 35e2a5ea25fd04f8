import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'

const path = '/api/analytics/initiate-checkout'
const figure = async (shop: TestShop, name: string) => {
  const { body } = await shop.visitor().send('GET', '/metrics')
  return Number(new RegExp(`^${name} ([\\d.]+)$`, 'm').exec(String(body))?.[1])
}

describe('report of a started checkout', () => {
  let shop: TestShop
  const lines: string[] = []
  beforeAll(async () => {
    const sink = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) })
    shop = await startShop({ role: 'web' }, { log: pino({ level: 'trace' }, sink) })
  })

  it.each([
    [
      'the agreed shape',
      JSON.stringify({ cartValue: 6.5, currency: 'BHD', products: [], userId: 6 }),
      'application/json',
    ],
    ['no JSON', '{"cartValue": ', 'application/json'],
    ['a list', '[[[1]]]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['poison', '{"__proto__":{"a":1},"x":"\\u0000"}', 'application/json'],
    ['bytes', Buffer.from([0, 255, 254, 128]), 'application/octet-stream'],
    ['a beacon', 'cartValue=1', 'text/plain;charset=UTF-8'],
    ['nothing', '', 'application/json'],
  ])('returns 204 and counts one checkout when the body is %s', async (_, raw, type) => {
    const before = await figure(shop, 'qatra_checkouts_begun_total')
    const answer = await shop.visitor().send('POST', path, { raw, headers: { 'content-type': type } })
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect(await figure(shop, 'qatra_checkouts_begun_total')).toBe(before + 1)
  })

  it('returns 204 without body and content type', async () => {
    expect((await shop.visitor().send('POST', path)).status).toBe(204)
  })

  it('writes no value of the body to the log', async () => {
    const raw = JSON.stringify({ userPhone: '+97339998877', userEmail: 'canary@example.com', note: 'canary-note' })
    await shop.visitor().send('POST', path, { raw })
    await shop.visitor().send('POST', path, { raw: `${raw}}` })
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toMatch(/39998877|canary/)
  })

  it('is rejected with 403 from another site', async () => {
    const answer = await shop.visitor().send('POST', path, { body: {}, headers: { origin: 'https://evil.example' } })
    expect([answer.status, answer.refusal.code]).toEqual([403, 'CROSS_ORIGIN'])
  })
})

it('allows a network 20 checkout reports at once, then returns 429 with Retry-After', async () => {
  const shop = await startShop({ role: 'web', rateLimits: true })
  const answers = await Promise.all(Array.from({ length: 24 }, () => shop.visitor().send('POST', path, { body: {} })))
  const refused = answers.filter(({ status }) => status === 429)
  const allowed = answers.filter(({ status }) => status === 204).length
  // The limit refills while a busy machine answers.
  expect(allowed >= 20 && allowed <= 22).toBe(true)
  expect(refused).toHaveLength(24 - allowed)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
})
