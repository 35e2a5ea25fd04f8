import { simulatedTemplates } from '../providers/simulator/whatsapp-cloud/templates.ts'
import type { TestShop } from './app.ts'
import type { MetaServer } from './simulators/whatsapp-cloud.ts'

/** A template of the simulator, and its id at Meta. */
export const NAME = 'water_reminder'
export const PROVIDER_ID = 594425479261596

/** Ends all campaigns, and leaves the template as the only one, approved in both languages. */
export async function emptyCampaigns(shop: TestShop): Promise<void> {
  await shop.query(`update template_campaigns set status = 'cancelled' where status in ('running', 'scheduled')`)
  await shop.query('delete from campaign_send_rate')
  await shop.query('delete from whatsapp_templates')
  const all = simulatedTemplates({ publicUrl: 'http://localhost', codeTemplate: 'login_code' })
  for (const { language, category, components } of all.filter(({ name }) => name === NAME)) {
    await shop.query(
      `insert into whatsapp_templates (provider_id, name, language, category, status, components, synced_at)
       values ($1, $2, $3, $4, 'APPROVED', $5, now())`,
      [language === 'ar' ? String(PROVIDER_ID) : null, NAME, language, category, JSON.stringify(components)],
    )
  }
}

export type Refuse = (accepted: number) => { status: number; code: number; headers?: Record<string, string> } | null

/** Counts accepted templates by phone in `sentTo`, and refuses by the number of accepted ones. */
export function countSends(meta: MetaServer, sentTo: Map<string, number>, refuse: Refuse) {
  sentTo.clear()
  let accepted = 0
  let refused = 0
  meta.decide((body) => {
    if (body['type'] !== 'template') return null
    const refusal = refuse(accepted)
    if (refusal) refused += 1
    else accepted += 1
    return refusal
  })
  meta.onTaken(({ body }) => sentTo.set(String(body['to']), (sentTo.get(String(body['to'])) ?? 0) + 1))
  return { refused: () => refused, accepted: () => accepted }
}

let drafts = 0
/** A draft to new phones, with a declaration of consent; `more` ends the query. Returns its id. */
export async function draftCampaign(shop: TestShop, people: number, more = ''): Promise<string> {
  drafts += 1
  const [row] = await shop.query<{ id: string }>(
    `with c as (insert into template_campaigns (name, template_name, language, consent_source, consent_at)
       values ('Reminder', '${NAME}', 'ar', 'Form', now()) returning id),
     s as (insert into template_sends (campaign_id, recipient_phone)
       select id, '+9733' || $2 || lpad(n::text, 5, '0') from c, generate_series(1, $1) n)
     select id from c ${more}`,
    [people, String(10 + drafts)],
  )
  return row?.id ?? ''
}
