import { OFFLINE_MAX_AGE_MS, runCacheName } from '../../../app/session/personal-storage.ts'
import { createPageCache, isAsset } from '../../../lib/page-cache.ts'
import { workerScope } from '../../../lib/worker-scope.ts'
import { RUN_PAGE } from './run-page.ts'

const scope = workerScope()

/** The page reads the day from its address, so one cached page serves all days. */
const cache = createPageCache(
  { name: runCacheName, page: RUN_PAGE, maxAgeMs: OFFLINE_MAX_AGE_MS, patienceMs: 5_000 },
  {
    caches,
    fetch: (request) => fetch(request),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    now: Date.now,
  },
)

// Activates new versions at once.
scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (pathname === RUN_PAGE) event.respondWith(cache.answerPage(request, (work) => event.waitUntil(work)))
  } else if (isAsset(pathname)) event.respondWith(cache.answerFile(request, { stores: true }))
})

scope.addEventListener('message', (event) => {
  const { data, ports } = event
  if (!Array.isArray(data)) return
  const assets = data.filter((url) => typeof url === 'string').filter((url) => isAsset(new URL(url).pathname))
  event.waitUntil(
    cache.keepLoaded(assets).then(
      (isSaved) => ports[0]?.postMessage(isSaved),
      () => ports[0]?.postMessage(false), // no network: at the next load
    ),
  )
})
