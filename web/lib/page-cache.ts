interface Parts {
  caches: Pick<CacheStorage, 'open' | 'delete'>
  fetch(request: Request | string): Promise<Response>
  /** Resolves after `ms`. */
  wait(ms: number): Promise<void>
  now(): number
}

interface CachedPage {
  /** Of the cache. */
  name: string
  /** Key of the page: its path without the query. */
  page: string
  maxAgeMs: number
  /** If the network has not answered by then, the cached page is served. */
  patienceMs: number
}

export const isAsset = (path: string) => path.startsWith('/assets/')
const assetsIn = (html: string) => [...new Set(html.match(/\/assets\/[\w.-]+/g))]
const isPage = ({ ok, redirected, headers }: Response) =>
  ok && !redirected && (headers.get('content-type') ?? '').startsWith('text/html')
const pathOf = (url: string) => new URL(url, 'http://any').pathname

/**
 * Offline cache of one page for service workers. Pages are always fetched from the network first, so that online users get
 * the current version; `/assets/` files have content hashes and may come from the cache. It holds one page and the
 * files of its version.
 */
export function createPageCache(
  { name, page: key, maxAgeMs, patienceMs }: CachedPage,
  { caches, fetch, wait, now }: Parts,
) {
  const open = () => caches.open(name)

  async function keepFiles(cache: Cache, paths: readonly string[]) {
    await Promise.all(
      paths.map(async (path) => {
        if (await cache.match(path)) return
        const answer = await fetch(path)
        if (answer.ok) await cache.put(path, answer)
      }),
    )
  }

  /** Stores the page last, so that it is never cached without its assets. */
  async function keep(answer: Response): Promise<void> {
    const cache = await open()
    const page = answer.clone()
    const wanted = assetsIn(await answer.text())
    const before = assetsIn((await (await cache.match(key))?.text()) ?? '')
    await keepFiles(cache, wanted)
    await cache.put(key, page)
    if (before.length === wanted.length && before.every((path) => wanted.includes(path))) return
    // New version: delete the files of the old one.
    for (const { url } of await cache.keys()) {
      const path = pathOf(url)
      if (path !== key && !wanted.includes(path)) await cache.delete(path)
    }
  }

  const forget = () => caches.delete(name)

  /** Age by the `date` header; a response without one is too old. */
  async function findCached(): Promise<Response | undefined> {
    const cached = await (await open()).match(key)
    if (!cached) return undefined
    if (Math.abs(now() - Date.parse(cached.headers.get('date') ?? '')) < maxAgeMs) return cached
    await forget()
    return undefined
  }

  /** The network's answer, or the cached page if there is none in time or the server fails. */
  async function orCached(fromNetwork: Promise<Response>, later: (work: Promise<unknown>) => void): Promise<Response> {
    const cached = await findCached()
    if (!cached) return fromNetwork
    later(fromNetwork.catch(() => null)) // a late answer is handled too
    const first = await Promise.race([fromNetwork.catch(() => null), wait(patienceMs).then(() => null)])
    return first && first.status < 500 ? first : cached
  }

  /** The page itself, which is cached as soon as the network has it. */
  function answerPage(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
    const fromNetwork = fetch(request).then((answer) => {
      if (isPage(answer)) later(keep(answer.clone()))
      // Signed out or without permission: the cached page belongs to another person.
      else if (answer.status < 500 && answer.status !== 429) later(forget())
      return answer
    })
    return orCached(fromNetwork, later)
  }

  /** A file, from the cache if it is there. With `stores` it is cached beside the page. */
  async function answerFile(request: Request, { stores }: { stores: boolean }): Promise<Response> {
    const cache = await open()
    const path = pathOf(request.url)
    const cached = await cache.match(path)
    if (cached) return cached
    const answer = await fetch(request)
    if (stores && answer.ok && (await cache.match(key))) await cache.put(path, answer.clone())
    return answer
  }

  /** Caches the page of this address, unless it is there and not to be renewed, with these files. True if it would open offline. */
  async function keepLoaded(
    files: readonly string[],
    { from = key, renews = false }: { from?: string; renews?: boolean } = {},
  ): Promise<boolean> {
    if (renews || !(await findCached())) {
      const answer = await fetch(from)
      if (!isPage(answer)) return false
      await keep(answer)
    }
    await keepFiles(await open(), files.map(pathOf))
    return true
  }

  return { answerPage, answerFile, keepLoaded, orCached }
}
