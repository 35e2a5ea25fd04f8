import { defineConfig } from 'vitest/config'

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
      'server/seed/seed.test.ts',
      'server/test/system/zone.test.ts',
    ],
    isolate: false,
    setupFiles: ['server/test/stop-shops.ts'],
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

/** Ends what hangs; a machine may be several times slower than usual. */
const LIMIT_MS = 300_000

export default defineConfig({
  test: {
    // Another zone may be set from outside to prove that none is assumed: TZ=Pacific/Auckland npm test
    env: { NODE_ENV: 'test', TZ: process.env['TZ'] ?? 'UTC' },
    maxWorkers,
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: 120_000 } },
    globalSetup: ['server/test/global-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['server/**/*.test.ts'],
          // Loading the application takes longer than most files' tests: files of one worker share its modules.
          isolate: false,
          setupFiles: ['server/test/stop-shops.ts'],
        },
      },
      ...elsewhere,
      {
        extends: true,
        test: { name: 'contract', environment: 'node', include: ['contract/**/*.test.ts'], isolate: false },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['web/**/*.test.{ts,tsx}'],
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
        test: { name: 'scripts', environment: 'node', include: ['scripts/**/*.test.mjs'] },
      },
    ],
  },
})
