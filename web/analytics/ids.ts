import { getSite, type Site } from '@qatra/contract/settings/site'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/api-client.ts'

export type AnalyticsIds = Site['analytics']

/** The configured ids; null if there are none, so that no consent is needed. */
export function useAnalyticsIds(): AnalyticsIds | null {
  const ids = useQuery(read(getSite)).data?.analytics
  return ids && (ids.ga ?? ids.meta ?? ids.snap) ? ids : null
}
