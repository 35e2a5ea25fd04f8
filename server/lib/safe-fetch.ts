import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only block of IPv6 that is allocated for global unicast. */
const globalUnicast6 = ipaddr.parseCIDR('2000::/3')

/** Whether the address is public: not private, loopback, link-local, metadata or IPv4 in IPv6. */
export function isPublicAddress(address: string): boolean {
  // `ipaddr.js` also reads spellings like 0x7f.1.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast6))
}

export type SafeFetchProblem = 'address' | 'unreachable' | 'status' | 'too-large'
export type SafeFetchAnswer = { bytes: Buffer } | { problem: SafeFetchProblem }

/** Network access, replaceable in tests. */
export interface Network {
  resolve: (host: string) => Promise<readonly string[]>
  isAllowed: (address: string) => boolean
  request: (options: RequestOptions, answer: (response: IncomingMessage) => void) => ReturnType<typeof httpsRequest>
  /** Speaks http instead of https. */
  isPlain?: boolean
}

const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
  request: httpsRequest,
}

/** For an address that the operator configured: any host, and http. */
export const operatorsNetwork = ({ protocol }: URL): Network => ({
  ...internet,
  isAllowed: () => true,
  ...(protocol === 'http:' ? { request: httpRequest, isPlain: true } : {}),
})

const MAX_REDIRECTS = 3

/**
 * Fetches an untrusted https address. Resolves the name once, refuses it unless every address is public, and connects to
 * the checked address. Redirects are checked in the same way.
 */
export async function safeFetch(typed: string, limits: Limits, network: Network = internet): Promise<SafeFetchAnswer> {
  let url = typed
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const answer = await safeHop(url, limits, network)
    if (!('location' in answer)) return answer
    const next = URL.parse(answer.location, url)
    if (next === null) return { problem: 'status' }
    url = next.href
  }
  return { problem: 'status' }
}

interface Limits {
  maxBytes: number
  signal: AbortSignal
  /** Pictures if omitted. */
  accept?: string
}

/** One request with the same checks; a redirect is returned and not followed. */
export async function safeHop(
  url: string,
  limits: Limits,
  network: Network = internet,
): Promise<SafeFetchAnswer | { location: string }> {
  const target = await targetOf(url, limits.signal, network)
  if (typeof target === 'string') return { problem: target }
  return get(target, limits, network).catch(() => ({ problem: 'unreachable' as const }))
}

/** `unreachable`: certainly not sent. `unanswered`: the server may have read it. */
export type SafePostAnswer = { status: number } | { problem: 'address' | 'unreachable' | 'unanswered' }

/** Posts to an untrusted https address, with the same checks. Follows no redirect and does not read the answer's body. */
export async function safePost(
  typed: string,
  { headers, body, signal }: { headers: Record<string, string | number>; body: Buffer; signal: AbortSignal },
  network: Network = internet,
): Promise<SafePostAnswer> {
  const target = await targetOf(typed, signal, network)
  if (target === 'address') return { problem: 'address' }
  if (typeof target === 'string') return { problem: 'unreachable' }
  const options = { ...optionsOf(target, signal), method: 'POST', headers: { ...headers, host: target.url.host } }
  return new Promise((resolve) => {
    const request = network.request(options, (response) => {
      resolve({ status: response.statusCode ?? 0 })
      response.destroy()
    })
    request.on('error', () => resolve({ problem: 'unanswered' }))
    request.end(body)
  })
}

interface Target {
  url: URL
  address: string
}

async function targetOf(text: string, signal: AbortSignal, network: Network): Promise<Target | SafeFetchProblem> {
  const url = URL.parse(text)
  if (url?.protocol !== (network.isPlain ? 'http:' : 'https:') || url.username !== '' || url.password !== '')
    return 'address'
  // URL has normalized IPv4 spellings like 0x7f.1 and 2130706433.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await within(network.resolve(host), signal).catch(() => null)
  const [address] = addresses ?? []
  if (addresses === null || address === undefined) return 'unreachable'
  return addresses.every((each) => network.isAllowed(each)) ? { url, address } : 'address'
}

/** Rejects on abort, since a DNS look-up cannot be cancelled. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const fail = () => reject(new Error('Took too long'))
      if (signal.aborted) fail()
      else signal.addEventListener('abort', fail, { once: true })
    }),
  ])
}

function optionsOf({ url, address }: Target, signal: AbortSignal): RequestOptions & { servername?: string } {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    // The checked address: a second look-up could return another one (DNS rebinding).
    host: address,
    port: url.port || (url.protocol === 'http:' ? 80 : 443),
    path: `${url.pathname}${url.search}`,
    agent: false,
    signal,
    // The certificate is checked against the name, not the address.
    ...(isIP(host) ? {} : { servername: host }),
  }
}

function get(
  target: Target,
  { maxBytes, signal, accept = 'image/*' }: Limits,
  network: Network,
): Promise<SafeFetchAnswer | { location: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: target.url.host, accept, 'user-agent': 'Qatra', 'accept-encoding': 'identity' }
    const options = { ...optionsOf(target, signal), headers }
    const request = network.request(options, (response) => {
      const { statusCode = 0, headers } = response
      const end = (answer: SafeFetchAnswer | { location: string }) => {
        response.destroy()
        resolve(answer)
      }
      if (statusCode >= 300 && statusCode < 400 && headers.location) return end({ location: headers.location })
      if (statusCode !== 200) return end({ problem: 'status' })
      if (Number(headers['content-length'] ?? 0) > maxBytes) return end({ problem: 'too-large' })
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxBytes) return end({ problem: 'too-large' })
        chunks.push(chunk)
      })
      response.on('end', () => resolve({ bytes: Buffer.concat(chunks) }))
      response.on('error', reject)
      response.on('close', () => reject(new Error('Closed')))
    })
    request.on('error', reject)
    request.end()
  })
}
