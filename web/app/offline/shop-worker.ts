import type { PushMessage } from '@qatra/contract/notifications/push'
import { PUSH_RECEIPTS, PUSH_SUBSCRIPTIONS } from '@qatra/contract/notifications/push-paths'
import { createPageCache, isAsset } from '../../lib/page-cache.ts'
import { workerScope } from '../../lib/worker-scope.ts'
import { SAVED_MAX_AGE_MS } from './limits.ts'
import { isPicture, isShopPage, type KeepOffline, OFFLINE_PAGE, SKIP_WAITING } from './shop-pages.ts'

const scope = workerScope()

/**
 * Holds one page, the same for everybody, and the files that the shop's pages have loaded. No page and no answer of the API
 * is stored: the cached page shows what the browser has saved (saved.ts).
 */
const cache = createPageCache(
  { name: 'shop', page: OFFLINE_PAGE, maxAgeMs: SAVED_MAX_AGE_MS, patienceMs: 10_000 },
  {
    caches,
    // Without cookies: the cached page belongs to nobody.
    fetch: (request) => fetch(request, typeof request === 'string' ? { credentials: 'omit' } : {}),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    now: Date.now,
  },
)

// A new version waits until somebody asks for it or no page of the shop is open.
scope.addEventListener('message', (event) => {
  if (event.data === SKIP_WAITING) event.waitUntil(scope.skipWaiting())
})
scope.addEventListener('activate', (event) => event.waitUntil(scope.registration.navigationPreload.enable()))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (!isShopPage(pathname)) return
    const fromNetwork = event.preloadResponse.then((answer) => answer ?? fetch(request))
    event.respondWith(cache.orCached(fromNetwork, (work) => event.waitUntil(work)))
  } else if (isAsset(pathname)) event.respondWith(answerAsset(event))
  else if (isPicture(pathname)) event.respondWith(cache.answerFile(request, { stores: false }))
})

/** Stores what pages of the shop load: this worker also sees the admin area, whose files are many. */
async function answerAsset({ clientId, request }: { clientId: string; request: Request }) {
  const page = await scope.clients.get(clientId)
  return cache.answerFile(request, { stores: page !== undefined && isShopPage(new URL(page.url).pathname) })
}

scope.addEventListener('message', (event) => {
  const { data, ports } = event
  if (!isKeepOffline(data)) return
  event.waitUntil(
    cache.keepLoaded(data.files, { from: `${OFFLINE_PAGE}?lang=${data.lang}`, renews: true }).then(
      (isSaved) => ports[0]?.postMessage(isSaved),
      () => ports[0]?.postMessage(false), // no network: at the next load
    ),
  )
})

const isKeepOffline = (data: unknown): data is KeepOffline =>
  typeof data === 'object' && data !== null && 'files' in data && Array.isArray(data.files) && 'lang' in data

scope.addEventListener('push', (event) => {
  // The push service accepts messages signed with the shop's key alone.
  const message = event.data?.json() as PushMessage | undefined
  if (message) event.waitUntil(show(message))
})

async function show({ id, lang, title, body, path, tag }: PushMessage) {
  const dir = lang === 'ar' ? 'rtl' : 'ltr'
  // Without `renotify` a message that replaces an earlier one is silent.
  const shown = { body, tag, renotify: true, lang, dir, icon: '/icon-192.png', data: path } as const
  await scope.registration.showNotification(title, shown)
  // Without it the shop sends the same news by WhatsApp.
  for (let tries = 0; id !== undefined && tries < 3; tries += 1) {
    const isReceived = await send(PUSH_RECEIPTS, { id }).catch(() => false)
    if (isReceived) return
  }
}

async function send(path: string, body: unknown): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const { ok } = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return ok
}

scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { data } = event.notification
  event.waitUntil(openPage(new URL(typeof data === 'string' ? data : '/', location.origin)))
})

async function openPage({ origin, pathname, search }: URL) {
  if (origin !== location.origin) return
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages
    .map(({ url }) => new URL(url))
    .findIndex((at) => at.pathname === pathname && (search === '' || at.search === search))
  await (pages[open] ? pages[open].focus() : scope.clients.openWindow(pathname + search))
}

// The push service has replaced the address of this device.
scope.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription, newSubscription } = event
  const subscribed = newSubscription
    ? Promise.resolve(newSubscription)
    : oldSubscription && scope.registration.pushManager.subscribe(oldSubscription.options)
  if (subscribed) event.waitUntil(subscribed.then((subscription) => send(PUSH_SUBSCRIPTIONS, subscription)))
})
