import { QueryClient, type QueryFunctionContext } from '@tanstack/react-query'

/** Data never becomes stale by time: commands and events invalidate it. */
export function createQueries(answer: (context: QueryFunctionContext) => Promise<unknown>) {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: answer,
        // Offline a query fails at once; a paused query would leave its page loading without end.
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { retry: false },
    },
  })
}
