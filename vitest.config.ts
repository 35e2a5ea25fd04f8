import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const setup = 'server/test/global-setup.ts'

export default defineConfig({
  test: {
    // Another zone may be set from outside to prove that none is assumed: TZ=Pacific/Auckland npm test
    env: { NODE_ENV: 'test', TZ: process.env['TZ'] ?? 'UTC' },
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['contract/**/*.test.ts', 'server/**/*.test.ts'],
          globalSetup: existsSync(setup) ? [setup] : [],
        },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['web/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: { name: 'scripts', environment: 'node', include: ['scripts/**/*.test.mjs'], testTimeout: 120_000 },
      },
    ],
  },
})
