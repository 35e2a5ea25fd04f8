import { type CampaignDetail, getCampaign } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listSends, settleSends } from '@qatra/contract/whatsapp/campaigns/sends'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { toast } from '../../../ui/Toast.tsx'

const none: ReadonlySet<string> = new Set()

/** Selection of sends with an unknown result, and the two actions that set it. */
export function useSettling({ id }: Pick<CampaignDetail, 'id'>) {
  const t = useT()
  const queries = useQueryClient()
  const [selected, setSelected] = useState(none)
  const { run } = useAction((error) => toast({ title: refusalText(t, error, 'campaigns') }))
  const settle = (status: 'sent' | 'failed') =>
    run(async () => {
      const body = { sendIds: [...selected].map(Number), status }
      const changed = await call(settleSends, { params: { id }, body })
      queries.setQueryData(read(getCampaign, { params: { id } }).queryKey, changed)
      toast({ title: t('campaigns.settled') })
    }).finally(() => {
      setSelected(none)
      void queries.invalidateQueries({ queryKey: [listSends.path] })
    })
  const bulk = (['sent', 'failed'] as const).map((status) => (
    <ToolbarButton key={status} onClick={() => void settle(status)}>
      {t(`campaigns.settle.${status}`)}
    </ToolbarButton>
  ))
  return { selected, onSelect: setSelected, bulk }
}
