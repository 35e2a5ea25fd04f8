import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { adminPages, firstAdminPage, mayOpen } from '@qatra/contract/admin'
import { isAdminPath } from '@qatra/contract/admin-path'
import type { Lang } from '@qatra/contract/lib/lang'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createSemaphore } from '../../lib/concurrency.ts'
import { AppError } from '../../lib/errors.ts'
import { type CallInProcess, callerFor } from '../call-in-process.ts'
import { asAppError } from '../error-handler.ts'
import { isEmbeddedElsewhere } from '../guard/csrf.ts'
import { createNetworkLimit } from '../guard/network-limit.ts'
import { isApi } from '../guard/request-guard.ts'
import { routeOf } from '../monitoring/request-log.ts'
import type { App } from '../runtime.ts'
import { langCookie, readLang, visitorOf } from '../session-cookie.ts'
import { errorPage } from './error-page.ts'
import { audiencesOf, isCacheable, langOfQuery, type PageAddress, type PageFacts, readAddress } from './page-key.ts'
import { audienceOf, createEntry, sendEntry } from './response-cache.ts'
import { readStaticFiles, type StaticFiles } from './static-files.ts'

export interface Rendered {
  status: number
  redirect?: string
  html: string
}
interface RenderRequest {
  url: string
  lang: Lang
  origin: string
  callInProcess: CallInProcess
}
type Render = (request: RenderRequest) => Promise<Rendered>
interface Entry {
  render: Render
  /** Renders the admin's shell, for its users. `isMissing`: the title names no page. */
  renderAdmin: (request: RenderRequest & { isMissing?: boolean }) => Promise<Rendered>
}

/** Pages with their own name in logs and metrics; other URLs are rendered too. */
const named = [
  '/',
  '/products/:id',
  '/orders',
  '/orders/:id',
  '/checkout',
  '/checkout/success/:orderId',
  '/login',
  '/magic-login',
  '/magic-login/:token',
  '/profile',
  '/invitations',
  '/about',
  '/faqs',
  '/privacy',
  '/terms',
  '/offline',
  '/simulator',
  '/simulator/telegram',
]
const adminPatterns = adminPages.map(({ path }) => path.replace(/\$(\w+)/g, ':$1'))
const HTML = 'text/html; charset=utf-8'
/** The browser may store it and revalidates it every time. */
const VISITORS_PAGE = 'public, no-cache'

/** Rendered pages per network. A visit needs one or two; further ones come from the cache or the API. */
const renders = { burst: 300, perMinute: 600 }
const rendering = { permits: 4, maxWaiting: 200 }

interface Parts {
  app: App
  /** The build's folder with `web/` and `web-server/`. */
  folder: string
  facts: PageFacts
}

/** Serves the shop's HTML and static files. */
export async function pageRoutes({ app, folder, facts }: Parts) {
  const files = withWorkers(readStaticFiles(join(folder, 'web'), app.headers.page), app.config)
  // Built separately; the server does not import web sources. Its shape is that of web/app/entry-server.tsx.
  const entry = (await import(pathToFileURL(join(folder, 'web-server/entry-server.js')).href)) as Entry
  const answer = pageHandler({ app, facts }, entry)
  for (const url of [...named, ...adminPatterns]) app.http.get(url, answer)
  app.http.get('*', (request, reply) => other(files, request, reply) ?? answer(request, reply))
}

/** With service workers switched off, each of them is replaced by one that removes itself. */
function withWorkers(files: StaticFiles, { serviceWorker }: App['config']): StaticFiles {
  if (serviceWorker) return files
  return { ...files, find: (path) => files.find(path.endsWith('-worker.js') ? '/off-worker.js' : path) }
}

/** Static files and unknown API URLs; null for a page. */
function other(files: StaticFiles, request: FastifyRequest, reply: FastifyReply) {
  const { path } = readAddress(request.raw.url ?? '/')
  const file = files.find(path)
  request.pattern = file ? '(file)' : '(other)'
  if (file) return sendEntry(request, reply, file)
  if (isApi(path) || path.startsWith('/assets/')) return reply.callNotFound()
  return null
}

function pageHandler({ app, facts }: Omit<Parts, 'folder'>, { render, renderAdmin }: Entry) {
  const limit = createNetworkLimit(app, 'pages', renders)
  const semaphore = createSemaphore(rendering)

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const url = request.raw.url ?? '/'
    const address = readAddress(url)
    const asked = langOfQuery(address.query)
    const lang = readLang(request.headers, asked)
    const saving: Record<string, string> = asked ? { 'set-cookie': langCookie(asked, app.config.isSecure) } : {}
    const visitor = isCacheable(facts, url, address) ? visitorIn(request, lang) : null
    const cached = visitor && app.responseCache.get(url, audienceOf(visitor))
    if (cached) return sendEntry(request, reply, cached)
    // Before it counts: a foreign page must not spend the budget of its visitor's network.
    if (isEmbeddedElsewhere(request)) throw new AppError('CROSS_ORIGIN')
    await limit(request)
    const epoch = app.responseCache.epoch()
    // Read before rendering, so that a change during rendering expires the cached page.
    const until = facts.changeAt(app.clock.now())
    const page = await semaphore.run(() => renderPage(request, address, lang))
    if (visitor && page.status === 200 && page.redirect === undefined) {
      const entry = createEntry({
        body: page.html,
        contentType: HTML,
        cacheControl: VISITORS_PAGE,
        headers: { ...app.headers.page, ...saving },
        until,
      })
      for (const audience of audiencesOf(asked, visitor)) app.responseCache.set(epoch, url, audience, entry)
      return sendEntry(request, reply, entry)
    }
    reply.headers({ 'cache-control': 'no-store', vary: 'Cookie', ...saving }).code(page.status)
    if (page.redirect !== undefined) return reply.header('location', ownAddress(page.redirect)).send('')
    return reply.type(HTML).send(page.html)
  }

  /** Areas that do not exist have no page of their own: strangers could fill the memory with them. */
  function visitorIn({ headers }: FastifyRequest, lang: Lang) {
    const visitor = visitorOf(headers)
    if (!visitor) return null
    const { areaId } = visitor
    return { lang, areaId: areaId !== null && facts.hasArea(areaId) ? areaId : null }
  }

  async function renderPage(request: FastifyRequest, { path }: PageAddress, lang: Lang): Promise<Rendered> {
    const { ctx, call } = await callerFor(app, request, lang)
    const url = request.raw.url ?? '/'
    const { user } = ctx.actor
    const wanted = { url, lang, origin: app.config.publicUrl, callInProcess: call }
    if (isAdminPath(path)) {
      if (!user) return { status: 302, redirect: `/login?redirect=${encodeURIComponent(url)}`, html: '' }
      const first = path === '/admin' ? firstAdminPage(user) : null
      if (first) return { status: 302, redirect: first, html: '' }
      if (mayOpen(path, user)) return renderAdmin(wanted)
      // Who works here stays in the admin area; a forbidden page looks like an unknown one. Others get neither its code
      // nor its data.
      if (firstAdminPage(user)) return { ...(await renderAdmin({ ...wanted, isMissing: true })), status: 404 }
      return render({ ...wanted, url: '/404' })
    }
    const isHidden = /^\/simulator(?:\/|$)/.test(path) && (!app.config.simulator || ctx.client.isForwarded)
    return render(isHidden ? { ...wanted, url: '/404' } : wanted)
  }

  return (request: FastifyRequest, reply: FastifyReply) =>
    answer(request, reply).catch((error: unknown) => {
      const known = asAppError(error)
      const status = known?.status ?? 500
      const about = { err: error, reqId: request.id, route: routeOf(request) }
      if (status >= 500) app.log[known ? 'warn' : 'error'](about, 'page not rendered')
      const lang = readLang(request.headers, langOfQuery(readAddress(request.raw.url ?? '/').query))
      const seconds = known?.retryAfter ?? (status === 503 ? 2 : null)
      if (seconds !== null) reply.header('retry-after', String(seconds))
      return reply.code(status).header('cache-control', 'no-store').type(HTML).send(errorPage(lang, status))
    })
}

/** Keeps a redirect on this site. */
function ownAddress(location: string) {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(location) ? location : '/'
}
