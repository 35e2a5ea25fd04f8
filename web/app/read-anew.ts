import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { restartReads } from './queries.ts'

/** Reads after a change, also while an earlier read is in flight. */
export function readAnew<Data, Problem, Shown, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Problem, Shown, Key>,
): Promise<Shown> {
  restartReads(queries, { queryKey: query.queryKey })
  return queries.fetchQuery({ ...query, staleTime: 0 })
}
