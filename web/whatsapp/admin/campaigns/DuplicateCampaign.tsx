import { duplicateCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import { type CampaignDetail, getCampaign, listCampaigns } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { PlusIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'

/** Makes a draft with the same people and values, and opens it. */
export function DuplicateCampaign({ campaign: { id, name } }: { campaign: CampaignDetail }) {
  const t = useT()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { busy, run } = useAction((error) => {
    toast({ title: refusalText(t, error, 'campaigns') })
  })
  const duplicate = () =>
    run(async () => {
      const copy = t('campaigns.copyOf', { name }).slice(0, 255)
      const made = await call(duplicateCampaign, { params: { id }, body: { name: copy } })
      queries.setQueryData(read(getCampaign, { params: { id: made.id } }).queryKey, made)
      void queries.invalidateQueries({ queryKey: [listCampaigns.path] })
      toast({ title: t('campaigns.duplicated') })
      await navigate({ to: '/admin/whatsapp/campaigns/$id', params: { id: made.id } })
    })
  return (
    <ToolbarButton icon={PlusIcon} onClick={() => busy || void duplicate()}>
      {t('campaigns.duplicate')}
    </ToolbarButton>
  )
}
