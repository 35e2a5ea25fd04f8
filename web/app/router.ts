import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { ErrorPage } from './ErrorPage.tsx'
import { PagePending } from './PagePending.tsx'
import { NotFoundPage, routeTree } from './routes.storefront.tsx'
import { parseSearch, stringifySearch } from './search.ts'

interface Given {
  queries: QueryClient
  /** The server's; a browser makes its own. */
  history?: RouterHistory
}

export function createAppRouter({ queries, history }: Given) {
  return createRouter({
    routeTree,
    context: { queries },
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    // On the server this would print an inline script.
    scrollRestoration: !import.meta.env.SSR,
    defaultPreload: 'intent',
    // TanStack Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
