import { getCampaignResults } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import { getCampaign, listCampaigns } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listSends } from '@qatra/contract/whatsapp/campaigns/sends'
import type { QueryClient } from '@tanstack/react-query'

/** Campaign events are frequent: refetches the queries on screen, the others at their next use. */
export const renewCampaigns = (queries: QueryClient) =>
  Promise.all(
    [listCampaigns.path, getCampaign.path, getCampaignResults.path, listSends.path].map((path) =>
      queries.invalidateQueries({ queryKey: [path] }),
    ),
  )
