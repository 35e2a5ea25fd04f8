import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { ErrorPage } from '../layout/ErrorPage.tsx'
import { PagePending } from '../layout/PagePending.tsx'
import type { AdminRoutes } from './routes.admin.tsx'
import { NotFoundPage, routeTree, type shopRoot, type shopRoutes } from './routes.storefront.tsx'
import { parseSearch, stringifySearch } from './search.ts'

interface Given {
  queries: QueryClient
  /** The server passes its history; a browser creates one. */
  history?: RouterHistory
}

export function createAppRouter({ queries, history }: Given): AppRouter {
  const router = createRouter({
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
  // The registered type also has the admin pages, so that links to them are typed; this router has none of them.
  return router as unknown as AppRouter
}

/** Only for the types of links: the pages of shop and admin area in one tree. Each build runs one of the two. */
function createEveryPage(context: Given, root: typeof shopRoot, pages: readonly [typeof shopRoutes, AdminRoutes]) {
  return createRouter({ routeTree: root.addChildren([...pages[0], ...pages[1]]), context })
}

export type AppRouter = ReturnType<typeof createEveryPage>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
