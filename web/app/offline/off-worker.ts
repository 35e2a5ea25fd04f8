import { workerScope } from '../../lib/worker-scope.ts'
import { runCacheName } from '../session/personal-storage.ts'

/** Takes the place of both service workers with SERVICE_WORKER=off: deletes their caches and removes itself. */
const scope = workerScope()

const remove = () =>
  Promise.all([...['shop', runCacheName].map((name) => caches.delete(name)), scope.registration.unregister()])

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(remove()))
// An open page that registers its worker at this moment keeps the registration; it then sends a message.
scope.addEventListener('message', (event) => {
  event.waitUntil(remove())
  event.ports[0]?.postMessage(false)
})
