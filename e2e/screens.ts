import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium as browserType } from '@playwright/test'
import type { Lang } from '@qatra/contract/lib/lang'
import { chromium, folder, plain, root } from './settings.ts'
import { shopOn } from './shop/pages.ts'
import { customerStates, visitorStates } from './shop/states.ts'
import { wordsIn } from './shop/words.ts'

/** npm run screens [-- folder [state …]]: pictures of every screen and main state, to be looked at. */
const [target = 'test-results/screens', ...wanted] = process.argv.slice(2)
const into = resolve(root, target)
mkdirSync(into, { recursive: true })

const looks = [
  { name: '360', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, colorScheme: 'light' as const },
  {
    name: '768',
    viewport: { width: 768, height: 1024 },
    isMobile: false,
    hasTouch: true,
    colorScheme: 'light' as const,
  },
  {
    name: '1280',
    viewport: { width: 1280, height: 900 },
    isMobile: false,
    hasTouch: false,
    colorScheme: 'light' as const,
  },
  {
    name: '360-dark',
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    colorScheme: 'dark' as const,
  },
  {
    name: '1280-dark',
    viewport: { width: 1280, height: 900 },
    isMobile: false,
    hasTouch: false,
    colorScheme: 'dark' as const,
  },
]
const states = Object.entries({ ...visitorStates, ...customerStates }).filter(
  ([name]) => wanted.length === 0 || wanted.includes(name),
)

async function startServer() {
  const server = spawn(process.execPath, ['build/server/main.js'], {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(plain.port),
      PUBLIC_URL: plain.origin,
      DATA_DIR: plain.dataDir,
      DATABASE_URL: '',
      RATE_LIMITS: 'off',
    },
  })
  const isReady = () =>
    fetch(`${plain.origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; tries < 120 && !(await isReady()); tries += 1) await sleep(500)
  return async () => {
    const ended = new Promise((done) => server.once('exit', done))
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function shoot(browser: Browser, look: (typeof looks)[number], lang: Lang) {
  const { name: size, ...options } = look
  for (const [state, reach] of states) {
    const context = await browser.newContext({ ...options, baseURL: plain.origin, reducedMotion: 'reduce' })
    await context.addCookies([{ name: 'lang', value: lang, url: plain.origin }])
    const page = await context.newPage()
    const t = wordsIn(lang)
    const shop = shopOn({ page, lang, t, isPhone: options.viewport.width < 600 })
    const file = join(into, `${state}-${lang}-${size}.png`)
    try {
      await reach({ page, shop, t })
      await page.evaluate(() => document.fonts.ready)
      await sleep(300)
      // What floats covers the middle of a long picture: such states are taken as they are seen.
      const isFloating = /cart|dialog|menu|toast|partial|checkout/.test(state)
      await page.screenshot({ path: file, fullPage: !isFloating, animations: 'disabled' })
    } catch (error) {
      console.error(`${state} in ${lang} at ${size}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
      process.exitCode = 1
    }
    await context.close()
  }
}

const stop = await startServer()
const browser = await browserType.launch(chromium)
try {
  for (const look of looks) await Promise.all((['ar', 'en'] as const).map((lang) => shoot(browser, look, lang)))
  console.log(`${states.length} states in 2 languages at ${looks.map(({ name }) => name).join(', ')}: ${into}`)
} finally {
  await browser.close()
  await stop()
}
