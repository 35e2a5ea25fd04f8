import { OFFLINE_MAX_AGE_MS, runCacheName } from '../../app/personal-storage.ts'

/** Where the page is kept, by its path alone: which day is looked at, the page itself reads from its address. */
export const RUN_PAGE = '/admin/run'
/** A dead spot that says nothing at all: after so long the kept page is shown, if there is one. */
export const PATIENCE_MS = 5_000

interface Parts {
  caches: Pick<CacheStorage, 'open' | 'delete'>
  fetch(request: Request | string): Promise<Response>
  /** Comes after so many milliseconds. */
  wait(ms: number): Promise<void>
  now(): number
}

export const isAsset = (path: string) => path.startsWith('/assets/')
const assetsIn = (html: string) => [...new Set(html.match(/\/assets\/[\w.-]+/g))]
const isPage = ({ ok, redirected, headers }: Response) =>
  ok && !redirected && (headers.get('content-type') ?? '').startsWith('text/html')

/**
 * The driver's page for a dead spot. With a network the page always comes from there, so that whoever is online never
 * runs what was replaced; files of `/assets/` are named by their contents and may come from here. What is kept is one
 * page and the files of its own version.
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

  /** The page comes last: it is never kept without the files it begins with. */
  async function keep(answer: Response): Promise<void> {
    const cache = await open()
    const page = answer.clone()
    const wanted = assetsIn(await answer.text())
    const before = assetsIn((await (await cache.match(RUN_PAGE))?.text()) ?? '')
    await keepAssets(cache, wanted)
    await cache.put(RUN_PAGE, page)
    if (before.length === wanted.length && before.every((path) => wanted.includes(path))) return
    // Another version: its other files come as it asks for them.
    for (const { url } of await cache.keys()) {
      const path = pathOf(url)
      if (path !== RUN_PAGE && !wanted.includes(path)) await cache.delete(path)
    }
  }

  const forget = () => caches.delete(runCacheName)

  /** By the server's clock when it was sent; one that nobody can tell the age of is too old. */
  async function findKept(): Promise<Response | undefined> {
    const kept = await (await open()).match(RUN_PAGE)
    if (!kept) return undefined
    if (Math.abs(now() - Date.parse(kept.headers.get('date') ?? '')) < OFFLINE_MAX_AGE_MS) return kept
    await forget()
    return undefined
  }

  async function answerPage(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
    const kept = await findKept()
    const fromNetwork = fetch(request).then((answer) => {
      if (isPage(answer)) later(keep(answer.clone()))
      // Signed out, or without the right to the page any more: what was kept was for somebody else.
      else if (answer.status < 500 && answer.status !== 429) later(forget())
      return answer
    })
    if (!kept) return fromNetwork
    later(fromNetwork.catch(() => null)) // a late answer is kept all the same
    const first = await Promise.race([fromNetwork.catch(() => null), wait(PATIENCE_MS).then(() => null)])
    return first && first.status < 500 ? first : kept
  }

  async function answerAsset(request: Request): Promise<Response> {
    const cache = await open()
    const path = pathOf(request.url)
    const kept = await cache.match(path)
    if (kept) return kept
    const answer = await fetch(request)
    // Nothing is collected for a page that is not kept itself.
    if (answer.ok && (await cache.match(RUN_PAGE))) await cache.put(path, answer.clone())
    return answer
  }

  /** Asked by the page once it stands: itself, and all that it has loaded so far. True once it would survive. */
  async function keepLoaded(urls: readonly string[]): Promise<boolean> {
    if (!(await findKept())) {
      const answer = await fetch(RUN_PAGE)
      if (!isPage(answer)) return false
      await keep(answer)
    }
    await keepAssets(await open(), urls.map(pathOf).filter(isAsset))
    return true
  }

  return { answerPage, answerAsset, keepLoaded }
}
