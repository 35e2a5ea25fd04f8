import { adminPages } from '@qatra/contract/admin'
import type { AdminPage } from '@qatra/contract/admin-page'
import { createRoute, redirect } from '@tanstack/react-router'
import { lazyPage, type PageModule } from '../page.ts'
import { adminRoot } from './routes.admin-root.tsx'

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
