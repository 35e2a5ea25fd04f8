import { listMyOrders } from '@qatra/contract/orders/orders'
import type { QueryClient } from '@tanstack/react-query'
import { read } from '../../lib/api-client.ts'
import { findUser } from '../../lib/current-user.ts'
import { translateWith } from '../../lib/language/i18n.tsx'
import { loadMessageGroups, loadUsedMessages } from '../../lib/language/messages.ts'
import { isAsset } from '../../lib/page-cache.ts'
import { tabStore } from '../../lib/site-data.ts'
import { toast } from '../../ui/Toast.tsx'
import type { AppRouter } from '../routes/router.ts'
import { onPersonChanged } from '../session/session.ts'
import { keepInstallPrompt } from './install-prompt.ts'
import { save } from './saved.ts'
import { isPicture } from './shop-pages.ts'
import { changeVersion, keepOffline, onNewVersion, shopWorker } from './worker.ts'

/** In the same chunk, so that the browser has it before it is needed. */
export { startOffline } from './start-offline.tsx'

const UPDATE_EVERY_MS = 3_600_000
const PROMPT_MS = 60_000
const MAX_FILES = 150
const PREPARED = 'offline.prepared'

const langOfPage = () => (document.documentElement.lang === 'en' ? 'en' : 'ar')

function loadedFiles(): string[] {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const isKept = (url: string) => {
    const { origin, pathname } = new URL(url)
    return origin === location.origin && (isAsset(pathname) || isPicture(pathname))
  }
  return [...new Set(loaded.filter(isKept))].slice(0, MAX_FILES)
}

/** Runs once the page is at rest: what it shows can be opened offline, and new versions of the shop are announced. */
export async function start(queries: QueryClient, router: AppRouter) {
  keepInstallPrompt()
  const registration = await shopWorker()
  if (!registration) return
  await prepareOrders(queries, router)
  const keep = () => {
    save(queries)
    return keepOffline({ files: loadedFiles(), lang: langOfPage() })
  }
  onPersonChanged(() => void endNotifications(registration))
  onNewVersion(registration, (worker) => void announce(worker))
  let updatedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void keep()
    else if (Date.now() - updatedAt > UPDATE_EVERY_MS) {
      updatedAt = Date.now()
      // Without a network it is asked for again an hour later.
      registration.update().catch(() => undefined)
    }
  })
  await keep()
}

/** Loads the orders of a customer who has not opened them in this tab, with their pages. */
async function prepareOrders(queries: QueryClient, router: AppRouter) {
  const user = await findUser(queries)
  if (user?.role !== 'customer' || user.impersonatedBy || tabStore.getItem(PREPARED) === String(user.id)) return
  tabStore.setItem(PREPARED, String(user.id))
  await router.preloadRoute({ to: '/orders' })
  const [newest] = queries.getQueryData(read(listMyOrders, { query: { page: 1, limit: 10 } }).queryKey)?.items ?? []
  if (newest) await router.preloadRoute({ to: '/orders/$id', params: { id: newest.id } })
}

/** The shop stops sending at the sign-out; the browser also forgets the address. */
async function endNotifications({ pushManager }: ServiceWorkerRegistration) {
  const subscription = await pushManager?.getSubscription()
  await subscription?.unsubscribe()
}

/** Asks whether to load the new version. Not on pages where something is filled in. */
async function announce(worker: ServiceWorker) {
  if (/^\/(?:checkout|login|profile)/.test(location.pathname)) return
  await loadMessageGroups(['offline'])
  const t = translateWith(await loadUsedMessages(langOfPage()))
  const action = { label: t('offline.update'), onClick: () => changeVersion(worker) }
  toast({ title: t('offline.newVersion'), action, duration: PROMPT_MS })
}
