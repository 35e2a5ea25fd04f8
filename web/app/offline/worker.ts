import { serviceWorkers } from '../../lib/site-data.ts'
import { type KeepOffline, SKIP_WAITING } from './shop-pages.ts'

/** Not in development, where file names are not hashed; some browsers have no service workers. */
const workers = () => (import.meta.env.PROD ? serviceWorkers() : null)

/** The shop's service worker, registered if it was not; null where there are none. */
export const shopWorker = async (): Promise<ServiceWorkerRegistration | null> =>
  (await workers()?.register('/shop-worker.js', { scope: '/' })) ?? null

/** Lets the active worker cache the offline page with these files; true once it would open. */
export async function keepOffline(about: KeepOffline): Promise<boolean> {
  const active = (await workers()?.ready)?.active
  if (!active) return false
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => done(data === true)
    active.postMessage(about, [port2])
  })
}

/** Calls back when a new version is installed and waits; also if it waited before. */
export function onNewVersion(registration: ServiceWorkerRegistration, found: (worker: ServiceWorker) => void) {
  const look = () => {
    // Without a controller it is the first version.
    if (registration.waiting && workers()?.controller) found(registration.waiting)
  }
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look))
  look()
}

/** The new version takes over, then this page loads again. Other open pages stay as they are. */
export function changeVersion(waiting: ServiceWorker) {
  workers()?.addEventListener('controllerchange', () => location.reload(), { once: true })
  waiting.postMessage(SKIP_WAITING)
}
