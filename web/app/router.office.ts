import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { OfficePending } from '../office/OfficePending.tsx'
import { OfficeError, OfficeMissing } from '../office/OfficeStates.tsx'
import type { AppRouter } from './router.ts'
import { officeTree } from './routes.office.tsx'
import { parseSearch, stringifySearch } from './search.ts'

/** The router of /admin, which the browser alone runs. */
export function createOfficeRouter(queries: QueryClient): AppRouter {
  const router = createRouter({
    routeTree: officeTree,
    context: { queries },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: 'intent',
    // TanStack Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
    defaultPendingComponent: OfficePending,
    defaultErrorComponent: OfficeError,
    defaultNotFoundComponent: OfficeMissing,
  })
  // One type of router is registered, with the pages of both trees; which of them is at work makes no other difference.
  return router as unknown as AppRouter
}
