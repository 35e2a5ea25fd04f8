/**
 * What a browser keeps for this site and shares between its tabs. Any of it may be missing or throw: site data is
 * blocked, storage is full, the address is plain http. Nothing else in `web` touches these interfaces.
 */
function tried<T, U>(work: () => T, otherwise: U): T | U {
  try {
    return work()
  } catch {
    return otherwise
  }
}

export type Store = ReturnType<typeof storeOf>

function storeOf(kind: 'localStorage' | 'sessionStorage') {
  // What the browser does not take lasts as long as the page.
  const memory = new Map<string, string>()
  const getItem = (key: string): string | null => memory.get(key) ?? tried(() => window[kind].getItem(key), null)
  return {
    getItem,
    /** Null for what is no JSON as well. */
    readJson: (key: string): unknown => tried(() => JSON.parse(getItem(key) ?? 'null'), null),
    setItem(key: string, value: string) {
      memory.delete(key)
      const isKept = tried(() => {
        window[kind].setItem(key, value)
        return true
      }, false)
      if (!isKept) memory.set(key, value)
    },
    removeItem(key: string) {
      memory.delete(key)
      tried(() => window[kind].removeItem(key), undefined)
    },
    keys: (): string[] => [...memory.keys(), ...tried(() => Object.keys(window[kind]), [])],
  }
}

/** Shared by all tabs, kept when the browser closes. */
export const localStore = storeOf('localStorage')
/** Of this tab alone; survives a reload. */
export const tabStore = storeOf('sessionStorage')

export const readCookies = (): string => tried(() => document.cookie, '')
export function writeCookie(cookie: string) {
  tried(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store has no answer in the same tick, and not everywhere.
    document.cookie = cookie
  }, undefined)
}

/** Null for a cookie that does not exist or that scripts may not read. */
export const readCookie = (name: string): string | null =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(readCookies())?.[1] ?? null

/** For the whole site. `Clear-Site-Data: "storage"` leaves it, unlike the stores. */
export function setCookie(name: string, value: string, maxAgeSeconds: number) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  writeCookie(`${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`)
}

/** Null where the tabs of this browser cannot talk to each other. */
export const openChannel = (name: string): BroadcastChannel | null => tried(() => new BroadcastChannel(name), null)

/** Null on a plain http address. Where site data is blocked it is there, and refuses each request. */
export const lockManager = (): LockManager | null => tried(() => navigator.locks ?? null, null)

export const serviceWorkers = (): ServiceWorkerContainer | null => tried(() => navigator.serviceWorker ?? null, null)

export const dropCache = (name: string): Promise<boolean> =>
  tried(() => caches.delete(name), Promise.resolve(false)).catch(() => false)
