import type { Logger } from 'pino'
import { type Network, safeHop } from '../lib/safe-fetch.ts'
import { isFollowed, type MapLinkReader, pointInLink, pointInPage } from './map-links.ts'

interface Settings {
  log: Pick<Logger, 'info'>
  /** Replaced in tests. */
  network?: Network
  /** For all hops together. */
  timeoutMs?: number
}

const MAX_HOPS = 5
/** The preview picture, which holds the coordinates, is named at the beginning of the page. */
const MAX_BYTES = 512 * 1024

/** The only code that follows links of customers. Visits known hosts over https alone; never throws. */
export function createMapLinkReader({ log, network, timeoutMs = 4_000 }: Settings): MapLinkReader {
  return async (typed) => {
    const limits = { maxBytes: MAX_BYTES, signal: AbortSignal.timeout(timeoutMs), accept: 'text/html' }
    let url = typed
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const point = pointInLink(url)
      if (point) return point
      if (!isFollowed(url)) return failed(log, 'host')
      const answer = await safeHop(url.href, limits, network)
      if ('problem' in answer) return failed(log, answer.problem)
      if ('bytes' in answer) return pointInPage(answer.bytes.toString('utf8')) ?? failed(log, 'no-point')
      const next = URL.parse(answer.location, url.href)
      if (next === null) return failed(log, 'location')
      url = continued(next)
    }
    return failed(log, 'hops')
  }
}

/** The link says where a person is, so it is not logged. */
function failed(log: Settings['log'], reason: string): null {
  log.info({ reason }, 'map link not read')
  return null
}

/** Google asks for consent first and names the page that it leads to. */
function continued(url: URL): URL {
  if (url.hostname !== 'consent.google.com') return url
  return URL.parse(url.searchParams.get('continue') ?? '') ?? url
}
