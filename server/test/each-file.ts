import { afterAll, expect, vi } from 'vitest'
import { stopShops } from './app.ts'
import { isFull } from './sample.ts'

/** Files whose tests may take a minute instead of 20 s: they repeat races, wait for pauses of providers or fill tables. */
const slow = [
  'areas/import',
  'auth/guessing',
  'auth/sending',
  'bot/bot',
  'bot/corpus/conversation',
  'bot/dialogue/dialogue.properties',
  'bot/gathering',
  'campaigns/stopping',
  'cart/cart.model',
  'cart/cart.races',
  'customers/import/undo',
  'dashboard/dashboard',
  'drivers/settlement',
  'geocoding/gateway',
  'http/guard/rate-limiter',
  'legacy-sync/admin',
  'lib/logger',
  'order-messages/moved',
  'order-messages/push',
  'orders/admin/acts',
  'orders/checkout/tampering',
  'orders/editing/editing',
  'orders/lookup-limit',
  'orders/promise/closed-day',
  'orders/receipt/receipt',
  'orders/status/status',
  'products/bulk/broken',
  'setup/setup',
  'test/system/fuzz',
  'test/system/same-origin',
  'test/system/tenancy',
  'users/account',
  'webhooks/webhook',
  'whatsapp-device/device',
].map((file) => `/server/${file}.test.ts`)

const file = expect.getState().testPath ?? ''
if (!isFull) vi.setConfig({ testTimeout: slow.some((name) => file.endsWith(name)) ? 60_000 : 20_000 })

afterAll(stopShops)
