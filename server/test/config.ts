import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../config/config.ts'

/** Configuration of an application under test, with a data folder of its own. */
export const testConfig = (): Config =>
  readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'qatra-test-')),
    RATE_LIMITS: 'off',
    // Each connection costs as much as a hundred statements: PostgreSQL starts a process that knows no table yet. Tests
    // that prove races or hold connections themselves ask for more.
    DATABASE_POOL_SIZE: '4',
    SEED_DEMO: 'true',
    BOT_GATHER_SECONDS: '0',
  })
