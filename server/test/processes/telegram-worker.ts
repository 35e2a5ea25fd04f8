import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config/config.ts'

/** A shop in a separate process that tests kill. Arguments: database, folder, Telegram URL and bot token. */
const [databaseUrl = '', folder = '', apiUrl = '', token = ''] = process.argv.slice(2)
const config = {
  ...readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    RATE_LIMITS: 'off',
    SEED_DEMO: 'true',
    DATA_DIR: folder,
  }),
  telegram: { token, apiUrl, groupId: null, webhookSecret: null, isSimulated: false },
}
const shop = await buildApp({ config, databaseUrl, log: pino({ level: 'silent' }), print: () => {} })
await shop.start()
