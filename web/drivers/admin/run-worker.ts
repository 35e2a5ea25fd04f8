import { createRunCache, isAsset, RUN_PAGE } from './run-cache.ts'

/** The parts of the service worker API in use; the DOM library lacks them. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchHappening extends Extendable {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface Scope {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(name: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(name: 'fetch', listener: (event: FetchHappening) => void): void
  addEventListener(name: 'message', listener: (event: Extendable & MessageEvent) => void): void
}
const scope = self as unknown as Scope // this file runs nowhere else

const cache = createRunCache({
  caches,
  fetch: (request) => fetch(request),
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
  now: Date.now,
})

// Activates new versions at once.
scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (pathname === RUN_PAGE) event.respondWith(cache.answerPage(request, (work) => event.waitUntil(work)))
  } else if (isAsset(pathname)) event.respondWith(cache.answerAsset(request))
})

scope.addEventListener('message', (event) => {
  const { data, ports } = event
  if (!Array.isArray(data)) return
  const urls = data.filter((url) => typeof url === 'string')
  event.waitUntil(
    cache.keepLoaded(urls).then(
      (isSaved) => ports[0]?.postMessage(isSaved),
      () => ports[0]?.postMessage(false), // no network: at the next load
    ),
  )
})
