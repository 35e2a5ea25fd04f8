import type { TestShop } from '../app.ts'
import { everything, type Row, unknown } from './row.ts'

let made = 0
async function campaignIn(shop: TestShop, status = 'draft') {
  const [row] = await shop.query<{ id: string }>(
    `with c as (insert into template_campaigns (name, template_name, language, status, consent_source, consent_at)
       values ('Matrix', 'water_reminder', 'en', $1, 'Matrix', now()) returning id),
     s as (insert into template_sends (campaign_id, recipient_phone) select id, $2 from c)
     select id from c`,
    [status, `+97339${String(700_000 + (made += 1))}`],
  )
  return { id: row?.id ?? '' }
}
const NO_CAMPAIGN = '00000000-0000-4000-8000-000000000000'
const about = (status?: string, body?: unknown): Row[] => [
  { name: 'known', status: 200, send: async (shop) => ({ params: await campaignIn(shop, status), body }) },
  unknown({ id: NO_CAMPAIGN }, body),
]
const draft = () => ({
  templateName: 'water_reminder',
  language: 'en',
  recipients: [{ phone: `+97339${String(700_000 + (made += 1))}` }],
})

const settling = { body: { sendIds: [1], status: 'sent' } }

const BASE = '/api/admin/whatsapp'
const writtenTemplate = {
  name: 'offer',
  language: 'en',
  category: 'MARKETING',
  header: '',
  headerSample: '',
  body: '',
  samples: [],
  footer: '',
  buttons: [],
}

/** A template that waits for the provider's review, which can be neither edited nor deleted. */
const inReview = (body?: unknown): Row => ({
  name: 'in review',
  status: 409,
  send: async (shop) => {
    const [row] = await shop.query<{ id: number }>(
      `insert into whatsapp_templates (name, language, category, status, components)
       values ($1, 'en', 'MARKETING', 'PENDING', '[]') returning id`,
      [`matrix_${String((made += 1))}`],
    )
    return { params: { id: row?.id ?? 0 }, body }
  },
})

export const campaignRows: Readonly<Record<string, Row[]>> = {
  [`GET ${BASE}/templates`]: [everything()],
  [`POST ${BASE}/templates`]: [{ name: 'against a rule', status: 422, send: () => ({ body: writtenTemplate }) }],
  [`PUT ${BASE}/templates/{id}`]: [inReview(writtenTemplate), unknown(undefined, writtenTemplate)],
  [`DELETE ${BASE}/templates/{id}`]: [inReview(), unknown()],
  // Files are uploaded as a form; templates.test.ts and results.test.ts of the campaigns test that.
  [`POST ${BASE}/templates/sample`]: [{ name: 'no form', status: 415, send: () => ({ body: {} }) }],
  [`POST ${BASE}/templates/files`]: [{ name: 'no form', status: 415, send: () => ({ body: {} }) }],
  [`POST ${BASE}/templates/sync`]: [{ name: 'of the simulator', status: 200 }],
  [`GET ${BASE}/campaigns`]: [everything()],
  [`POST ${BASE}/campaigns`]: [{ name: 'new', status: 200, send: () => ({ body: { name: 'New', ...draft() } }) }],
  [`POST ${BASE}/campaigns/preview`]: [{ name: 'any', status: 200, send: () => ({ body: draft() }) }],
  [`POST ${BASE}/campaigns/test`]: [
    { name: 'any', status: 200, send: () => ({ body: { templateName: 'water_reminder', language: 'en' } }) },
  ],
  [`GET ${BASE}/campaigns/{id}`]: about(),
  [`GET ${BASE}/campaigns/{id}/results`]: about(),
  [`POST ${BASE}/campaigns/{id}/duplicate`]: about('completed', { name: 'Again' }),
  [`PATCH ${BASE}/campaigns/{id}`]: about('draft', { name: 'Other' }),
  [`DELETE ${BASE}/campaigns/{id}`]: about(),
  [`POST ${BASE}/campaigns/{id}/start`]: about(),
  [`POST ${BASE}/campaigns/{id}/pause`]: about('running'),
  [`POST ${BASE}/campaigns/{id}/resume`]: about('paused'),
  [`POST ${BASE}/campaigns/{id}/cancel`]: about('draft'),
  [`POST ${BASE}/campaigns/{id}/settle`]: [
    {
      name: 'nobody of them unknown',
      status: 409,
      send: async (shop) => ({ params: await campaignIn(shop), ...settling }),
    },
    unknown({ id: NO_CAMPAIGN }, settling.body),
  ],
  [`GET ${BASE}/campaigns/{id}/sends`]: about(),
  [`GET ${BASE}/campaigns/{id}/sends.csv`]: about(),
}
