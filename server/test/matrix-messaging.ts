import type { TestShop } from './app.ts'
import type { Row } from './matrix-row.ts'

let events = 0
const eventIn = async (shop: TestShop) => {
  const [row] = await shop.query<{ id: number }>(
    `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload) values ($1, 'unknown', '{}') returning id`,
    [`matrix:${(events += 1)}`],
  )
  return { params: { id: row?.id ?? 0 } }
}

export const messagingRows: Readonly<Record<string, Row[]>> = {
  'GET /api/admin/whatsapp/webhooks': [{ name: 'all', status: 200 }],
  'POST /api/admin/whatsapp/webhooks/{id}/replay': [
    { name: 'known', status: 200, send: eventIn },
    { name: 'unknown', status: 404, send: () => ({ params: { id: 2_000_000_000 } }) },
  ],
}
