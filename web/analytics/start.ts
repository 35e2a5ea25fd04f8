import { onRouteChange } from '../app/route-change.ts'
import { onPersonChanged } from '../app/session.ts'
import { readCookies, writeCookie } from '../app/site-data.ts'
import { type Adapter, googleAdapter, metaAdapter, snapAdapter } from './adapters.ts'
import { eventId, isFirst } from './event-id.ts'
import { deliverTo, type Tracked, track } from './events.ts'
import type { AnalyticsIds } from './ids.ts'
import { loadScript } from './load-script.ts'
import { isPrivatePath, pagePath } from './paths.ts'

export interface RunningAnalytics {
  /** E.164 of the person at this browser, of whom only a hash goes out; null forgets. */
  identify(phone: string | null): Promise<void>
  /** Consent was taken back: nothing more is told, and what the scripts left here goes. */
  stop(): void
}

/** Hexadecimal SHA-256 of the digits; null where the browser has no such thing (plain http). */
async function hashOf(phone: string): Promise<string | null> {
  if (typeof crypto === 'undefined' || !crypto.subtle) return null
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(phone.replace(/\D/g, '')))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Loads what is configured. An adapter whose script does not come is left out; the page notices nothing. */
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
  const tell = (hash: string | null) => {
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
  // Before anybody else is at this browser: what comes next is not told of the person who left.
  const stopPerson = onPersonChanged(() => {
    if (known !== null) tell(null)
  })
  return {
    async identify(phone) {
      const hash = phone ? await hashOf(phone) : null
      if (hash !== known) tell(hash)
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
