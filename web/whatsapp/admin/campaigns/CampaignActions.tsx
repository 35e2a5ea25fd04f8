import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { CampaignDetail } from '@qatra/contract/whatsapp/campaigns/campaigns'
import * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import * as sends from '@qatra/contract/whatsapp/campaigns/sends'
import { listTemplates } from '@qatra/contract/whatsapp/templates/templates'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { call, read } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { EditIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { draftOf, keyOf } from '../campaign-form/campaign-draft.ts'
import { usePreview } from '../campaign-form/use-preview.ts'
import { useNow } from '../use-now.ts'
import { CampaignCost } from './campaign-parts.tsx'

const endpoints = {
  start: api.startCampaign,
  pause: api.pauseCampaign,
  resume: api.resumeCampaign,
  cancel: api.cancelCampaign,
} as const
type Action = keyof typeof endpoints | 'delete'
/** Start time of a campaign that is timed but not scheduled yet; null otherwise. */
const beginsAt = ({ status, scheduledAt }: CampaignDetail, now: Date) =>
  status !== 'scheduled' && scheduledAt !== null && Date.parse(scheduledAt) > now.getTime()
    ? new Date(scheduledAt)
    : null

/** Whom the campaign would reach if it started now, and what that costs: the stored list may be old. */
function Reach({ campaign }: { campaign: CampaignDetail }) {
  const t = useT()
  const { data: templates = [] } = useQuery(read(listTemplates))
  const draft = useMemo(() => draftOf(campaign), [campaign])
  const template = templates.find((one) => keyOf(one) === draft.template)
  const { data } = usePreview({ draft, template, campaignId: campaign.id })
  return (
    <span className="block">
      {t('campaigns.ask.start.hint', { count: data?.count ?? campaign.totalRecipients })}
      {data && data.count > 0 && (
        <span className="mt-2 block text-ink">
          {t('campaigns.cost')}: <CampaignCost cost={data.cost} />
        </span>
      )}
    </span>
  )
}

export function CampaignActions({ campaign }: { campaign: CampaignDetail }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [confirming, setConfirming] = useState<Action | null>(null)
  const { busy, run } = useAction((error) => {
    toast({ title: refusalText(t, error, 'campaigns') })
    return void queries.invalidateQueries({ queryKey: [api.getCampaign.path] })
  })
  const { id, can } = campaign
  const later = beginsAt(campaign, useNow())
  const isScheduling = (which: Action | null) => which === 'start' && later !== null
  const act = (which: Action) =>
    run(async () => {
      if (which === 'delete') {
        // Navigate first: this page would refetch the deleted campaign.
        await navigate({ to: '/admin/whatsapp/campaigns' })
        await call(api.deleteCampaign, { params: { id } })
      } else {
        const changed = await call(endpoints[which], { params: { id } })
        const { queryKey } = read(api.getCampaign, { params: { id } })
        // A refetch that began before the change would bring the older state back.
        await queries.cancelQueries({ queryKey })
        queries.setQueryData(queryKey, changed)
      }
      toast({ title: t(isScheduling(which) ? 'campaigns.done.schedule' : `campaigns.done.${which}`) })
    }).finally(() => {
      setConfirming(null)
      if (which !== 'delete') void queries.invalidateQueries({ queryKey: [sends.listSends.path] })
      void queries.invalidateQueries({ queryKey: [api.listCampaigns.path] })
    })
  const shown = (['delete', 'cancel', 'pause', 'resume', 'start'] as const).filter(
    (which) =>
      can[which] &&
      !(which === 'start' && campaign.totalRecipients === 0) &&
      !(which === 'resume' && can.start) &&
      !(which === 'cancel' && can.delete),
  )
  const labelOf = (which: Action) => t(isScheduling(which) ? 'campaigns.act.schedule' : `campaigns.act.${which}`)
  return (
    <>
      {can.edit && (
        <Link to="/admin/whatsapp/campaigns/$id/edit" params={{ id }} className={buttonClass('quiet', 'small')}>
          <EditIcon size={18} aria-hidden="true" />
          {t('campaigns.edit')}
        </Link>
      )}
      {campaign.startedAt !== null && campaign.successfulSends > 0 && (
        <Link to="/admin/whatsapp/campaigns/new" search={{ after: id }} className={buttonClass('quiet', 'small')}>
          {t('campaigns.followUp')}
        </Link>
      )}
      {shown.map((which) => (
        <Button
          key={which}
          size="small"
          tone={which === 'start' || which === 'resume' ? 'gulf' : which === 'pause' ? 'quiet' : 'danger'}
          busy={busy && confirming === null}
          onClick={() => (which === 'pause' ? void act(which) : setConfirming(which))}
        >
          {labelOf(which)}
        </Button>
      ))}
      <ConfirmDialog
        open={confirming !== null}
        tone={confirming === 'cancel' || confirming === 'delete' ? 'danger' : 'gulf'}
        title={confirming ? t(isScheduling(confirming) ? 'campaigns.ask.schedule' : `campaigns.ask.${confirming}`) : ''}
        confirm={confirming ? labelOf(confirming) : ''}
        cancel={confirming === 'cancel' ? t('campaigns.keep') : t('admin.cancel')}
        busy={busy}
        onConfirm={() => confirming && void act(confirming)}
        onCancel={() => setConfirming(null)}
      >
        {confirming === 'start' && later
          ? t('campaigns.ask.schedule.hint', { at: formatDateTime(later, lang) })
          : confirming !== 'start' && confirming && t(`campaigns.ask.${confirming}.hint`)}
        {(confirming === 'start' || (confirming === 'resume' && can.start)) && <Reach campaign={campaign} />}
      </ConfirmDialog>
    </>
  )
}
