import { type AdminUser, updateUser } from '@qatra/contract/users/users'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { dismissToast } from '../../ui/Toast.tsx'
import { PersonPanel } from './PersonPanel.tsx'
import { personQuery } from './person-cache.ts'

const agent: AdminUser = {
  id: 9,
  phone: '+97336000014',
  name: 'Rashid',
  role: 'vendor_sales',
  preset: null,
  vendorId: 1,
  permissions: [],
  isVerified: true,
  isActive: true,
  notificationEnabled: true,
  notificationTypes: [],
  lastLoginAt: null,
  lastActiveAt: null,
  activity: 'away',
  createdBy: null,
  openOrders: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  can: {
    edit: false,
    changePermissions: true,
    switchOff: false,
    changeRole: false,
    impersonate: false,
    roles: [],
  },
}

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

function Panel({ person }: { person: AdminUser }) {
  const queries = useQueryClient()
  useState(() => queries.setQueryData(personQuery(person.id).queryKey, person))
  return <PersonPanel id={person.id} onClose={vi.fn()} />
}
const show = (person: AdminUser, lang: 'ar' | 'en' = 'en') =>
  renderInAdmin(() => <Panel person={person} />, {
    lang,
    user: { ...sara, role: 'super_admin', vendorId: null },
  })
const boxes = () => screen.queryAllByRole('checkbox')

describe('own permissions of a person', () => {
  it('offer a sales agent the effective permissions in groups, with a description', async () => {
    await show(agent)
    const orders = within(screen.getByRole('group', { name: 'Orders' }))
    expect(orders.getByRole('checkbox', { name: 'Export orders' })).toBeTruthy()
    expect(orders.getByText(/as an Excel or CSV file, with customers’ names, phones and addresses/)).toBeTruthy()
    const sales = within(screen.getByRole('group', { name: 'Sales' }))
    expect(sales.getByRole('checkbox', { name: 'Deliver outside the area' })).toBeTruthy()
    expect(boxes()).toHaveLength(2)
  })

  it('are saved without those that have no effect for the role', async () => {
    const permissions = ['sales.ignore-coverage', 'whatsapp.read']
    const bodies: unknown[] = []
    shop.on(updateUser, ({ body }) => {
      bodies.push(body)
      return { ...agent, permissions: ['orders.export', 'sales.ignore-coverage'] }
    })
    await show({ ...agent, permissions })
    expect(boxes().map((box) => (box as HTMLInputElement).checked)).toEqual([false, true])
    fireEvent.click(screen.getByRole('checkbox', { name: 'Export orders' }))
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(bodies).toEqual([{ permissions: ['orders.export', 'sales.ignore-coverage'] }]))
  })

  it('show the error of the server if it refuses one', async () => {
    const fields = { 'permissions.0': 'Opens nothing for this role' }
    shop.on(updateUser, () => refusal('INVALID_BODY', { fields }))
    await show(agent)
    fireEvent.click(screen.getByRole('checkbox', { name: 'Export orders' }))
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Opens nothing for this role')).toBeTruthy()
  })

  it('are ticked together for staff who also answer conversations', async () => {
    await show({ ...agent, role: 'vendor_staff', permissions: [] }, 'en')
    fireEvent.click(screen.getByRole('button', { name: 'Add conversations and ordering' }))
    expect(boxes().map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, true, false, false])
    expect(screen.queryByRole('button', { name: 'Add conversations and ordering' })).toBeNull()
  })

  it('are not added to a preset', async () => {
    await show({ ...agent, role: 'vendor_staff', preset: 'agent' })
    expect(screen.getByText(/Customer service is a fixed set/)).toBeTruthy()
    expect(boxes()).toEqual([])
  })

  it.each([
    ['customer', 'ar', /لا توجد صلاحيات تُضاف إلى هذا الدور/],
    ['customer', 'en', /Nothing can be added to this role/],
    ['super_admin', 'en', /A market admin may do everything already/],
  ] as const)('have no form for %s (%s)', async (role, lang, words) => {
    await show({ ...agent, role }, lang)
    expect(screen.getByText(words)).toBeTruthy()
    expect(boxes()).toEqual([])
  })
})
