import { OFFLINE_MAX_AGE_MS, runCacheName } from '../../app/personal-storage.ts'

/** Cache key: the path without the query; the page reads the day from its address. */
export const RUN_PAGE = '/admin/run'
/** If the network has not answered by then, the cached page is served. */
export const PATIENCE_MS = 5_000

interface Parts {
  caches: Pick<CacheStorage, 'open' | 'delete'>
  fetch(request: Request | string): Promise<Response>
  /** Resolves after `ms`. */
  wait(ms: number): Promise<void>
  now(): number
}

export const isAsset = (path: string) => path.startsWith('/assets/')
const assetsIn = (html: string) => [...new Set(html.match(/\/assets\/[\w.-]+/g))]
const isPage = ({ ok, redirected, headers }: Response) =>
  ok && !redirected && (headers.get('content-type') ?? '').startsWith('text/html')

/**
 * Offline cache of the driver's page. The page is always fetched from the network first, so that online users get the
 * current version; `/assets/` files have content hashes and may come from the cache. It holds one page and the assets
 * of its version.
 */
export function createRunCache({ caches, fetch, wait, now }: Parts) {
  const open = () => caches.open(runCacheName)
  const pathOf = (url: string) => new URL(url, 'http://any').pathname

  async function keepAssets(cache: Cache, paths: readonly string[]) {
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
    const before = assetsIn((await (await cache.match(RUN_PAGE))?.text()) ?? '')
    await keepAssets(cache, wanted)
    await cache.put(RUN_PAGE, page)
    if (before.length === wanted.length && before.every((path) => wanted.includes(path))) return
    // New version: delete the assets of the old one.
    for (const { url } of await cache.keys()) {
      const path = pathOf(url)
      if (path !== RUN_PAGE && !wanted.includes(path)) await cache.delete(path)
    }
  }

  const forget = () => caches.delete(runCacheName)

  /** Age by the `date` header; a response without one is too old. */
  async function findCached(): Promise<Response | undefined> {
    const cached = await (await open()).match(RUN_PAGE)
    if (!cached) return undefined
    if (Math.abs(now() - Date.parse(cached.headers.get('date') ?? '')) < OFFLINE_MAX_AGE_MS) return cached
    await forget()
    return undefined
  }

  async function answerPage(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
    const cached = await findCached()
    const fromNetwork = fetch(request).then((answer) => {
      if (isPage(answer)) later(keep(answer.clone()))
      // Signed out or without permission: the cached page belongs to another person.
      else if (answer.status < 500 && answer.status !== 429) later(forget())
      return answer
    })
    if (!cached) return fromNetwork
    later(fromNetwork.catch(() => null)) // a late answer is cached too
    const first = await Promise.race([fromNetwork.catch(() => null), wait(PATIENCE_MS).then(() => null)])
    return first && first.status < 500 ? first : cached
  }

  async function answerAsset(request: Request): Promise<Response> {
    const cache = await open()
    const path = pathOf(request.url)
    const cached = await cache.match(path)
    if (cached) return cached
    const answer = await fetch(request)
    // Cache assets only if the page is cached.
    if (answer.ok && (await cache.match(RUN_PAGE))) await cache.put(path, answer.clone())
    return answer
  }

  /** Called by the page after loading: caches itself and its loaded assets. Returns true if it would open offline. */
  async function keepLoaded(urls: readonly string[]): Promise<boolean> {
    if (!(await findCached())) {
      const answer = await fetch(RUN_PAGE)
      if (!isPage(answer)) return false
      await keep(answer)
    }
    await keepAssets(await open(), urls.map(pathOf).filter(isAsset))
    return true
  }

  return { answerPage, answerAsset, keepLoaded }
}
