import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Renders what a test checks: URL, language, actor and number of renderings. */
const entryServer = `
let renders = 0
/** The shell of the admin area, sent to callers who can open the page. */
export async function renderAdmin({ url, lang, callInProcess }) {
  const me = await callInProcess({ method: 'GET', path: '/api/auth/me' }, {})
  return { status: 200, html: '<!doctype html><html lang="' + lang + '"><body>the office<script type="application/json">' +
    JSON.stringify({ url, me: me.phone }) + '</script></body></html>' }
}
export async function render({ url, lang, origin, callInProcess }) {
  renders += 1
  const call = (path, input = {}) => callInProcess({ method: 'GET', path }, input)
  const me = await call('/api/auth/me').catch((error) => {
    if (error.status === 401) return null
    throw error
  })
  const [path] = url.split('?')
  if (path === '/boom') throw new Error('secret of the renderer')
  if (path === '/orders' && !me) return { status: 302, redirect: '/login?redirect=%2Forders', html: '' }
  if (path === '/away') return { status: 302, redirect: '//evil.example/', html: '' }
  const product = /^\\/products\\/(\\d+)$/.exec(path)
  const found = product ? await call('/api/products/{id}', { params: { id: Number(product[1]) } }) : null
  // What the simulated phones show, as a page would have it.
  const spied = path === '/spy' ? await call('/api/simulator/messages').catch((error) => error.code) : null
  const known = ['/', '/about', '/faqs', '/privacy', '/terms', '/login', '/orders', '/profile', '/simulator']
  const status = known.includes(path) || found || path.startsWith('/magic-login') ? 200 : 404
  const vendors = await call('/api/vendors')
  const { area } = await call('/api/delivery-area')
  // Hook for tests: runs while the page is rendered.
  await globalThis.duringRender?.()
  const state = { url, lang, origin, renders, me: me && me.phone, product: found && found.name, spied, area: area && area.areaId, vendors: vendors.length, promised: vendors[0].promisedDate }
  const padding = 'قطرة ماء '.repeat(200)
  return { status, html: '<!doctype html><html lang="' + lang + '" dir="' + (lang === 'ar' ? 'rtl' : 'ltr') + '"><body>' +
    padding + '<script type="application/json">' + JSON.stringify(state) + '</script></body></html>' }
}
`

/** A small folder with the layout of the web build. */
export function standInWeb(): string {
  const folder = mkdtempSync(join(tmpdir(), 'qatra-web-'))
  for (const part of ['web/assets', 'web/.vite', 'web-server']) mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(join(folder, 'web-server/package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'web-server/entry-server.js'), entryServer)
  writeFileSync(join(folder, 'web/assets/app-abc123.js'), `export const words = '${'water '.repeat(500)}'`)
  writeFileSync(join(folder, 'web/assets/plex.woff2'), Buffer.alloc(2_000, 7))
  writeFileSync(join(folder, 'web/favicon.ico'), Buffer.alloc(10, 1))
  writeFileSync(join(folder, 'web/manifest.webmanifest'), '{"name":"Qatra"}')
  writeFileSync(join(folder, 'web/.vite/manifest.json'), '{}')
  return folder
}
