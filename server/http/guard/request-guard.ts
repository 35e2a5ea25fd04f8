import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'

export const isApi = (path: string) => path === '/api' || path.startsWith('/api/')

const rawPathOf = (url: string) => {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

/** The path without query, decoded like the router does: `/%61pi` is `/api`. */
export function pathOf(url: string): string {
  const path = rawPathOf(url)
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/**
 * Whether a proxy forwarded the request, so that its source is not the connection's address: `forwarded`, `via`, and the
 * names under which proxies and content delivery networks give the client's address (Cloudflare, Akamai, Fastly, Azure,
 * Google, fly.io, nginx).
 */
export const isForwarded = (headers: IncomingHttpHeaders) => Object.keys(headers).some((name) => passedOn.test(name))
const passedOn =
  /^(?:via|cdn-loop|(?:true-)?client-ip|x-proxyuser-ip)$|^(?:x-)?forwarded|^(?:cf|fastly|fly|akamai|x-(?:real|client|remote|cluster|original|envoy|azure|appengine|arr|amzn?))-/

const isDecodable = (text: string) => {
  if (!text.includes('%')) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** A duplicate key would reach a handler as an array. */
function hasRepeatedKey(query: string): boolean {
  const keys = [...new URLSearchParams(query).keys()]
  return new Set(keys).size < keys.length
}

const controls = /%0[0]|[\u0000-\u001f\u007f]/i

/**
 * Rejects requests that no handler should have to check. Pages accept any query, since people paste and shorten links;
 * the API does not. @throws AppError BAD_REQUEST, UNSUPPORTED_MEDIA_TYPE
 */
export function validateRequest(request: FastifyRequest) {
  const url = request.raw.url ?? '/'
  // A URL with scheme and host is for a proxy.
  if (!url.startsWith('/') || controls.test(url)) throw new AppError('BAD_REQUEST')
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  const query = url.slice(rawPathOf(url).length + 1)
  if (query === '' || !isApi(pathOf(url))) return
  if (!isDecodable(query) || hasRepeatedKey(query)) throw new AppError('BAD_REQUEST')
}
