import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { CampaignDetail } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Notice } from '../../../ui/admin/Notice.tsx'
import { classes } from '../../../ui/class-names.ts'
import { ClockIcon, WarningIcon } from '../../../ui/icons.tsx'
import { CampaignBar } from './campaign-parts.tsx'

/** Progress of a campaign: what blocks it, sent messages, and counts by delivery state. */
export function CampaignFigures({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useLanguage()
  const { counts, totalRecipients: total, successfulSends: sent, status } = campaign
  const of = (...states: (keyof typeof counts)[]) => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  const waiting = of('pending', 'sending')
  const figures = [
    { key: 'sent', label: t('campaigns.figure.sent'), count: sent, from: total },
    { key: 'delivered', label: t('campaigns.send.delivered'), count: of('delivered', 'read'), from: total },
    { key: 'read', label: t('campaigns.send.read'), count: of('read'), from: total },
    ...(campaign.hasLinks
      ? [{ key: 'clicked', label: t('campaigns.send.clicked'), count: campaign.clicked, from: total }]
      : []),
    { key: 'failed', label: t('campaigns.send.failed'), count: of('failed'), from: total, isBad: of('failed') > 0 },
    ...(of('unknown') > 0
      ? [{ key: 'unknown', label: t('campaigns.send.unknown'), count: of('unknown'), from: total, isBad: true }]
      : []),
  ]
  return (
    <section aria-label={t('campaigns.progress')} className="grid min-w-0 content-start gap-4">
      <Notices campaign={campaign} />
      <div className="grid gap-2">
        <CampaignBar campaign={campaign} />
        <p role="status" className="flex flex-wrap justify-between gap-x-4 text-ink-2">
          <span>{t('campaigns.done', { count: total - waiting - of('cancelled'), total })}</span>
          {status === 'running' && waiting > 0 && !campaign.quietUntil && (
            <span>{t('campaigns.left', { minutes: Math.floor(waiting / campaign.perSecond / 60) })}</span>
          )}
        </p>
      </div>
      <dl className="grid grid-cols-2 gap-2.5 sm:grid-cols-[repeat(auto-fit,minmax(110px,1fr))]">
        {figures.map(({ key, label, count, from, isBad = false }) => (
          <div key={key} data-figure={key} className={classes('rounded-m p-3.5', isBad ? 'bg-clay-soft' : 'bg-well')}>
            <dt className={classes('truncate leading-relaxed', isBad ? 'text-clay' : 'text-ink-2')}>{label}</dt>
            <dd className="flex items-baseline justify-between gap-2">
              <bdi className="text-title font-strong">{count}</bdi>
              {from > 0 && <bdi className="text-caption text-ink-3">{Math.round((100 * count) / from)}%</bdi>}
            </dd>
          </div>
        ))}
      </dl>
      {of('unknown') > 0 && <p className="text-ink-3">{t('campaigns.unknown.hint')}</p>}
    </section>
  )
}

/** Explanations by the provider's code or our own. */
const stops = {
  132015: 'paused',
  132016: 'disabled',
  132000: 'missing',
  132001: 'missing',
  132007: 'missing',
  131048: 'spam',
  368: 'blocked',
  131031: 'locked',
  131042: 'payment',
  0: 'token',
  10: 'token',
  190: 'token',
  200: 'token',
  NOT_CONFIGURED: 'token',
  'template-unavailable': 'template-unavailable',
  'template-category': 'template-category',
  'template-changed': 'template-changed',
} as const
const refusals = [
  ...(['CAMPAIGN_EMPTY', 'CAMPAIGN_CONSENT_MISSING', 'CAMPAIGN_VARIABLES_MISSING', 'TEMPLATE_NOT_AVAILABLE'] as const),
]

function stopOf(code: string) {
  if (refusals.some((one) => one === code)) return 'notStarted'
  return code in stops ? stops[code as keyof typeof stops] : null
}

function Notices({ campaign }: { campaign: CampaignDetail }) {
  const { t, lang } = useLanguage()
  const at = (iso: string) => formatDateTime(new Date(iso), lang)
  const { statusCode, statusReason, slowness, quietUntil, status, scheduledAt } = campaign
  const stop = statusCode === null ? null : stopOf(statusCode)
  const refusal = refusals.find((one) => one === statusCode)
  const plan =
    scheduledAt === null || campaign.startedAt !== null
      ? null
      : status === 'scheduled'
        ? t('campaigns.at', { at: at(scheduledAt) })
        : t('campaigns.planned', { at: at(scheduledAt) })
  const calm = quietUntil ? t('campaigns.quiet', { at: at(quietUntil) }) : plan
  return (
    <>
      {statusReason && (
        <Notice role="alert" tone="problem" icon={WarningIcon}>
          {stop ? t(`campaigns.stop.${stop}`) : t('campaigns.stopped')}{' '}
          {stop === 'notStarted' && refusal && t(`campaigns.error.${refusal}`)}{' '}
          <bdi dir="auto" className="text-caption wrap-anywhere">
            {refusal ? null : statusReason}
          </bdi>
        </Notice>
      )}
      {campaign.can.edit && campaign.totalRecipients === 0 && (
        <Notice role="status" tone="quiet" icon={WarningIcon}>
          {t('campaigns.emptyDraft')}
        </Notice>
      )}
      {slowness && (
        <Notice role="status" tone="quiet" icon={ClockIcon}>
          {slowness.until ? t('campaigns.slow.until', { at: at(slowness.until) }) : t('campaigns.slow')}
        </Notice>
      )}
      {calm && (
        <Notice role="status" tone="quiet" icon={ClockIcon}>
          {calm}
        </Notice>
      )}
    </>
  )
}
