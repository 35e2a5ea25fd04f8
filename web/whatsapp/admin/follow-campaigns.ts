import { getCampaign, listCampaigns } from '@qatra/contract/whatsapp-campaigns'
import { listSends } from '@qatra/contract/whatsapp-sends'
import type { QueryClient } from '@tanstack/react-query'

/** Figures move in numbers: what is on screen is loaded anew, the rest when somebody looks at it. */
export const renewCampaigns = (queries: QueryClient) =>
  Promise.all(
    [listCampaigns.path, getCampaign.path, listSends.path].map((path) =>
      queries.invalidateQueries({ queryKey: [path] }),
    ),
  )
