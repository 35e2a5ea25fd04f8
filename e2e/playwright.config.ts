import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { EngineOptions } from './engines/test.ts'
import { analyticsIds, chromium, measured, outsideSettings, plain, root, type Server } from './settings.ts'
import type { ShopOptions } from './shop/test.ts'

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 }
const desktop = { viewport: { width: 1280, height: 900 } }
/** Journeys whose pages differ between a phone and a wide screen say so; the others run on the phone alone. */
const wide = /@wide/
/** What shows no words is looked at in one language. */
const once = /@once/
/** The other engines start their own browsers. */
const engines = '**/engines/*.test.ts'
/** English is audited on phones, wide screens in Arabic: the fourth shows nothing new. */
const audits = /WCAG 2\.2 AA/

const serve = ({ port, origin, dataDir }: Server, more: Record<string, string> = {}) => ({
  command: `"${join(root, 'node_modules/node/bin/node')}" build/server/main.js`,
  cwd: root,
  url: `${origin}/readyz`,
  timeout: 60_000,
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
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  globalTeardown: './teardown.ts',
  webServer: [serve(plain), serve(measured, { ...analyticsIds, ...outsideSettings })],
  use: {
    baseURL: plain.origin,
    channel: 'chromium',
    launchOptions: chromium,
    timezoneId: 'America/New_York',
    actionTimeout: 10_000,
    navigationTimeout: 20_000,
    trace: 'retain-on-failure',
  },
  projects: [
    { name: 'ar-phone', testIgnore: engines, use: { ...phone, lang: 'ar', locale: 'ar-BH' } },
    { name: 'en-phone', testIgnore: engines, grepInvert: once, use: { ...phone, lang: 'en', locale: 'en-GB' } },
    { name: 'ar-desktop', testIgnore: engines, grep: wide, use: { ...desktop, lang: 'ar', locale: 'ar-BH' } },
    {
      name: 'en-desktop',
      testIgnore: engines,
      grep: wide,
      grepInvert: audits,
      use: { ...desktop, lang: 'en', locale: 'en-GB' },
    },
    { name: 'firefox', testMatch: engines, use: { engineName: 'firefox' } },
    { name: 'webkitgtk', testMatch: engines, use: { engineName: 'webkitgtk' } },
  ],
})
