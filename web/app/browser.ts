import { type DehydratedState, hydrate, type QueryClient } from '@tanstack/react-query'
import { fetchKey, type ReadKey } from './call.ts'
import { createQueries } from './queries.ts'
import { isSignedOut } from './session.ts'

/** The query cache of a page, filled with what the server sent along. */
export function startQueries(): QueryClient {
  const queries = createQueries(async (asked) => {
    try {
      return await fetchKey(asked)
    } catch (error) {
      const [path] = asked.queryKey as unknown as ReadKey // only `read` makes keys that reach the default queryFn
      if (isSignedOut(path, error)) return null
      throw error
    }
  })
  const state = document.getElementById('state')
  hydrate(queries, asOfNow(JSON.parse(state?.textContent ?? 'null')))
  // It may hold a person's data, which must not stay in the page after signing out.
  state?.remove()
  return queries
}

/**
 * As fresh as its arrival: a page that the server keeps ready may be hours old and still right, and the clock of this
 * device may be wrong; neither is a reason to ask again.
 */
function asOfNow(state: DehydratedState | null): Partial<DehydratedState> {
  for (const { state: query } of state?.queries ?? []) query.dataUpdatedAt = Date.now()
  return state ?? {}
}
