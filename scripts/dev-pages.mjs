import { createServer, request as passOn } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createVite } from 'vite'
import { root, say } from './bootstrap.mjs'

/**
 * What the browser talks to while developing: Vite for the sources, pages rendered here from them, the rest passed on to
 * the server behind. There is no Content-Security-Policy: Vite's own scripts would be against it.
 */
const port = Number(process.env.PORT)
const behind = Number(process.env.DEV_SERVER_PORT)
const origin = process.env.PUBLIC_URL
const http = createServer()
const vite = await createVite({
  root: join(root, 'web'),
  appType: 'custom',
  server: { middlewareMode: true, hmr: { server: http }, watch: { ignored: ['**/build/**', '**/data/**'] } },
})

const isTheirs = (path) => /^\/(api|healthz|readyz|metrics|media(?!\/admin\/)|sitemap|robots\.txt)/.test(path)

/** The server is away for a moment after each change of it. */
async function reachable() {
  for (let tries = 0; tries < 300; tries += 1) {
    const isThere = await new Promise((done) => {
      const probe = connect(behind, '127.0.0.1', () => done(true)).once('error', () => done(false))
      probe.once('connect', () => probe.end())
    })
    if (isThere) return
    await sleep(100)
  }
  throw new Error('The server behind does not answer')
}

async function forward(request, response) {
  await reachable()
  const { method, url, headers } = request
  const onwards = passOn({ port: behind, host: '127.0.0.1', method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  onwards.on('error', (error) => response.destroy(error))
  response.on('close', () => onwards.destroy())
  request.pipe(onwards)
}

/** GET requests of the pages, with the cookies of the current request. */
const callerFor =
  (cookie = '') =>
  async ({ path }, { params = {}, query = {} } = {}) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]))
    const known = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
    const answer = await fetch(`http://127.0.0.1:${behind}${filled}?${new URLSearchParams(known)}`, {
      headers: { cookie },
    })
    const body = await answer.json()
    if (!answer.ok) throw Object.assign(new Error(body.message), { status: answer.status, ...body })
    return body
  }

/** Admin pages only for sessions that the backend accepts. */
async function rendered(wanted) {
  const { render, renderAdmin } = await vite.ssrLoadModule('/app/entry-server.tsx')
  const [path] = wanted.url.split('?')
  if (!/^\/admin(\/|$)/.test(path)) return render(wanted)
  const { firstAdminPage, mayOpen } = await vite.ssrLoadModule('@qatra/contract/admin')
  const user = await wanted.callInProcess({ path: '/api/auth/me' }).catch(() => null)
  if (!user) return { status: 302, redirect: `/login?redirect=${encodeURIComponent(wanted.url)}` }
  const first = path === '/admin' ? firstAdminPage(user) : null
  if (first) return { status: 302, redirect: first }
  return mayOpen(path, user) ? renderAdmin(wanted) : render({ ...wanted, url: '/404' })
}

async function page(request, response) {
  await reachable()
  const { searchParams } = new URL(request.url, origin)
  const { cookie } = request.headers
  const queryLang = searchParams.getAll('lang').find((lang, _, all) => all.length === 1 && /^(ar|en)$/.test(lang))
  const lang = queryLang ?? /(?:^|;\s*)lang=(ar|en)(?:;|$)/.exec(cookie ?? '')?.[1] ?? 'ar'
  const made = await rendered({ url: request.url, lang, origin, callInProcess: callerFor(cookie) })
  if (queryLang) response.setHeader('set-cookie', `lang=${queryLang}; Path=/; SameSite=Lax`)
  if (made.redirect !== undefined) return response.writeHead(302, { location: made.redirect }).end()
  const html = await vite.transformIndexHtml(request.url, made.html)
  response.writeHead(made.status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html)
}

http.on('request', (request, response) => {
  const fail = (error) => {
    if (error instanceof Error) vite.ssrFixStacktrace(error)
    console.error(error)
    if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(error instanceof Error ? error.stack : String(error))
  }
  if (isTheirs(request.url)) return void forward(request, response).catch(fail)
  vite.middlewares(request, response, () => void page(request, response).catch(fail))
})
http.listen(port, process.env.HOST ?? '127.0.0.1', () =>
  say(`Pages from their sources on ${origin}; what is saved is there at once.`),
)
process.on('SIGTERM', () => void vite.close().finally(() => process.exit()))
