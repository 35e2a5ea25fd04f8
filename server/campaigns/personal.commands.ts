import { desc, eq, sql } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { eraseSendsTo } from './receipts.commands.ts'
import { templateCampaigns, templateSends } from './tables.ts'

export const campaignPersonalData: PersonalData = {
  tables: {
    template_sends: {
      exported: 'campaignSends',
      erased: 'phone, values, contact and words of errors taken out; the figures of the campaign stay',
    },
    template_campaigns: { exported: 'campaignsTakenOut', erased: 'deleted from the list of people taken out' },
  },
  async export({ db }, { phone, maxRows }) {
    const {
      variables,
      language: sentLanguage,
      status,
      sentAt,
      deliveredAt,
      readAt,
      clickedAt,
      createdAt,
    } = templateSends
    const { id, templateName, language, takenOut } = templateCampaigns
    return {
      campaignSends: await db
        .select({
          templateName,
          language,
          sentLanguage,
          variables,
          status,
          sentAt,
          deliveredAt,
          readAt,
          clickedAt,
          createdAt,
        })
        .from(templateSends)
        .innerJoin(templateCampaigns, eq(templateCampaigns.id, templateSends.campaignId))
        .where(eq(templateSends.recipientPhone, phone))
        .orderBy(desc(templateSends.id))
        .limit(maxRows),
      campaignsTakenOut: await db
        .select({
          campaignId: id,
          templateName,
          own: sql`jsonb_path_query_array(${takenOut}, '$[*] ? (@.phone == $phone)', ${JSON.stringify({ phone })}::jsonb)`,
        })
        .from(templateCampaigns)
        .where(sql`${takenOut} @> ${JSON.stringify([{ phone }])}::jsonb`)
        .limit(maxRows),
    }
  },
  erase: (ctx, { phone }) => eraseSendsTo(ctx, phone),
}
