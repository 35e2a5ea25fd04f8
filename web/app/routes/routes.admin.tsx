import { adminPages, firstAdminPage, mayOpen } from '@qatra/contract/admin'
import type { AdminPage } from '@qatra/contract/admin-page'
import { getSite } from '@qatra/contract/settings/site'
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router'
import { AdminLayout } from '../../admin/AdminLayout.tsx'
import { AdminMissing } from '../../admin/AdminStates.tsx'
import { read } from '../../lib/api-client.ts'
import { findUser } from '../../lib/current-user.ts'
import { AdminChecking } from '../layout/AdminChecking.tsx'
import { lazyPage, type PageModule } from '../page.ts'
import { leaveForSignIn } from '../session/admin-exit.ts'
import { type LangSearch, langSearch } from './search.ts'

/** Each page reads its own keys from the address (`useSearchState`), so links may carry any. */
type AdminSearch = LangSearch & Record<string, unknown>

/** Root of all admin pages: the rail and the permission check. */
const adminRoot = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: (search: Record<string, unknown>): AdminSearch => ({ ...search, ...langSearch(search) }),
  // The server checked the first page; check each further page before its data loads.
  beforeLoad: async ({ context: { queries }, location }) => {
    const user = await findUser(queries)
    if (!user) leaveForSignIn()
    const first = location.pathname === '/admin' && user ? firstAdminPage(user) : null
    // The path is one of the page table; the type cannot know which.
    if (first) throw redirect({ to: first as '/admin', replace: true })
    if (!mayOpen(location.pathname, user)) throw notFound()
  },
  loader: ({ context: { queries } }) => queries.ensureQueryData(read(getSite)),
  component: AdminLayout,
  // The document contains the user, so the check itself needs no request.
  pendingComponent: AdminChecking,
  pendingMs: 400,
  notFoundComponent: AdminMissing,
})

/** The files that `adminPages` names, each in its own chunk. */
const modules = import.meta.glob<PageModule>(['../../*/admin/**/*Page.tsx', '!../../ui/**'])

function optionsOf({ file, messages, panelOf }: AdminPage) {
  if (panelOf) {
    return {
      beforeLoad: ({ params: { id } }: { params: { id?: string } }) => {
        throw redirect({ to: panelOf, search: { open: id ?? 'new' }, replace: true })
      },
    }
  }
  if (!file) return {}
  const load = modules[`../../${file}`]
  if (!load) throw new Error(`There is no page web/${file}`)
  return lazyPage(file, load, messages)
}

const getParentRoute = () => adminRoot
const routeOf = <const Path extends string>(path: Path) => createRoute({ getParentRoute, path })

/** Redirects to the first page of the person's navigation. */
const start = routeOf('/admin')

type PathsOf<Pages extends readonly AdminPage[]> = { [At in keyof Pages]: Pages[At]['path'] }
type RoutesOf<Paths extends readonly string[]> = { [At in keyof Paths]: ReturnType<typeof routeOf<Paths[At]>> }
/** The routes with their paths, for the types of links. */
export type AdminRoutes = readonly [typeof start, ...RoutesOf<PathsOf<typeof adminPages>>]

function treeOf(pages: readonly AdminPage[]) {
  const routes = pages
    .filter(({ parent }) => !parent)
    .map((page) => {
      const route = createRoute({ getParentRoute, path: page.path, ...optionsOf(page) })
      const panels = pages
        .filter(({ parent }) => parent === page.path)
        .map((panel) =>
          createRoute({
            getParentRoute: () => route,
            path: panel.path.slice(page.path.length + 1),
            ...optionsOf(panel),
          }),
        )
      return panels.length > 0 ? route.addChildren(panels) : route
    })
  return adminRoot.addChildren([start, ...routes])
}

export const adminTree = treeOf(adminPages)
