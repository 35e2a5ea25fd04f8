import { describe, expect, it } from 'vitest'
import { ipPrefix } from './ip-prefix.ts'

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
