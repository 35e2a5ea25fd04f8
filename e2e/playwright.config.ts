import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { EngineOptions } from './engines/test.ts'
import { analyticsIds, chromium, measured, outsideSettings, plain, root, type Server } from './settings.ts'
import type { ShopOptions } from './shop/test.ts'

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 }
const desktop = { viewport: { width: 1280, height: 900 } }
/** The English projects run with animations, the Arabic ones, which have most of the journeys, without. */
const still = { contextOptions: { reducedMotion: 'reduce' as const } }
/**
 * Tags say where a journey runs. Without a tag: on the Arabic phone. `@desk` (admin): on the Arabic desktop instead.
 * A second run only where words or layout are what may break (decision 0012): `@english` on the English phone, `@wide` on
 * the English desktop, `@desktop` on both desktops. `@drill`: only with DRILLS=on (npm run drills).
 * `npm test` runs those with `@core`, money, sign-in and the day of each role, and `@both` of them in English too;
 * `npm run test:full` runs all, in three engines.
 */
const isFull = process.env['FULL'] === 'on'
const core = isFull ? '' : '(?=.*@core)'
const tagged = (tags: string, both = '') => new RegExp(`${core}${isFull ? '' : both}(?=.*(?:${tags}))`)
/** A project's own filter replaces the common one, so each names the drills too. */
const drills = process.env['DRILLS'] === 'on' ? [] : [/@drill/]
/** The other engines start their own browsers. */
const engines = '**/engines/*.test.ts'

const serve = ({ port, origin, dataDir }: Server, more: Record<string, string> = {}) => ({
  command: `"${join(root, 'node_modules/.bin/node')}" build/server/main.js`,
  cwd: root,
  url: `${origin}/readyz`,
  timeout: 180_000,
  gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
  env: {
    PORT: String(port),
    PUBLIC_URL: origin,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    SEED_DEMO: 'true',
    RATE_LIMITS: 'off',
    BOT_GATHER_SECONDS: '0.3',
    LOG_LEVEL: 'warn',
    // Neither server nor browser is in the zone of the shop.
    TZ: 'Pacific/Auckland',
    ...more,
  },
})

export default defineConfig<ShopOptions & EngineOptions>({
  testDir: '.',
  outputDir: join(root, 'test-results/browser'),
  fullyParallel: true,
  // Half of a journey is waiting.
  workers: 4,
  retries: 0,
  forbidOnly: true,
  // Limits only end what hangs: a machine may be several times slower than usual.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  globalTeardown: './teardown.ts',
  webServer: [serve(plain), serve(measured, { ...analyticsIds, ...outsideSettings })],
  use: {
    baseURL: plain.origin,
    launchOptions: chromium,
    // A worker would answer navigations past the routes of a test; offline.test.ts and run.test.ts allow it.
    serviceWorkers: 'block',
    timezoneId: 'America/New_York',
    actionTimeout: 60_000,
    navigationTimeout: 90_000,
    // Recording costs a third of the processor time: TRACE=on records what fails.
    trace: process.env['TRACE'] === 'on' ? 'retain-on-failure' : 'off',
  },
  projects: [
    {
      name: 'ar-phone',
      testIgnore: engines,
      grep: tagged(''),
      grepInvert: [/@desk/, ...drills],
      use: { ...phone, ...still, lang: 'ar', locale: 'ar-BH' },
    },
    {
      name: 'en-phone',
      testIgnore: engines,
      grep: tagged('@english', '(?=.*@both)'),
      grepInvert: drills,
      use: { ...phone, lang: 'en', locale: 'en-GB' },
    },
    {
      name: 'ar-desktop',
      testIgnore: engines,
      grep: tagged('@desk'),
      grepInvert: drills,
      use: { ...desktop, ...still, lang: 'ar', locale: 'ar-BH' },
    },
    {
      name: 'en-desktop',
      testIgnore: engines,
      grep: tagged('@wide|@desktop', '(?=.*@both)'),
      grepInvert: drills,
      use: { ...desktop, lang: 'en', locale: 'en-GB' },
    },
    ...(isFull
      ? [
          { name: 'firefox', testMatch: engines, use: { engineName: 'firefox' as const } },
          { name: 'webkitgtk', testMatch: engines, use: { engineName: 'webkitgtk' as const } },
        ]
      : []),
  ],
})
