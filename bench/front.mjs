import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { FIRST_VISIT_BYTES } from '../web/vite/first-visit.ts'

/**
 * The shop on a small phone: transferred bytes, paint times and response times of the first visit, and Lighthouse scores.
 * 360 px, four times slower CPU, 1.6 Mbit/s, 150 ms. `node bench/front.mjs [runs] [--no-lighthouse]`
 */
const runs = Number(process.argv[2] ?? 3)
const withLighthouse = !process.argv.includes('--no-lighthouse')
const port = Number(process.env.BENCH_PORT ?? 4340)
const debugPort = port + 1
const root = join(import.meta.dirname, '..')
const origin = `http://localhost:${port}`
const budgets = {
  'HTML KB': 30,
  'JS KB': FIRST_VISIT_BYTES / 1000,
  'CSS KB': 15,
  'fonts KB': 60,
  'LCP s': 2,
  'INP ms': 100,
  CLS: 0.05,
}

const phone = { width: 360, height: 740 }
const throttled = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, offline: false }
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

const folder = mkdtempSync(join(tmpdir(), 'qatra-front-'))
const shop = spawn(join(root, 'node_modules/.bin/node'), [join(root, 'build/server/main.js')], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    RATE_LIMITS: 'off',
    SEED_DEMO: 'true',
    LOG_LEVEL: 'error',
  },
})
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${debugPort}`],
})

async function answering() {
  for (let tries = 0; tries < 600; tries += 1) {
    if (shop.exitCode !== null) throw new Error(`The server ended with ${shop.exitCode}; is it built?`)
    const answer = await fetch(`${origin}/`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The shop does not answer')
}

/** Collects the browser's performance entries from the start of the page. */
function watch() {
  window.seen = { lcp: 0, cls: 0, inp: 0 }
  const on = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options })
  on('largest-contentful-paint', ({ startTime }) => {
    window.seen.lcp = startTime
  })
  on('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.seen.cls += value
  })
  on(
    'event',
    ({ interactionId, duration }) => {
      if (interactionId) window.seen.inp = Math.max(window.seen.inp, duration)
    },
    { durationThreshold: 16 },
  )
}

/** Transferred sizes: compressed, without headers. */
function transferred() {
  const kindOf = (name) =>
    name.endsWith('.js') ? 'JS' : name.endsWith('.css') ? 'CSS' : name.endsWith('.woff2') ? 'fonts' : 'other'
  const bytes = { HTML: 0, JS: 0, CSS: 0, fonts: 0, other: 0 }
  const files = { JS: 0 }
  for (const { name, encodedBodySize } of performance.getEntriesByType('resource')) {
    const kind = kindOf(new URL(name).pathname)
    bytes[kind] += encodedBodySize
    if (kind === 'JS') files.JS += 1
  }
  bytes.HTML = performance.getEntriesByType('navigation')[0].encodedBodySize
  return { bytes, files, seen: window.seen }
}

async function visit(path, isSlow) {
  const context = await browser.newContext({
    viewport: phone,
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'ar-BH',
  })
  const page = await context.newPage()
  const failures = []
  page.on('pageerror', (error) => failures.push(String(error)))
  if (isSlow) {
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', throttled)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  }
  await page.addInitScript(watch)
  await page.goto(origin + path, { waitUntil: 'networkidle' })
  // Waits for the splash and for hydration.
  await page.waitForTimeout(1500)
  return {
    page,
    async end() {
      await context.close()
      if (failures.length > 0) throw new Error(failures.join('\n'))
    },
  }
}

/** Adds a product, sets it to three, adds another, opens and closes the cart; returns the slowest interaction. */
async function fillTheCart(page) {
  const cards = page.locator('article')
  for (const at of [0, 0, 0, 1]) {
    await cards.nth(at).getByRole('button').last().tap()
    await page.waitForTimeout(700)
  }
  for (const button of ['aside [aria-haspopup="dialog"]', 'dialog[open] button']) {
    await page.locator(button).first().tap()
    await page.waitForTimeout(900)
  }
}

async function firstVisit() {
  const { page, end } = await visit('/', true)
  const first = await page.evaluate(transferred)
  await fillTheCart(page)
  const { seen } = await page.evaluate(transferred)
  await end()
  const kb = (bytes) => Number((bytes / 1000).toFixed(1))
  return {
    'HTML KB': kb(first.bytes.HTML),
    'JS KB': kb(first.bytes.JS),
    'JS files': first.files.JS,
    'CSS KB': kb(first.bytes.CSS),
    'fonts KB': kb(first.bytes.fonts),
    'other KB': kb(first.bytes.other),
    'LCP s': Number((first.seen.lcp / 1000).toFixed(2)),
    'INP ms': seen.inp,
    CLS: Number(seen.cls.toFixed(4)),
  }
}

async function scoresOf(path, lang) {
  const result = await lighthouse(
    `${origin}${path}?lang=${lang}`,
    { port: debugPort, output: 'json', logLevel: 'error' },
    {
      extends: 'lighthouse:default',
      settings: {
        formFactor: 'mobile',
        screenEmulation: { mobile: true, ...phone, deviceScaleFactor: 2, disabled: false },
        onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
      },
    },
  )
  const { categories, audits } = result.lhr
  const failed = Object.values(categories)
    .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
    .map(({ id }) => audits[id])
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, displayValue }) => `${id}${displayValue ? ` ${displayValue}` : ''}`)
  const scores = Object.values(categories).map(({ id, score }) => [id, Math.round(score * 100)])
  return { page: `${path} ${lang}`, ...Object.fromEntries(scores), 'below 0.9': failed.join(', ') }
}

try {
  await answering()
  // The first visit fills the server's caches and is not measured.
  await (await visit('/', false)).end()
  const visits = []
  for (let run = 0; run < runs; run += 1) visits.push(await firstVisit())
  const figures = Object.fromEntries(Object.keys(visits[0]).map((key) => [key, median(visits.map((one) => one[key]))]))
  const verdicts = Object.fromEntries(Object.entries(budgets).map(([key, most]) => [key, figures[key] <= most]))
  console.table(
    Object.entries(figures).map(([what, median]) => ({
      what,
      median,
      budget: budgets[what] ?? '',
      ok: verdicts[what] ?? '',
    })),
  )
  const scores = []
  if (withLighthouse) {
    for (const path of ['/', '/products/1', '/login', '/about']) {
      for (const lang of ['ar', 'en']) scores.push(await scoresOf(path, lang))
    }
    console.table(scores)
    const kinds = ['performance', 'accessibility', 'best-practices', 'seo']
    verdicts.lighthouse = scores.every((one) => kinds.every((kind) => one[kind] >= 95))
  }
  console.log(JSON.stringify({ bench: 'front', runs, figures, verdicts, visits, lighthouse: scores }))
  process.exitCode = Object.values(verdicts).every(Boolean) ? 0 : 1
} finally {
  await browser.close()
  const ended = new Promise((resolve) => (shop.exitCode === null ? shop.once('exit', resolve) : resolve()))
  shop.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}
