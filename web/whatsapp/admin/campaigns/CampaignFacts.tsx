import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import type { Audience } from '@qatra/contract/whatsapp/campaigns/audience'
import type { CampaignDetail } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../../app/names.ts'
import { read } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { languageName, TemplatePreview } from '../templates/TemplatePreview.tsx'
import { LeftOut } from './campaign-parts.tsx'

/** Template, audience, schedule and sending rate of a campaign. */
export function CampaignFacts({ campaign }: { campaign: CampaignDetail }) {
  const { t, lang } = useLanguage()
  const { data: templates = [] } = useQuery(read(listTemplates))
  const { templateName, language, quietHours, createdBy } = campaign
  const template = templates.find((one) => one.name === templateName && one.language === language)
  const at = (iso: string | null) => iso && formatDateTime(new Date(iso), lang)
  const second = templates.find((one) => one.name === templateName && one.language === campaign.secondLanguage)
  const consent =
    campaign.consent &&
    t('campaigns.fact.consentBy', {
      source: campaign.consent.source,
      name: campaign.consent.by ?? '—',
      at: formatDateTime(new Date(campaign.consent.at), lang),
    })
  return (
    <>
      <section aria-label={t('campaigns.facts')} className="grid min-w-0 content-start gap-3">
        <div className="grid grid-cols-1 items-start gap-x-12 gap-y-1 sm:grid-cols-2">
          <DescriptionList
            items={[
              [
                t('campaigns.step.template'),
                <span key="template">
                  <bdi dir="ltr">{templateName}</bdi> ·{' '}
                  {campaign.secondLanguage ? t('campaigns.languages.both') : languageName(t, language)}
                </span>,
              ],
              [t('campaigns.step.people'), <WhoIsFound key="people" audience={campaign.audience} />],
              [
                t('campaigns.links'),
                campaign.hasLinks ? (
                  <bdi key="link" dir="ltr" className="whitespace-normal">
                    {campaign.linkRedirectUrl ?? '/'}
                  </bdi>
                ) : null,
              ],
              [t('campaigns.fact.consent'), consent],
              [t('campaigns.fact.by'), createdBy?.name && <bdi key="by">{createdBy.name}</bdi>],
            ]}
          />
          <DescriptionList
            items={[
              [t('campaigns.fact.begins'), campaign.startedAt === null ? at(campaign.scheduledAt) : null],
              [t('campaigns.fact.started'), at(campaign.startedAt)],
              [t('campaigns.fact.paused'), campaign.status === 'paused' ? at(campaign.pausedAt) : null],
              [t('campaigns.fact.completed'), at(campaign.completedAt)],
              [t('campaigns.fact.cancelled'), at(campaign.cancelledAt)],
              [t('campaigns.fact.pace'), t('campaigns.fact.perSecond', { count: campaign.perSecond })],
              [
                t('campaigns.fact.quiet'),
                quietHours ? t('campaigns.fact.quietHours', quietHours) : t('campaigns.fact.noQuiet'),
              ],
            ]}
          />
        </div>
        <LeftOut exclusions={campaign.exclusions} />
      </section>
      {template && (
        <div className="grid min-w-0 content-start gap-2 desk:col-start-2 desk:row-span-2 desk:row-start-1">
          <TemplatePreview template={template} values={campaign.globalVariables ?? {}} />
          {second && <TemplatePreview template={second} values={campaign.secondVariables ?? {}} />}
        </div>
      )}
    </>
  )
}

function WhoIsFound({ audience }: { audience: Audience | null }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { data: areas = [] } = useQuery(read(listAreas))
  const { data: vendors = [] } = useQuery(read(listVendors))
  if (audience === null) return t('campaigns.source.list')
  const { areaIds = [], vendorIds = [], orderedWithinDays, notOrderedForDays, minSpend, maxSpend } = audience
  const { neverOrdered, labels = [], silentForDays, minBottles, followUp } = audience
  const named = (list: readonly { id: number; name: string; nameAr: string | null }[], ids: readonly number[]) =>
    list.filter(({ id }) => ids.includes(id)).map(nameIn)
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const conditions = [
    ...named(areas, areaIds),
    ...named(vendors, vendorIds),
    orderedWithinDays !== undefined && t('campaigns.who.within', { days: orderedWithinDays }),
    notOrderedForDays !== undefined && t('campaigns.who.notFor', { days: notOrderedForDays }),
    minSpend !== undefined && t('campaigns.who.minSpend', { amount: money(minSpend) }),
    maxSpend !== undefined && t('campaigns.who.maxSpend', { amount: money(maxSpend) }),
    audience.language && languageName(t, audience.language),
    neverOrdered && t('campaigns.neverOrdered'),
    ...labels,
    silentForDays !== undefined && t('campaigns.who.silent', { days: silentForDays }),
    minBottles !== undefined && t('campaigns.who.bottles', { count: minBottles }),
    followUp && t(`campaigns.who.without.${followUp.without}`),
  ].filter((condition) => condition !== false && condition !== undefined)
  return conditions.length === 0 ? t('campaigns.source.filter') : conditions.join(lang === 'ar' ? '، ' : ', ')
}
