import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import {
  type Campaign,
  type CampaignStatus,
  type CampaignCost as Cost,
  exclusionReasons,
  type SendStatus,
} from '@qatra/contract/whatsapp/campaigns/campaigns'
import { Link } from '@tanstack/react-router'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { ShareBar } from '../../../ui/admin/ShareBar.tsx'
import { classes } from '../../../ui/class-names.ts'

const tones: Record<CampaignStatus, string> = {
  draft: 'bg-well text-ink-2',
  scheduled: 'bg-well text-ink',
  running: 'bg-gulf text-on-gulf',
  paused: 'bg-clay-soft text-clay',
  completed: 'bg-gulf-soft text-gulf',
  cancelled: 'bg-well text-ink-3',
}

export function CampaignBadge({ status }: { status: CampaignStatus }) {
  const t = useT()
  return (
    <span
      className={classes(
        'inline-flex h-6.5 items-center rounded-s px-2.25 text-label leading-none whitespace-nowrap',
        tones[status],
      )}
    >
      {t(`campaigns.status.${status}`)}
    </span>
  )
}

const parts: readonly { of: readonly SendStatus[]; fill: string }[] = [
  { of: ['read'], fill: 'fill-gulf' },
  { of: ['delivered'], fill: 'fill-gulf/75' },
  { of: ['sent'], fill: 'fill-gulf/45' },
  { of: ['failed', 'unknown'], fill: 'fill-clay' },
  { of: ['skipped', 'cancelled'], fill: 'fill-ink-3/40' },
]

/** Progress bar by delivery state; the empty rest is pending. */
export function CampaignBar({ campaign }: { campaign: Campaign }) {
  const t = useT()
  const { counts, totalRecipients: total } = campaign
  const over = total - (counts.pending ?? 0) - (counts.sending ?? 0)
  return (
    <div
      role="progressbar"
      aria-label={t('campaigns.progress')}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={over}
    >
      <ShareBar
        parts={parts.map(({ of, fill }) => ({
          share: of.reduce((sum, status) => sum + (counts[status] ?? 0), 0) / (total || 1),
          fill,
        }))}
        className="h-2"
      />
    </div>
  )
}

const dots: Record<SendStatus, string> = {
  pending: 'bg-well-2',
  sending: 'bg-well-2',
  sent: 'bg-gulf/45',
  delivered: 'bg-gulf/75',
  read: 'bg-gulf',
  failed: 'bg-clay',
  unknown: 'bg-clay',
  skipped: 'bg-ink-3/40',
  cancelled: 'bg-ink-3/40',
}

/** State of one message, in the colours of the bar. */
export function SendState({ status }: { status: SendStatus }) {
  const t = useT()
  return (
    <span className="flex items-center gap-2 font-strong whitespace-nowrap">
      <span aria-hidden="true" className={classes('size-2 flex-none rounded-full', dots[status])} />
      {t(`campaigns.send.${status}`)}
    </span>
  )
}

/** Excluded recipients by reason. */
export function LeftOut({ exclusions }: Pick<Campaign, 'exclusions'>) {
  const t = useT()
  const reasons = exclusionReasons.filter((reason) => (exclusions[reason] ?? 0) > 0)
  if (reasons.length === 0) return null
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-ink-2">
      <span>{t('campaigns.leftOut')}</span>
      {reasons.map((reason) => (
        <span key={reason} data-reason={reason}>
          {t(`campaigns.reason.${reason}`)} <bdi className="font-strong">{exclusions[reason]}</bdi>
        </span>
      ))}
    </p>
  )
}

/** Cost by the prices in the settings. */
export function CampaignCost({ cost: { amount, unpriced } }: { cost: Cost }) {
  const { t, lang } = useLanguage()
  const money = formatMoney(fromBhd(amount), lang)
  if (unpriced === 0) return <bdi>{money}</bdi>
  return (
    <Link to="/admin/settings" className="text-aqua-ink underline">
      {t(amount === 0 ? 'campaigns.cost.none' : 'campaigns.cost.unpriced', { amount: money, count: unpriced })}
    </Link>
  )
}
