import { describe, expect, it } from 'vitest'
import { keyFor, seal, unseal } from './secrets.ts'
import { createRateLimiter, ipPrefix } from './token-bucket.ts'

describe('ipPrefix', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:7:1::1', '2001:db8:7::/48'],
    ['2001:0DB8:0007::', '2001:db8:7::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['1:2:3:4:5:6:7:8', '1:2:3::/48'],
    ['rubbish', 'unknown'],
    ['', 'unknown'],
    ['999.1.1.1', 'unknown'],
  ])('%j is %s', (ip, prefix) => expect(ipPrefix(ip)).toBe(prefix))
})

describe('the rate limiter', () => {
  it('allows a burst, then a fixed number per minute, for each network', () => {
    let now = 0
    const limiter = createRateLimiter({ burst: 3, perMinute: 60, isOn: true }, () => now)
    expect([1, 2, 3, 4].map(() => limiter.consume('192.0.2.1'))).toEqual([null, null, null, 1])
    expect(limiter.consume('192.0.2.200')).toBe(1)
    expect(limiter.consume('192.0.3.1')).toBeNull()
    now += 2_000
    expect([1, 2, 3].map(() => limiter.consume('192.0.2.1'))).toEqual([null, null, 1])
  })

  it('counts nothing when it is off', () => {
    const limiter = createRateLimiter({ burst: 1, perMinute: 1, isOn: false })
    expect(Array.from({ length: 100 }, () => limiter.consume('192.0.2.1'))).toEqual(Array(100).fill(null))
  })

  it('evicts the oldest networks above its capacity and stays fast', () => {
    const limiter = createRateLimiter({ burst: 1, perMinute: 1, isOn: true }, () => 0)
    const network = (n: number) => `${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.1`
    expect(limiter.consume(network(0))).toBeNull()
    expect(limiter.consume(network(0))).toBe(60)
    for (let n = 1; n < 200_000; n++) limiter.consume(network(n))
    expect(limiter.consume(network(199_999))).toBe(60)
    expect(limiter.consume(network(0))).toBeNull()
  })
})

describe('a sealed text', () => {
  const key = keyFor(Buffer.alloc(32, 7), 'one')
  const other = keyFor(Buffer.alloc(32, 7), 'another')

  it('decrypts only with its key and owner, and not after a change', () => {
    const sealed = seal(key, '4321 رمز', 'owner')
    expect(sealed).not.toContain('4321')
    expect(seal(key, '4321 رمز', 'owner')).not.toBe(sealed)
    expect(unseal(key, sealed, 'owner')).toBe('4321 رمز')
    expect(unseal(other, sealed, 'owner')).toBeNull()
    expect(unseal(key, sealed, 'somebody else')).toBeNull()
    for (let n = 0; n < sealed.length; n += 5) {
      const touched = sealed.slice(0, n) + (sealed[n] === 'A' ? 'B' : 'A') + sealed.slice(n + 1)
      expect(unseal(key, touched, 'owner')).toBeNull()
    }
    for (const rubbish of ['', 'A', '💧', sealed.slice(0, 20)]) expect(unseal(key, rubbish, 'owner')).toBeNull()
  })
})
