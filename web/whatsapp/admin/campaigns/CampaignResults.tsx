import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { getCampaignResults } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import type { CampaignDetail } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { useNow } from '../use-now.ts'
import { CampaignCost } from './campaign-parts.tsx'

export const resultsQuery = (id: string) => read(getCampaignResults, { params: { id } })

/** Replies, orders and their total after the message, and the cost. */
export function CampaignResults({ campaign }: { campaign: CampaignDetail }) {
  const { t, lang } = useLanguage()
  const now = useNow()
  const { data } = useQuery(resultsQuery(campaign.id))
  if (!data) return null
  const { replies, orders, revenue, endsAt, cost, spent } = data
  const isRunning = endsAt !== null && Date.parse(endsAt) > now.getTime()
  const figures = [
    { key: 'replies', label: t('campaigns.results.replies'), value: replies },
    { key: 'orders', label: t('campaigns.results.orders'), value: orders },
    { key: 'revenue', label: t('campaigns.results.revenue'), value: formatMoney(fromBhd(revenue), lang) },
  ]
  return (
    <section aria-label={t('campaigns.results')} className="grid gap-2.5">
      {endsAt !== null && (
        <>
          <h2 className="text-heading">{t('campaigns.results')}</h2>
          <dl className="grid grid-cols-2 gap-2.5 sm:grid-cols-3">
            {figures.map(({ key, label, value }) => (
              <div key={key} data-figure={key} className="rounded-m bg-well p-3.5">
                <dt className="truncate leading-relaxed text-ink-2">{label}</dt>
                <dd>
                  <bdi className="text-title font-strong">{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
          <p className="text-ink-3">
            {isRunning
              ? t('campaigns.results.running', { at: formatDateTime(new Date(endsAt), lang) })
              : t('campaigns.results.final')}
          </p>
        </>
      )}
      {campaign.totalRecipients > 0 && (
        <p className="flex flex-wrap gap-x-2">
          <span className="text-ink-2">{t('campaigns.cost')}</span> <CampaignCost cost={cost} />
        </p>
      )}
      {spent && (
        <p className="flex flex-wrap gap-x-2">
          <span className="text-ink-2">{t('campaigns.cost.soFar')}</span> <CampaignCost cost={spent} />
        </p>
      )}
    </section>
  )
}
