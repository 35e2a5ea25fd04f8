import { everything, type Row } from './row.ts'

const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') }
let devices = 0
const subscription = () => ({
  endpoint: `https://updates.push.services.mozilla.com/wpush/v2/${(devices += 1)}`,
  keys,
})

export const pushRows: Readonly<Record<string, Row[]>> = {
  'GET /api/push/subscriptions': [everything('of this device')],
  'POST /api/push/subscriptions': [{ name: 'of this device', status: 204, send: () => ({ body: subscription() }) }],
  'DELETE /api/push/subscriptions': [{ name: 'of this device', status: 204 }],
  'POST /api/push/receipts': [{ name: 'of nobody', status: 204, send: () => ({ body: { id: 2_000_000_000 } }) }],
}
