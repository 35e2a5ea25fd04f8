import type { Lang } from '@qatra/contract/lib/lang'
import { getMe, type User } from '@qatra/contract/users/auth'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createQueries } from '../../app/queries.ts'
import { parseSearch, stringifySearch } from '../../app/routes/search.ts'
import { read } from '../../lib/api-client.ts'
import { renderIn } from '../test-page.tsx'

/** Polyfills for jsdom: dialogs and screen width. */
export function setUpScreen({ width = 1440 } = {}) {
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.setAttribute('open', '')
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.removeAttribute('open')
  }
  window.scrollTo = () => {}
  window.matchMedia = (query) => {
    const rem = Number(/(\d{1,4}(?:\.\d{1,4})?)rem/.exec(query)?.[1]) * 16
    const matches = query.includes('<') ? width < rem : width >= rem
    return { matches, media: query, addEventListener() {}, removeEventListener() {} } as unknown as MediaQueryList
  }
}

export const sara: User = {
  id: 2,
  phone: '+97336000002',
  name: 'سارة المناعي',
  role: 'vendor_admin',
  preset: null,
  vendorId: 1,
  permissions: [],
  isVerified: true,
  language: 'ar',
  address: null,
  addressParts: null,
  mapCoordinates: null,
  instructions: null,
  notificationEnabled: true,
  notificationTypes: [],
  companyName: null,
  crNumber: null,
  vatNumber: null,
  marketingConsent: false,
  reminders: false,
  impersonatedBy: null,
  createdAt: '2026-01-01T00:00:00.000Z',
}

/** Renders an admin component at an address, signed in as Sara by default; returns queries and navigation. */
export async function renderInAdmin(
  piece: () => ReactNode,
  { lang = 'en' as Lang, at = '/here', path = '/here', user = sara } = {},
) {
  const queries = createQueries(() => Promise.reject(new Error('No test asks a server')))
  queries.setQueryData(read(getMe).queryKey, user)
  const root = createRootRoute({ component: () => <Outlet /> })
  const getParentRoute = () => root
  const routeTree = root.addChildren([
    createRoute({ getParentRoute, path, component: piece }),
    createRoute({ getParentRoute, path: '/elsewhere', component: () => <p>Elsewhere</p> }),
  ])
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: [at] }),
    parseSearch,
    stringifySearch,
  })
  await router.load()
  const view = await renderIn(
    lang,
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  const go = (to: string) => act(() => router.navigate({ to: to as '/' }))
  return { ...view, router, queries, go, search: () => router.state.location.searchStr }
}
