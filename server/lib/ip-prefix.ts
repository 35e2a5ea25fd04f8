import { isIPv4, isIPv6 } from 'node:net'

/** The /24 of an IPv4 address, the /48 of an IPv6 one: one site's, or a part of a mobile carrier's. */
export function ipPrefix(ip: string): string {
  const [bare = ''] = ip.split('%')
  const plain = bare.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  if (!isIPv6(plain)) return 'unknown'
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length)
  const whole = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ? tail.split(':') : [])]
  const firsts = whole.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16))
  return `${firsts.join(':')}::/48`
}
