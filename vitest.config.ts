import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'

/** Everything: npm run test:full, or a file that is named. Otherwise samples, and without the files below. */
const isFull = process.env['FULL'] === 'on'

/** They start processes, wait for seconds or sweep what few changes touch. */
const onlyInFull = [
  'scripts/check.test.mjs',
  'server/backup/backup.test.ts',
  'server/database/embedded/embedded-database.test.ts',
  'server/database/replica*.test.ts',
  'server/device.test.ts',
  'server/http/guard/shared-budgets.test.ts',
  'server/http/monitoring/rules.test.ts',
  'server/http/server/connections.test.ts',
  'server/http/server/slow-readers.test.ts',
  'server/inbox/file-serving.test.ts',
  'server/main.test.ts',
  'server/telegram/concurrency.test.ts',
  'server/test/system/skew.test.ts',
]
const left = isFull ? [] : onlyInFull

/** What depends on days and hours, once more on machines of other places: 3 to 13 hours from Bahrain, with summer time. */
const elsewhere = ['America/New_York', 'Pacific/Auckland'].map((zone) => ({
  extends: true as const,
  test: {
    name: zone,
    environment: 'node' as const,
    env: { TZ: zone },
    include: [
      'contract/calendar/calendar.test.ts',
      'server/calendar/calendar.test.ts',
      'server/orders/orders.test.ts',
      'server/orders/checkout/checkout.test.ts',
      'server/auth/codes.test.ts',
      'demo/data/seed.test.ts',
      'server/test/system/zone.test.ts',
    ],
    isolate: false,
    setupFiles: ['server/test/each-file.ts'],
  },
}))

/** Much of a test is waiting for the database and for seconds to pass. */
const maxWorkers = 4

/** Web tests that replace `location`, build with native code or compare values of Node's realm: not for vm contexts. */
const outsideVm = [
  'web/vite/*.test.ts',
  'web/analytics/analytics.test.tsx',
  'web/app/session/admin-exit.test.ts',
  'web/app/session/impersonation.test.tsx',
  'web/app/offline/worker.test.ts',
  'web/lib/api-client.test.ts',
  'web/users/admin/invitations.test.tsx',
]

/** Ends what hangs. The full run sweeps more in one test. */
const LIMIT_MS = isFull ? 300_000 : 20_000

export default defineConfig({
  test: {
    // Another zone may be set from outside to prove that none is assumed: TZ=Pacific/Auckland npm test
    env: {
      NODE_ENV: 'test',
      TZ: process.env['TZ'] ?? 'UTC',
      SAMPLE_SEED: process.env['SAMPLE_SEED'] ?? String(randomInt(1, 1_000_000)),
    },
    maxWorkers,
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: LIMIT_MS } },
    globalSetup: ['server/test/global-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['server/**/*.test.ts', 'demo/{data,simulators}/**/*.test.ts'],
          exclude: left,
          // Loading the application takes longer than most files' tests: files of one worker share its modules.
          isolate: false,
          setupFiles: ['server/test/each-file.ts'],
        },
      },
      ...(isFull ? elsewhere : []),
      {
        extends: true,
        test: { name: 'contract', environment: 'node', include: ['contract/**/*.test.ts'], isolate: false },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['{web,demo/phones}/**/*.test.{ts,tsx}'],
          exclude: outsideVm,
          testTimeout: LIMIT_MS,
          // Loads jsdom once a worker; each file has a context of its own. Threads would share their BroadcastChannels.
          pool: 'vmForks',
          maxWorkers,
          setupFiles: ['web/test-setup.ts'],
        },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web-outside-vm',
          environment: 'jsdom',
          include: outsideVm,
          testTimeout: LIMIT_MS,
          maxWorkers,
          setupFiles: ['web/test-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'scripts', environment: 'node', include: ['scripts/**/*.test.mjs'], exclude: left },
      },
    ],
  },
})
