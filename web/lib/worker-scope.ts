/** The parts of the service worker API in use; the DOM library lacks them. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchHappening extends Extendable {
  request: Request
  /** The request that the browser sent while the worker started; undefined without navigation preload. */
  preloadResponse: Promise<Response | undefined>
  /** Of the page that asks; empty for a navigation. */
  clientId: string
  respondWith(answer: Promise<Response>): void
}
interface PushHappening extends Extendable {
  data: { json(): unknown } | null
}
interface NotificationHappening extends Extendable {
  notification: { close(): void; data: unknown }
}
interface SubscriptionChange extends Extendable {
  oldSubscription: PushSubscription | null
  newSubscription: PushSubscription | null
}
interface WindowClient {
  url: string
  focus(): Promise<unknown>
}
export interface WorkerScope {
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    get(id: string): Promise<WindowClient | undefined>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  registration: ServiceWorkerRegistration
  addEventListener(name: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(name: 'fetch', listener: (event: FetchHappening) => void): void
  addEventListener(name: 'message', listener: (event: Extendable & MessageEvent) => void): void
  addEventListener(name: 'push', listener: (event: PushHappening) => void): void
  addEventListener(name: 'notificationclick', listener: (event: NotificationHappening) => void): void
  addEventListener(name: 'pushsubscriptionchange', listener: (event: SubscriptionChange) => void): void
}

declare const self: WorkerScope

/** The global scope of the files that run as service workers, and nowhere else. */
export const workerScope = () => self
