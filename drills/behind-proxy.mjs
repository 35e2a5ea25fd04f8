import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ready, startServer } from '../bench/lib/server-process.mjs'

/**
 * The shop behind HAProxy with its cache on. (1) Responses to a signed-in user are never served to others, while the
 * proxy caches files and visitors' pages still get 304. (2) Requests that proxy and shop could parse differently
 * smuggle no second request in. Each check also runs against a faulty set-up that must fail: a proxy that caches
 * everything, and a server that accepts whatever it can parse. `node drills/behind-proxy.mjs`
 */
const port = Number(process.env.BENCH_PORT ?? 3121)
const ports = { shop: port, proxy: port + 1, careless: port + 2, loose: port + 3 }
if (spawnSync('haproxy', ['-v']).status !== 0) {
  console.error('haproxy is not installed (on Debian: apt install haproxy)')
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'qatra-proxy-'))
const at = (one) => `http://127.0.0.1:${one}`

/** A path that the proxy blocks. Only a request hidden in the body of another one reaches it. */
const hidden = '/api/areas/987654321'
const caching = `
    http-request cache-use shelf
    http-response cache-store shelf
    http-response set-header x-cache hit if { res.cache_hit }`
writeFileSync(
  join(folder, 'haproxy.cfg'),
  `defaults
    mode http
    timeout connect 2s
    timeout client 10s
    timeout server 10s
    option forwardfor
cache shelf
    total-max-size 64
    max-object-size 1000000
    max-age 60
    process-vary on
cache careless-shelf
    total-max-size 64
    max-object-size 1000000
    max-age 60
    process-vary on
frontend shop
    bind 127.0.0.1:${ports.proxy}
    http-request deny if { path_beg ${hidden} }${caching}
    default_backend shop
frontend careless
    bind 127.0.0.1:${ports.careless}
    default_backend careless
backend shop
    server one 127.0.0.1:${ports.shop}
backend careless
    http-request del-header cache-control
    http-response set-header cache-control "public, max-age=60"
    http-response del-header vary
    http-request cache-use careless-shelf
    http-response cache-store careless-shelf
    server one 127.0.0.1:${ports.shop}
`,
)

const server = startServer({
  port: ports.shop,
  dataDir: folder,
  settings: { PUBLIC_URL: at(ports.proxy), TRUSTED_PROXIES: '127.0.0.1', SEED_DEMO: 'true' },
})
const proxy = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg'), '-db', '-q'], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
process.once('exit', () => {
  proxy.kill('SIGKILL')
  server.child.kill('SIGKILL')
})

async function signIn(phone) {
  const post = (path, body) =>
    fetch(at(ports.shop) + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/api/auth/verify/phone', { phone })
  for (let tries = 0; tries < 100; tries += 1) {
    const messages = await (
      await fetch(`${at(ports.shop)}/api/simulator/messages?phone=${encodeURIComponent(phone)}`)
    ).json()
    const code = /^\d{4}/.exec(messages[0]?.body ?? '')?.[0]
    if (code) {
      const answer = await post('/api/auth/verify/otp', { phone, code })
      const sid = answer.headers.getSetCookie().find((one) => /sid=u\./.test(one))
      if (sid) return sid.split(';')[0]
    }
    await sleep(50)
  }
  throw new Error(`Nobody signed in as ${phone}`)
}

const personal = ['/api/auth/me', '/api/auth/orders', '/api/cart', '/api/auth/export', '/orders', '/profile', '/']
const common = ['/api/vendors', '/api/products', '/api/vendors/1', '/api/products/1']

async function shown(address, path, cookie) {
  const answer = await fetch(address + path, { headers: cookie ? { cookie } : {}, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Visits pages as one person, signs out, and requests the same addresses as a visitor and as another person. */
async function leaks(address, phone, other) {
  const cookie = await signIn(phone)
  const otherCookie = await signIn(other)
  const me = JSON.parse((await shown(at(ports.shop), '/api/auth/me', cookie)).text)
  const marks = [me.phone, me.phone.slice(4), me.name, me.address].filter(Boolean)
  const holds = (text) => marks.some((mark) => text.includes(mark))
  let seen = 0
  let stored = 0
  for (let times = 0; times < 3; times += 1) {
    for (const path of [...personal, ...common]) {
      const { text, headers } = await shown(address, path, cookie)
      if (holds(text)) seen += 1
      if (address === at(ports.proxy) && headers.get('cache-control') !== 'no-store') stored += 1
    }
  }
  await fetch(`${address}/api/auth/logout`, { method: 'POST', headers: { cookie, origin: at(ports.proxy) } })
  const found = []
  for (const [who, sent] of [
    ['nobody', null],
    ['the old cookie', cookie],
    ['somebody else', otherCookie],
  ]) {
    for (const path of personal) {
      const { text } = await shown(address, path, sent)
      if (holds(text)) found.push(`${path} to ${who}`)
    }
  }
  return { seen, stored, found }
}

async function keptForVisitors(address) {
  const home = await shown(address, '/')
  const asset = /\/assets\/[\w-]+\.js/.exec(home.text)?.[0]
  if (!asset) throw new Error('The home page names no script')
  await shown(address, asset)
  const again = await shown(address, asset)
  let unchanged = 0
  for (const path of ['/', '/about', ...common.slice(0, 2)]) {
    const { headers } = await shown(address, path)
    const answer = await fetch(address + path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    if (answer.status === 304) unchanged += 1
  }
  return { fileFromProxy: again.headers.get('x-cache') === 'hit', unchanged }
}

// ── Request smuggling ──

const inside = `GET ${hidden} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (lines, body) => `POST /api/cart/add HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n${body}`
const chunked = `0\r\n\r\n${inside}`
const smuggling = [
  post([`Content-Length: 6`, 'Transfer-Encoding: chunked'], chunked),
  post(['Transfer-Encoding: chunked', `Content-Length: ${chunked.length}`], chunked),
  post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding: xchunked'], chunked),
  post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding : chunked'], chunked),
  post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding:\tchunked'], chunked),
  post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding: chunked', 'Transfer-Encoding: x'], chunked),
  post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding:\n chunked'], chunked),
  post([`Content-Length: ${chunked.length}`, 'X: y\rTransfer-Encoding: chunked'], chunked),
  post([`Content-Length: ${chunked.length}`, 'X: y\nTransfer-Encoding: chunked'], chunked),
  post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding: identity, chunked'], chunked),
  post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding: "chunked"'], chunked),
  post([`Content-Length: ${chunked.length}`, 'Transfer_Encoding: chunked'], chunked),
  post(['Content-Length: 0', `Content-Length: ${inside.length}`], inside),
  post([`Content-Length: 0, ${inside.length}`], inside),
  post([`Content-Length: +${inside.length}`], inside),
  post([`Content-Length: 0x${inside.length.toString(16)}`], inside),
  post([`Content-Length: ${inside.length}\u000b`], inside),
  post(['Content-Length: -1'], inside),
  post(['Transfer-Encoding: chunked'], `${inside.length.toString(16)};\n\r\n${inside}\r\n0\r\n\r\n`),
  post(['Transfer-Encoding: chunked'], `0\n\r\n${inside}`),
  post(['Transfer-Encoding: chunked'], `1\r\nA${inside.length.toString(16)}\r\n${inside}\r\n0\r\n\r\n`),
  post(['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n\r\n${inside}`),
  `GET /api/vendors HTTP/1.1\r\nHost: x\r\nContent-Length: ${inside.length}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
  `GET /api/vendors HTTP/1.1\r\nHost: x\r\nConnection: Content-Length\r\nContent-Length: ${inside.length}\r\n\r\n${inside}`,
  `GET /api/vendors HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAAA\r\nContent-Length: ${inside.length}\r\n\r\n${inside}`,
  `GET /api/vendors\r\n${inside}`,
  `GET /api/vendors HTTP/1.1\r\nHost: x\r\nX: y\u0000z\r\nContent-Length: ${inside.length}\r\n\r\n${inside}`,
]

const exchange = (one, bytes) =>
  new Promise((resolve) => {
    const socket = connect(one, '127.0.0.1')
    let text = ''
    const done = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(400, done)
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', done)
    socket.on('close', done)
    socket.end(bytes, 'latin1')
  })

let looseReached = 0
const loose = createServer({ insecureHTTPParser: true }, (request, response) => {
  if (request.url === hidden) looseReached += 1
  request.resume()
  request.on('end', () => response.end('ok'))
})
loose.on('clientError', (_, socket) => socket.destroy())
loose.listen(ports.loose, '127.0.0.1')

/** Number of requests for the address inside the bodies, from the shop's metrics. */
async function reached() {
  const text = await (await fetch(`${at(ports.shop)}/metrics`)).text()
  const counts = [
    ...text.matchAll(/^qatra_http_request_duration_seconds_count\{[^}]*route="\/api\/areas\/:id"[^}]*\} (\d+)/gm),
  ]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

const injecting = [
  '/about?lang=en%0d%0aset-cookie:%20a=injected',
  '/admin/%0d%0aset-cookie:%20a=injected',
  '/login?redirect=%0d%0aset-cookie:%20a=injected',
  '/magic-login/%0d%0aset-cookie:%20a=injected?redirectUrl=/%0d%0aset-cookie:a=injected',
  '/api/orders/%0d%0aset-cookie:%20a=injected',
  '/checkout/success/x%0aset-cookie:a=injected',
]

let code = 1
try {
  await ready(at(ports.shop))
  await sleep(300)
  const good = await leaks(at(ports.proxy), '+97336000006', '+97336000012')
  const kept = await keptForVisitors(at(ports.proxy))
  const bad = await leaks(at(ports.careless), '+97336000006', '+97336000012')

  const before = await reached()
  for (const bytes of smuggling) {
    await exchange(ports.shop, bytes)
    await exchange(ports.proxy, bytes)
  }
  const smuggled = (await reached()) - before
  for (const bytes of smuggling) await exchange(ports.loose, bytes)
  // Control: the same request sent alone is counted.
  await exchange(ports.shop, inside)
  const counted = (await reached()) - before - smuggled

  let injected = 0
  for (const one of [ports.shop, ports.proxy]) {
    for (const path of injecting) {
      const [head] = (await exchange(one, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).split(
        '\r\n\r\n',
      )
      if (/^(?:set-cookie|a):? ?.*injected/im.test(head)) injected += 1
    }
  }

  const figures = {
    cache: { shown: good.seen, storable: good.stored, leaks: good.found.length, ...kept, careless: bad.found.length },
    smuggling: { requests: smuggling.length * 2, smuggled, counted, looseServer: looseReached },
    injection: { requests: injecting.length * 2, injected },
  }
  const isReached =
    good.seen > 0 &&
    good.stored === 0 &&
    good.found.length === 0 &&
    kept.fileFromProxy &&
    kept.unchanged === 4 &&
    bad.found.length > 0 &&
    smuggled === 0 &&
    counted === 1 &&
    looseReached > 0 &&
    injected === 0
  if (good.found.length > 0) console.error(good.found.join('\n'))
  console.log(JSON.stringify({ bench: 'behind-proxy', ...figures, isReached }))
  code = isReached ? 0 : 1
} finally {
  loose.closeAllConnections()
  loose.close()
  proxy.kill('SIGTERM')
  server.child.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
}
process.exit(code)
