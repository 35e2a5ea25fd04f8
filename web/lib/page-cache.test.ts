// @vitest-environment node
import { beforeEach, describe, expect, it } from 'vitest'
import { createPageCache } from './page-cache.ts'

const RUN_PAGE = '/admin/run'
const OFFLINE_MAX_AGE_MS = 12 * 3_600_000
const TIMEOUT_MS = 5_000

/** The part of the Cache API in use. */
function fakeCaches() {
  let stored = new Map<string, { text: string; headers: [string, string][] }>()
  const path = (key: RequestInfo | URL) =>
    new URL(key instanceof Request ? key.url : String(key), 'http://shop').pathname
  const cache = {
    match: async (key: RequestInfo | URL) => {
      const found = stored.get(path(key))
      return found && new Response(found.text, { headers: found.headers })
    },
    put: async (key: RequestInfo | URL, answer: Response) =>
      void stored.set(path(key), { text: await answer.text(), headers: [...answer.headers] }),
    delete: async (key: RequestInfo | URL) => stored.delete(path(key)),
    keys: async () => [...stored.keys()].map((one) => new Request(`http://shop${one}`)),
  }
  return {
    paths: () => [...stored.keys()].sort(),
    storage: {
      open: async () => cache as unknown as Cache, // the rest is never called
      delete: async () => {
        stored = new Map()
        return true
      },
    },
  }
}

const page = (...assets: string[]) => `<html>${assets.map((one) => `<script src="/assets/${one}"></script>`)}</html>`

let site: Map<string, string>
let answers: (path: string) => Promise<Response>
let requested: string[]
let stored: ReturnType<typeof fakeCaches>
let runTimeout: () => void
let run: ReturnType<typeof createPageCache>
let background: Promise<unknown>[]
let clock: number

beforeEach(() => {
  site = new Map([
    [RUN_PAGE, page('entry-1.js', 'style-1.css')],
    ...['entry-1.js', 'style-1.css', 'map-1.js', 'entry-2.js', 'style-1.css', 'map-2.js'].map(
      (name): [string, string] => [`/assets/${name}`, name],
    ),
  ])
  answers = async (path) => {
    const text = site.get(path)
    if (text === undefined) return new Response('', { status: 404 })
    return new Response(text, {
      headers: {
        'content-type': path === RUN_PAGE ? 'text/html; charset=utf-8' : 'text/x',
        date: new Date(clock).toUTCString(),
      },
    })
  }
  requested = []
  stored = fakeCaches()
  background = []
  clock = Date.parse('2026-11-22T05:00:00Z')
  runTimeout = () => {}
  const run12h = { name: 'run', page: RUN_PAGE, maxAgeMs: OFFLINE_MAX_AGE_MS, patienceMs: TIMEOUT_MS }
  run = createPageCache(run12h, {
    caches: stored.storage,
    fetch: (request) => {
      const { pathname } = new URL(request instanceof Request ? request.url : request, 'http://shop')
      requested.push(pathname)
      return answers(pathname)
    },
    wait: (ms) => new Promise((done) => (runTimeout = () => ms === TIMEOUT_MS && done())),
    now: () => clock,
  })
})
const offline = async () => Promise.reject(new TypeError('Failed to fetch'))
const open = async () => {
  const answer = await run.answerPage(new Request(`http://shop${RUN_PAGE}?date=2026-11-22`), (w) => background.push(w))
  const text = await answer.text()
  await Promise.allSettled(background)
  return text
}
const asset = async (name: string) =>
  (await run.answerFile(new Request(`http://shop/assets/${name}`), { stores: true })).text()
const keep = (...names: string[]) => run.keepLoaded(names.map((name) => `http://shop/assets/${name}`))

describe('the cached page of the driver', () => {
  it('is served offline with all loaded assets', async () => {
    expect(await keep('map-1.js')).toBe(true)
    answers = offline
    expect(await open()).toBe(page('entry-1.js', 'style-1.css'))
    for (const name of ['entry-1.js', 'style-1.css', 'map-1.js']) expect(await asset(name)).toBe(name)
  })

  it('is served if the network hangs or the server is starting', async () => {
    await keep()
    let late: (answer: Response) => void = () => {}
    answers = () => new Promise((done) => (late = done))
    const waiting = run.answerPage(new Request(`http://shop${RUN_PAGE}`), (work) => background.push(work))
    await new Promise((done) => setTimeout(done, 5))
    runTimeout()
    expect(await (await waiting).text()).toBe(page('entry-1.js', 'style-1.css'))
    late(new Response('', { status: 503 }))
    answers = async () => new Response('', { status: 502 })
    expect(await open()).toBe(page('entry-1.js', 'style-1.css'))
  })

  it('is deleted after the maximum age of a staff session', async () => {
    await keep('map-1.js')
    answers = offline
    clock += OFFLINE_MAX_AGE_MS - 1_000
    expect(await open()).toBe(site.get(RUN_PAGE))
    clock += 2_000
    await expect(open()).rejects.toThrow('Failed to fetch')
    expect(stored.paths()).toEqual([])
  })

  it('is not served if it was never cached', async () => {
    answers = offline
    await expect(open()).rejects.toThrow('Failed to fetch')
    expect(await keep().catch(() => false)).toBe(false)
  })
})

describe('after a new version is deployed', () => {
  it('the new version is served online at once and replaces the cached one', async () => {
    await keep('map-1.js')
    site.set(RUN_PAGE, page('entry-2.js', 'style-1.css'))
    expect(await open()).toBe(page('entry-2.js', 'style-1.css'))
    expect(stored.paths()).toEqual([RUN_PAGE, '/assets/entry-2.js', '/assets/style-1.css'])
    expect(await asset('map-2.js')).toBe('map-2.js')
    answers = offline
    expect(await open()).toBe(page('entry-2.js', 'style-1.css'))
    for (const name of ['entry-2.js', 'map-2.js']) expect(await asset(name)).toBe(name)
    await expect(asset('map-1.js')).rejects.toThrow('Failed to fetch')
  })

  it('the old version stays complete if the network fails while assets load', async () => {
    await keep()
    const whole = answers
    answers = async (path) => (path === RUN_PAGE ? new Response(page('entry-2.js'), html) : offline())
    expect(await open()).toBe(page('entry-2.js'))
    answers = offline
    expect(await open()).toBe(page('entry-1.js', 'style-1.css'))
    answers = whole
  })

  it('the network is tried on every request', async () => {
    await keep()
    requested = []
    await open()
    await open()
    expect(requested.filter((path) => path === RUN_PAGE)).toHaveLength(2)
  })
})
const html = { headers: { 'content-type': 'text/html' } }

describe('after sign-out or loss of the role', () => {
  it.each([302, 404])('leaves nothing behind once the server answers %i', async (status) => {
    await keep('map-1.js')
    answers = async () => new Response(null, { status, headers: { location: '/login' } })
    await open()
    expect(stored.paths()).toEqual([])
    answers = offline
    await expect(open()).rejects.toThrow('Failed to fetch')
  })

  it('caches no assets without the page', async () => {
    expect(await asset('map-1.js')).toBe('map-1.js')
    expect(stored.paths()).toEqual([])
  })
})

describe('a cached page that stands in for others', () => {
  const later = (work: Promise<unknown>) => void background.push(work)

  it('is served for them offline; their own answers are not stored', async () => {
    await keep()
    const before = stored.paths()
    expect(await (await run.orCached(Promise.resolve(new Response('own page', html)), later)).text()).toBe('own page')
    expect(stored.paths()).toEqual(before)
    expect(await (await run.orCached(offline(), later)).text()).toBe(page('entry-1.js', 'style-1.css'))
    expect(await (await run.orCached(Promise.resolve(new Response('', { status: 502 })), later)).text()).toContain(
      'entry-1',
    )
  })

  it('is renewed on request, and its files are not stored by being loaded', async () => {
    await keep()
    site.set(RUN_PAGE, page('entry-2.js'))
    expect(await run.keepLoaded([], { renews: true })).toBe(true)
    expect(stored.paths()).toEqual([RUN_PAGE, '/assets/entry-2.js'])
    await run.answerFile(new Request('http://shop/assets/map-2.js'), { stores: false })
    expect(stored.paths()).toEqual([RUN_PAGE, '/assets/entry-2.js'])
  })
})
