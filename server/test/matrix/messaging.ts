import type { TestShop } from '../app.ts'
import { everything, type Row, unknown } from './row.ts'

let events = 0
const eventIn = async (shop: TestShop) => {
  const [row] = await shop.query<{ id: number }>(
    `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload) values ($1, 'unknown', '{}') returning id`,
    [`matrix:${(events += 1)}`],
  )
  return { params: { id: row?.id ?? 0 } }
}

let phones = 0

export const messagingRows: Readonly<Record<string, Row[]>> = {
  'POST /api/auth/verify/message': [
    { name: 'always', status: 200, send: () => ({ body: { phone: `+97338${String(100_000 + (phones += 1))}` } }) },
  ],
  'POST /api/auth/verify/message/done': [
    { name: 'unknown', status: 422, send: () => ({ body: { secret: 'a-secret-of-no-login-at-all-x' } }) },
  ],
  'GET /api/admin/telegram': [everything()],
  'POST /api/admin/telegram/link': [everything()],
  'DELETE /api/admin/telegram/link': [everything()],
  'GET /api/admin/whatsapp/account': [everything()],
  'GET /api/admin/whatsapp/webhooks': [everything()],
  'POST /api/admin/whatsapp/webhooks/{id}/replay': [{ name: 'known', status: 200, send: eventIn }, unknown()],
}
