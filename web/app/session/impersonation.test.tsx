import { getMe, type User } from '@qatra/contract/users/auth'
import type { Role } from '@qatra/contract/users/roles'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallError, read } from '../../lib/api-client.ts'
import { renderIn } from '../../ui/test-page.tsx'
import { Header } from '../layout/Header.tsx'
import { createQueries } from '../queries.ts'
import { Impersonated } from './Impersonated.tsx'

const stop = vi.fn<() => Promise<unknown>>()
vi.mock(import('../../lib/api-client.ts'), async (original) => ({
  ...(await original()),
  call: (() => stop()) as never,
}))
const assign = vi.fn()

const noora: User = {
  id: 6,
  phone: '+97336000006',
  name: 'Noora',
  role: 'customer',
  preset: null,
  vendorId: null,
  permissions: [],
  isVerified: true,
  language: 'en',
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

async function show(piece: () => ReactNode, user: User) {
  const queries = createQueries(() => Promise.reject(new Error('No test asks a server')))
  queries.setQueryData(read(getMe).queryKey, user)
  const router = createRouter({
    routeTree: createRootRoute({ component: piece }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  await router.load()
  return renderIn(
    'en',
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

beforeEach(() => {
  vi.stubGlobal('location', { ...window.location, assign })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

describe('impersonation', () => {
  const acted: User = { ...noora, impersonatedBy: { name: null, phone: '+97336000001' } }

  it('shows actor and impersonated person, and ends on one click on the page where it started', async () => {
    stop.mockResolvedValue({})
    await show(() => <Impersonated />, acted)
    // The chunk loads slowly on a busy machine.
    const banner = await screen.findByRole('region', { name: 'Acting as somebody else' })
    expect(banner.textContent).toContain('Noora')
    expect(banner.textContent).toContain('+973 3600 0001')
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await act(async () => {})
    expect([stop.mock.calls.length, assign.mock.calls]).toEqual([1, [['/admin/users?open=6']]])
  })

  it('stays on the page and shows an error if ending fails', async () => {
    stop.mockRejectedValue(new CallError(0, ''))
    await show(() => <Impersonated />, acted)
    fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
    expect(await screen.findByText('It could not be stopped. Please try again.')).toBeTruthy()
    expect(assign).not.toHaveBeenCalled()
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
  })

  it('shows no banner without impersonation', async () => {
    const { container } = await show(() => <Impersonated />, noora)
    expect(container.textContent).toBe('')
  })
})

describe('the head of the shop', () => {
  it.each([
    ['super_admin', 'Admin', '/admin/dashboard'],
    ['vendor_admin', 'Admin', '/admin/dashboard'],
    ['vendor_staff', 'Admin', '/admin/dashboard'],
    ['vendor_sales', 'Sales', '/admin/sales/place-order'],
    ['driver', 'Orders to deliver', '/admin/orders'],
    ['customer', null, null],
  ] as const)('leads a %s to their work', async (role: Role, label, href) => {
    await show(() => <Header />, { ...noora, role })
    await screen.findByRole('button', { name: 'My account' })
    const link = label && screen.getByRole('link', { name: label })
    expect(link ? link.getAttribute('href') : null).toBe(href)
    expect(screen.getAllByRole('link').filter((one) => one.getAttribute('href')?.startsWith('/admin'))).toHaveLength(
      label ? 1 : 0,
    )
    fireEvent.click(screen.getByRole('button', { name: 'My account' }))
    expect(screen.queryAllByRole('menuitem', { name: label ?? 'Admin' })).toHaveLength(label ? 1 : 0)
  })
})
