import { isIPv4, isIPv6 } from 'node:net'

/** The /24 of an IPv4 address, the /48 of an IPv6 one: what a provider assigns to one customer. */
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

export interface RateLimiter {
  /** Null if allowed; else the seconds until the next call is. */
  consume: (from: string) => number | null
  /** Whether the next call would be refused; counts nothing. */
  isExhausted: (from: string) => boolean
  /** Returns the token of a call that should not have counted. */
  refund: (from: string) => void
}

interface RateLimit {
  burst: number
  perMinute: number
  isOn: boolean
  /** The bucket's key: by default the network of an IP address. */
  keyOf?: (from: string) => string
}

interface Bucket {
  tokens: number
  at: number
}

const MAX_BUCKETS = 50_000

/** Token buckets in this process: `burst` at once, then `perMinute`. Counts nothing if `isOn` is false. */
export function createRateLimiter(
  { burst, perMinute, isOn, keyOf = ipPrefix }: RateLimit,
  now: () => number = () => performance.now(),
): RateLimiter {
  const perMs = perMinute / 60_000
  const buckets = new Map<string, Bucket>()

  /** Removes full buckets; if most remain, also the oldest tenth, so that sweeps stay rare. */
  function sweep(at: number) {
    for (const [key, bucket] of buckets) if (bucket.tokens + (at - bucket.at) * perMs >= burst) buckets.delete(key)
    for (const key of buckets.keys()) {
      if (buckets.size <= MAX_BUCKETS * 0.9) break
      buckets.delete(key)
    }
  }

  return {
    consume(from) {
      if (!isOn) return null
      const at = now()
      const key = keyOf(from)
      const known = buckets.get(key)
      if (!known && buckets.size >= MAX_BUCKETS) sweep(at)
      const bucket = known ?? { tokens: burst, at }
      bucket.tokens = Math.min(burst, bucket.tokens + (at - bucket.at) * perMs)
      bucket.at = at
      buckets.set(key, bucket)
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1_000))
      bucket.tokens -= 1
      return null
    },
    isExhausted(from) {
      const bucket = isOn ? buckets.get(keyOf(from)) : undefined
      return bucket !== undefined && bucket.tokens + (now() - bucket.at) * perMs < 1
    },
    refund(from) {
      const bucket = buckets.get(keyOf(from))
      if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + 1)
    },
  }
}
