import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress, type Network, safeFetch } from './safe-fetch.ts'

/** A server that counts all connections, whatever the protocol. */
let connectionCount = 0
const listener = createTcp((socket) => {
  connectionCount += 1
  socket.destroy()
})
let inside = 0
let outside: Server
let outsidePort = 0
const answers = new Map<string, { status: number; location?: string; body?: Buffer }>()

beforeAll(async () => {
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  inside = (listener.address() as AddressInfo).port
  outside = createServer((request, response) => {
    const { status, location, body } = answers.get(request.url ?? '') ?? { status: 404 }
    response.writeHead(status, location ? { location } : {}).end(body)
  })
  await new Promise<void>((done) => outside.listen(0, '127.0.0.2', done))
  outsidePort = (outside.address() as AddressInfo).port
})
afterAll(() => {
  listener.close()
  outside.close()
})

describe('an address', () => {
  // IANA special-purpose address registries, IPv4 and IPv6, with reserved and unallocated blocks.
  it.each([
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.31.196.0', '192.31.196.255'],
    ['192.52.193.0', '192.52.193.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['192.175.48.0', '192.175.48.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '239.255.255.255'],
    ['240.0.0.0', '255.255.255.255'],
    ['::', '::1'],
    ['::ffff:0:0', '::ffff:808:808'],
    ['64:ff9b::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['100::', '100::ffff:ffff:ffff:ffff'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['4000::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fec0::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('from %s to %s is not public', (first, last) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false])
  })

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.31.197.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::',
    '2001:200::',
    '2001:4860:4860::8888',
    '2003::',
    '2606:4700::1111',
    '3ffe:ffff::',
    '3fff:1000::',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(['', 'x', '1.2.3', '127.1', '2130706433', '0x7f000001', '8.8.8.8/32', ' 8.8.8.8', '2001:4860::%eth0%'])(
    'that is written as %j is not public',
    (address) => {
      expect(isPublicAddress(address)).toBe(false)
    },
  )
})

const limits = () => ({ maxBytes: 100_000, signal: AbortSignal.timeout(5_000) })

/** Resolves the names of this test; 127.0.0.2 is the public server, over plain http. */
function network(names: Record<string, string[][]>): Network & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    resolve: async (host) => {
      asked.push(host)
      const turns = names[host] ?? [[]]
      return turns[Math.min(asked.filter((each) => each === host).length, turns.length) - 1] ?? []
    },
    isAllowed: (address) => address === '127.0.0.2' || isPublicAddress(address),
    request: httpRequest,
  }
}

describe('an untrusted address', () => {
  it.each([
    ['169.254.169.254', 'metadata'],
    ['127.0.0.1', 'loopback'],
    ['[::1]', 'loopback'],
    ['[::ffff:127.0.0.1]', 'IPv4 in IPv6'],
    ['[::ffff:7f00:1]', 'IPv4 in IPv6, in hexadecimal'],
    ['[64:ff9b::7f00:1]', 'IPv4 behind NAT64'],
    ['[2002:7f00:1::]', 'IPv4 in 6to4'],
    ['0x7f.1', 'hexadecimal'],
    ['0177.0.0.1', 'octal'],
    ['2130706433', 'one number'],
    ['127.1', 'two parts'],
    ['0.0.0.0', 'this host'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'carrier NAT'],
    ['[fe80::1]', 'link-local'],
    ['[fd00::1]', 'unique local'],
    ['１２７.0.0.1', 'full-width digits'],
    ['localhost', 'a name of this machine'],
  ])('at %s (%s) is refused without a connection', async (host) => {
    connectionCount = 0
    expect(await safeFetch(`https://${host}:${inside}/a.jpg`, limits())).toEqual({ problem: 'address' })
    expect(connectionCount).toBe(0)
  })

  it.each([
    'http://example.com/a.jpg',
    'file:///etc/passwd',
    'https://user:word@example.com/',
    'ftp://example.com/',
    'x',
  ])('as %s is refused, since only https without credentials is called', async (url) => {
    expect(await safeFetch(url, limits())).toEqual({ problem: 'address' })
  })

  it('with a rebound name is resolved once and fetched from the checked address', async () => {
    connectionCount = 0
    answers.set('/rebound', { status: 200, body: Buffer.from('outside') })
    const net = network({ 'rebind.example': [['127.0.0.2'], ['127.0.0.1']] })
    const answer = await safeFetch(`https://rebind.example:${outsidePort}/rebound`, limits(), net)
    expect(answer).toEqual({ bytes: Buffer.from('outside') })
    expect(net.asked).toEqual(['rebind.example'])
    expect(connectionCount).toBe(0)
  })

  it('with one private address among public ones is refused', async () => {
    connectionCount = 0
    const net = network({ 'two.example': [['127.0.0.2', '127.0.0.1']] })
    expect(await safeFetch(`https://two.example:${inside}/`, limits(), net)).toEqual({ problem: 'address' })
    expect(connectionCount).toBe(0)
  })

  it.each(['https://127.0.0.1', 'http://127.0.0.1', 'https://inner.example', '//[::ffff:127.0.0.1]'])(
    'with a redirect to %s is refused',
    async (to) => {
      connectionCount = 0
      answers.set('/away', { status: 302, location: `${to}:${inside}/` })
      const net = network({ 'outside.example': [['127.0.0.2']], 'inner.example': [['127.0.0.1']] })
      expect(await safeFetch(`https://outside.example:${outsidePort}/away`, limits(), net)).toEqual({
        problem: 'address',
      })
      expect(connectionCount).toBe(0)
    },
  )

  it('with endless redirects or a too large response ends with a problem', async () => {
    const net = network({ 'outside.example': [['127.0.0.2']] })
    answers.set('/round', { status: 302, location: '/round' })
    answers.set('/large', { status: 200, body: Buffer.alloc(100_001) })
    const at = (path: string) => safeFetch(`https://outside.example:${outsidePort}${path}`, limits(), net)
    expect(await at('/round')).toEqual({ problem: 'status' })
    expect(await at('/large')).toEqual({ problem: 'too-large' })
    expect(await at('/none')).toEqual({ problem: 'status' })
  })

  it('reaches the private server without the check (mutant of this test)', async () => {
    connectionCount = 0
    const open = { ...network({}), isAllowed: () => true }
    await safeFetch(`https://127.0.0.1:${inside}/`, limits(), open)
    await safeFetch(`https://0x7f.1:${inside}/`, limits(), open)
    expect(connectionCount).toBe(2)
  })
})
