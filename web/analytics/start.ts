import { onRouteChange } from '../app/routes/route-change.ts'
import { onPersonChanged } from '../app/session/session.ts'
import { readCookies, tabStore, writeCookie } from '../lib/site-data.ts'
import { type Adapter, googleAdapter, metaAdapter, snapAdapter } from './adapters.ts'
import { deliverTo, type Tracked, track } from './events.ts'
import type { AnalyticsIds } from './ids.ts'
import { isPrivatePath, pagePath } from './paths.ts'

/** SPEC §9. */
const TIMEOUT_MS = 10_000

/** Loads a third-party script. Rejects if it is blocked, fails or takes longer than 10 seconds. */
function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      clearTimeout(timer)
      script.remove()
      reject(new Error(`${new URL(src).host} did not answer`))
    }
    const timer = setTimeout(fail, TIMEOUT_MS)
    script.src = src
    script.async = true
    script.onerror = fail
    script.onload = () => {
      clearTimeout(timer)
      resolve()
    }
    document.head.append(script)
  })
}

const key = 'analytics-events'
/** SPEC §9. */
const DEDUPE_MS = 30 * 60_000

/** Events that occur once have a stable id, so that a reload does not report them again. */
function eventId({ name, payload }: Tracked): string {
  if (name === 'purchase') return payload.orderId
  if (name === 'begin_checkout') return `checkout-${payload.cartId}-${payload.totalValue}`
  return `${name}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`
}

function readReported(): [id: string, at: number][] {
  const stored = tabStore.readJson(key)
  return Array.isArray(stored) ? stored.filter((one) => Array.isArray(one) && one[1] > Date.now() - DEDUPE_MS) : []
}

/** False if this id was reported in the last 30 minutes; else it is noted. */
function isFirst(id: string): boolean {
  const reported = readReported()
  if (reported.some(([one]) => one === id)) return false
  tabStore.setItem(key, JSON.stringify([...reported.slice(-200), [id, Date.now()]]))
  return true
}

export interface RunningAnalytics {
  /** E.164 of the signed-in person, sent as a hash only; null clears it. */
  identify(phone: string | null): Promise<void>
  /** Stops reporting and removes globals and cookies after consent is withdrawn. */
  stop(): void
}

/** Hexadecimal SHA-256 of the digits; null without Web Crypto (plain http). */
async function hashOf(phone: string): Promise<string | null> {
  if (typeof crypto === 'undefined' || !crypto.subtle) return null
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(phone.replace(/\D/g, '')))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Loads the configured scripts. An adapter whose script fails is left out. */
export function startAnalytics({ ga, meta, snap }: AnalyticsIds): RunningAnalytics {
  const adapters = new Set<Adapter>()
  if (ga) adapters.add(googleAdapter(ga))
  if (meta) adapters.add(metaAdapter(meta))
  if (snap) adapters.add(snapAdapter(snap))
  let known: string | null = null

  for (const adapter of adapters) {
    adapter.begin()
    loadScript(adapter.script).catch(() => {
      adapters.delete(adapter)
      clean(adapter)
    })
  }
  const setUser = (hash: string | null) => {
    known = hash
    for (const adapter of adapters) adapter.identify(hash)
  }
  const deliver = (event: Tracked) => {
    if (isPrivatePath(location.pathname)) return
    const id = eventId(event)
    if (!isFirst(id)) return
    for (const adapter of adapters) adapter.send(event, id)
  }
  deliverTo(deliver)
  const stopRoutes = onRouteChange((href) => track('page_view', { path: pagePath(href) }))
  // Clears the identity as soon as the person changes, before any further event.
  const stopPerson = onPersonChanged(() => {
    if (known !== null) setUser(null)
  })
  return {
    async identify(phone) {
      const hash = phone ? await hashOf(phone) : null
      if (hash !== known) setUser(hash)
    },
    stop() {
      deliverTo(null)
      stopRoutes()
      stopPerson()
      for (const adapter of adapters) clean(adapter)
      adapters.clear()
    },
  }
}

function clean({ globals, cookies, script }: Adapter) {
  for (const name of globals) delete window[name]
  for (const element of document.scripts) if (element.src === script) element.remove()
  for (const cookie of readCookies().split(/;\s*/)) {
    const [name = ''] = cookie.split('=')
    if (!cookies.test(name)) continue
    const domains = ['', location.hostname, `.${location.hostname}`]
    for (const domain of domains) writeCookie(`${name}=; Path=/; Max-Age=0${domain && `; Domain=${domain}`}`)
  }
}
