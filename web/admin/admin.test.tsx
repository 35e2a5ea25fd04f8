import { adminPages, firstAdminPage, navigationOf } from '@qatra/contract/admin'
import { getSite } from '@qatra/contract/settings/site'
import { getMe, type User } from '@qatra/contract/users/auth'
import { agentGrants, rolePermissions } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueries } from '../app/queries.ts'
import { adminTree } from '../app/routes/routes.admin.tsx'
import { parseSearch, stringifySearch } from '../app/routes/search.ts'
import { read } from '../lib/api-client.ts'
import { addWaiting, noteConnection } from '../lib/connection.ts'
import { setNavCount } from '../ui/admin/nav-counts.ts'
import { sara, setUpScreen } from '../ui/admin/test-admin.tsx'
import { renderIn } from '../ui/test-page.tsx'
import { AdminMissing, AdminPending } from './AdminStates.tsx'

vi.mock('../app/session/admin-exit.ts', () => ({ leaveForSignIn: vi.fn() }))
const { leaveForSignIn } = await import('../app/session/admin-exit.ts')
// Import before the tests: compiling can take longer than a test waits for the list.
await import('../orders/admin/desk/OrdersPage.tsx')

const as = (role: Role, more: Partial<User> = {}): User => ({
  ...sara,
  role,
  permissions: [...rolePermissions[role]],
  ...more,
})

async function openAdmin(user: User | null, at: string) {
  const queries = createQueries(() => new Promise(() => {}))
  queries.setQueryData(read(getMe).queryKey, user as User)
  queries.setQueryData(read(getSite).queryKey, {} as never)
  const router = createRouter({
    routeTree: adminTree,
    context: { queries },
    history: createMemoryHistory({ initialEntries: [at] }),
    parseSearch,
    stringifySearch,
    defaultPendingMs: 0,
    defaultPendingComponent: AdminPending,
    defaultNotFoundComponent: AdminMissing,
  })
  void router.load()
  const view = await renderIn(
    'en',
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await act(async () => {})
  return { ...view, queries, router, path: () => router.state.location.pathname }
}

const routes = Object.keys(createRouter({ routeTree: adminTree, context: {} as never }).routesByPath)

beforeEach(() => setUpScreen())
afterEach(() => {
  cleanup()
  vi.clearAllMocks()
})

describe('the admin area', () => {
  it('has no route outside the page table, which declares the permissions', () => {
    const inTable = new Set<string>(adminPages.map(({ path }) => path))
    expect(routes.filter((path) => path !== '/admin' && !inTable.has(path))).toEqual([])
  })

  it('has a route for every page of the page table', () => {
    expect(adminPages.map(({ path }) => path).filter((path) => !routes.includes(path))).toEqual([])
  })

  it.each(['super_admin', 'vendor_admin', 'vendor_staff', 'vendor_sales', 'driver'] as const)(
    'shows a %s the pages of the role, and redirects /admin to the first',
    async (role) => {
      const user = as(role)
      const { path } = await openAdmin(user, '/admin')
      // No vendor exchanges bottles here.
      const entries = navigationOf(user).filter(
        ({ path: at, nav }) => routes.includes(at) && !nav?.isRare && !nav?.needsBottles,
      )
      await waitFor(() => expect(path()).toBe(firstAdminPage(user)))
      const rail = await screen.findAllByRole('navigation', { name: 'Office navigation' })
      const shown = [...(rail[0]?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))
      expect(shown).toEqual(expect.arrayContaining(entries.map((entry) => entry.path)))
      expect(shown).toHaveLength(entries.length)
    },
  )

  it('shows the not-found page for a page without permission and for an unknown one', async () => {
    await openAdmin(as('vendor_staff'), '/admin/users')
    expect(await screen.findByText('Page Not Found')).toBeTruthy()
    cleanup()
    await openAdmin(as('super_admin'), '/admin/nothing')
    expect(await screen.findByText('Page Not Found')).toBeTruthy()
  })

  it('redirects a signed-out visitor to the sign-in page', async () => {
    await openAdmin(null, '/admin/orders')
    await waitFor(() => expect(leaveForSignIn).toHaveBeenCalled())
  })

  it('replaces the page without a reload when the role changes or the session ends', async () => {
    const { queries } = await openAdmin(as('super_admin'), '/admin/orders')
    await waitFor(() => expect(screen.queryByText('Page Not Found')).toBeNull())
    await act(async () => void queries.setQueryData(read(getMe).queryKey, as('customer')))
    expect(await screen.findByText('Page Not Found')).toBeTruthy()
    await act(async () => void queries.setQueryData(read(getMe).queryKey, null as never))
    expect(await screen.findByText('Checking permissions…')).toBeTruthy()
  })

  it('shows the table head and filters of a list while its rows load', async () => {
    await openAdmin(as('super_admin'), '/admin/orders')
    const table = await screen.findByRole('table', { name: 'Orders' })
    expect(table.getAttribute('aria-busy')).toBe('true')
    expect(screen.getByRole('columnheader', { name: /Customer/ })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'New' })).toBeTruthy()
  })

  it('shows a skeleton below the title while the data of a page load', async () => {
    await openAdmin(as('super_admin'), '/admin/areas')
    expect(await screen.findByRole('heading', { level: 1, name: 'Delivery areas' })).toBeTruthy()
    expect(document.querySelector('main')?.getAttribute('aria-busy')).toBe('true')
  })

  it('shows the number of waiting items beside a navigation entry', async () => {
    await openAdmin(as('vendor_admin'), '/admin/orders')
    act(() => setNavCount('/admin/orders', 6))
    const links = await screen.findAllByRole('link', { name: /Orders 6|Orders6/ })
    expect(links.length).toBeGreaterThan(0)
    act(() => setNavCount('/admin/orders', 0))
  })

  it('keeps WhatsApp with its count in an agent’s bar on phones', async () => {
    const staff = as('vendor_staff')
    await openAdmin({ ...staff, permissions: [...staff.permissions, ...agentGrants] }, '/admin/orders')
    act(() => setNavCount('/admin/whatsapp', 4))
    const [, bar] = await screen.findAllByRole('navigation', { name: 'Office navigation' })
    const links = [...(bar?.querySelectorAll('a') ?? [])].map((link) => [link.getAttribute('href'), link.textContent])
    expect(links).toEqual([
      ['/admin/dashboard', expect.any(String)],
      ['/admin/orders', expect.any(String)],
      ['/admin/whatsapp', 'WhatsApp4'],
    ])
    act(() => setNavCount('/admin/whatsapp', 0))
  })

  it('says at its foot that there is no connection, and how many changes wait', async () => {
    await openAdmin(as('vendor_admin'), '/admin/orders')
    await act(async () => {
      noteConnection(false)
      addWaiting(2)
    })
    await screen.findByText(/^2 changes wait and are sent/)
    await act(async () => {
      addWaiting(-2)
      noteConnection(true)
    })
    expect(screen.queryByText('No connection.')).toBeNull()
  })

  it('navigates by g and a letter, also on an Arabic keyboard, lists the shortcuts on ?, and ignores keys in fields', async () => {
    const { path } = await openAdmin(as('super_admin'), '/admin/orders')
    await screen.findAllByRole('navigation', { name: 'Office navigation' })
    const press = (code: string, key: string, target: Element = document.body) =>
      fireEvent.keyDown(target, { code, key })
    const field = document.body.appendChild(document.createElement('input'))
    press('KeyG', 'g', field)
    press('KeyU', 'u', field)
    field.remove()
    expect(path()).toBe('/admin/orders')
    press('KeyG', 'ل')
    press('KeyU', 'ع')
    await waitFor(() => expect(path()).toBe('/admin/users'))
    press('Slash', '?')
    expect(screen.getByRole('heading', { name: 'Keyboard shortcuts', hidden: true })).toBeTruthy()
  })
})
