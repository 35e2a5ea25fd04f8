import type { Row } from './matrix-row.ts'

const BASE = '/api/admin/whatsapp'

export const campaignRows: Readonly<Record<string, Row[]>> = {
  [`GET ${BASE}/templates`]: [{ name: 'all', status: 200 }],
  [`POST ${BASE}/templates/sync`]: [{ name: 'of the simulator', status: 200 }],
}
