import { type DehydratedState, hydrate, type QueryClient } from '@tanstack/react-query'
import { fetchKey, type ReadKey } from '../lib/api-client.ts'
import { createQueries } from './queries.ts'
import { isSignedOut } from './session/session.ts'

/** The query cache, filled with the data from the server. */
export function startQueries(): QueryClient {
  const queries = createQueries(async (context) => {
    try {
      return await fetchKey(context)
    } catch (error) {
      const [path] = context.queryKey as ReadKey // only `read` makes keys that reach the default queryFn
      if (isSignedOut(path, error)) return null
      throw error
    }
  })
  const state = document.getElementById('state')
  hydrate(queries, asOfNow(JSON.parse(state?.textContent ?? 'null')))
  // Remove personal data from the document, so that it is gone after signing out.
  state?.remove()
  return queries
}

/** Fresh from arrival: cached pages may be hours old and still valid, and the device's clock may be wrong. */
function asOfNow(state: DehydratedState | null): Partial<DehydratedState> {
  for (const { state: query } of state?.queries ?? []) query.dataUpdatedAt = Date.now()
  return state ?? {}
}
