/**
 * Storage, cookies, channels, locks, workers and caches. Any of them may be missing or throw: site data is blocked,
 * storage is full, the address is plain http. No other module of `web` uses these interfaces.
 */
function attempt<T, U>(work: () => T, fallback: U): T | U {
  try {
    return work()
  } catch {
    return fallback
  }
}

export type Store = ReturnType<typeof storeOf>

function storeOf(kind: 'localStorage' | 'sessionStorage') {
  // Values that cannot be stored last as long as the page.
  const memory = new Map<string, string>()
  const getItem = (key: string): string | null => memory.get(key) ?? attempt(() => window[kind].getItem(key), null)
  return {
    getItem,
    /** Null also for invalid JSON. */
    readJson: (key: string): unknown => attempt(() => JSON.parse(getItem(key) ?? 'null'), null),
    setItem(key: string, value: string) {
      memory.delete(key)
      const isStored = attempt(() => {
        window[kind].setItem(key, value)
        return true
      }, false)
      if (!isStored) memory.set(key, value)
    },
    removeItem(key: string) {
      memory.delete(key)
      attempt(() => window[kind].removeItem(key), undefined)
    },
    keys: (): string[] => [...memory.keys(), ...attempt(() => Object.keys(window[kind]), [])],
  }
}

/** Shared by all tabs, kept when the browser closes. */
/** Prefix of the drafts of the admin area's forms. */
export const formDraftKey = 'form:'
export const localStore = storeOf('localStorage')
/** Of this tab alone; survives a reload. */
export const tabStore = storeOf('sessionStorage')

export const readCookies = (): string => attempt(() => document.cookie, '')
export function writeCookie(cookie: string) {
  attempt(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is asynchronous and missing in older browsers.
    document.cookie = cookie
  }, undefined)
}

/** Null for a missing or HttpOnly cookie. */
export const readCookie = (name: string): string | null =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(readCookies())?.[1] ?? null

/** Sets a cookie for the whole site. `Clear-Site-Data: "storage"` keeps it, unlike the stores. */
export function setCookie(name: string, value: string, maxAgeSeconds: number) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  writeCookie(`${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`)
}

/** Null if the browser has no BroadcastChannel. */
export const openChannel = (name: string): BroadcastChannel | null => attempt(() => new BroadcastChannel(name), null)

/** Sends a message to the other tabs. */
export function broadcast(name: string, message: unknown) {
  const channel = openChannel(name)
  channel?.postMessage(message)
  channel?.close()
}

/** Listens to `broadcast` of the other tabs, all of the same build. */
export function onBroadcast<T>(name: string, listener: (message: T) => void): () => void {
  const channel = openChannel(name)
  if (channel) channel.onmessage = ({ data }: MessageEvent<T>) => listener(data)
  return () => channel?.close()
}

/** Null on a plain http address. With site data blocked it exists and rejects each request. */
export const lockManager = (): LockManager | null => attempt(() => navigator.locks ?? null, null)

export const serviceWorkers = (): ServiceWorkerContainer | null => attempt(() => navigator.serviceWorker ?? null, null)

export const dropCache = (name: string): Promise<boolean> =>
  attempt(() => caches.delete(name), Promise.resolve(false)).catch(() => false)

/** Null if the browser has no caches. */
export const openCache = (name: string): Promise<Cache | null> =>
  attempt(() => caches.open(name), Promise.resolve(null)).catch(() => null)
