import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { AdminError, AdminMissing, AdminPending } from '../../admin/AdminStates.tsx'
import type { AppRouter } from './router.ts'
import { adminTree } from './routes.admin.tsx'
import { parseSearch, stringifySearch } from './search.ts'

/** Router of /admin; browser only. */
export function createAdminRouter(queries: QueryClient): AppRouter {
  const router = createRouter({
    routeTree: adminTree,
    context: { queries },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: 'intent',
    // TanStack Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
    defaultPendingComponent: AdminPending,
    defaultErrorComponent: AdminError,
    defaultNotFoundComponent: AdminMissing,
  })
  // One router type is registered, with the pages of both trees.
  return router as unknown as AppRouter
}
