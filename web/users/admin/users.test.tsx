import { getMe } from '@qatra/contract/users/auth'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { type AdminUser, changeRole, createUser, removeVendorAccess } from '@qatra/contract/users/users'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeRequest, type FakeShop, fakeShop, refusal, vendorOf } from '../../checkout/test-shop.tsx'
import { read } from '../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { dismissToast } from '../../ui/Toast.tsx'
import { NewPerson } from './NewPerson.tsx'
import { PersonActions } from './PersonActions.tsx'
import { useVendorColumn } from './vendor-column.tsx'

const rashid: AdminUser = {
  id: 9,
  phone: '+97336000014',
  name: 'Rashid',
  role: 'driver',
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
  openOrders: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  can: {
    edit: true,
    changePermissions: true,
    switchOff: true,
    changeRole: true,
    impersonate: true,
    roles: ['customer', 'vendor_sales', 'vendor_staff', 'driver'],
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

function Vendors({ isSuper, children }: { isSuper: boolean; children: ReactNode }) {
  const queries = useQueryClient()
  useState(() => {
    queries.setQueryData(read(listVendors).queryKey, [vendorOf(1, 'Hirat', 'هيرات'), vendorOf(2, 'Ghaima', 'غيمة')])
    if (isSuper) queries.setQueryData(read(getMe).queryKey, { ...sara, role: 'super_admin', vendorId: null })
  })
  return children
}
const showActions = (person = rashid, go = vi.fn()) =>
  renderInAdmin(() => (
    <Vendors isSuper>
      <PersonActions person={person} name="Rashid" choosesVendor go={go} />
    </Vendors>
  ))
function ListedVendors() {
  const [column] = useVendorColumn<number[]>((ids) => ids)
  return <p>{column ? column.cell([2, 1]) : 'No column'}</p>
}
it.each([
  [true, 'Ghaima, Hirat'],
  [false, 'No column'],
])('the column of vendors is shown to the market alone (%s)', async (isSuper, text) => {
  await renderInAdmin(() => (
    <Vendors isSuper={isSuper}>
      <ListedVendors />
    </Vendors>
  ))
  expect(screen.getByText(text)).toBeTruthy()
})
const button = (name: string) => screen.getByRole('button', { name })
const dialog = () => within(screen.getByRole('dialog'))

describe('assigning a role', () => {
  it('lists permissions and consequences', async () => {
    const requests: FakeRequest[] = []
    shop.on(changeRole, (one) => {
      requests.push(one)
      return { ...rashid, role: 'vendor_staff' as const, vendorId: 2 }
    })
    await showActions()
    fireEvent.click(button('Change the role'))
    expect(dialog().getByText('See delivery runs')).toBeTruthy()
    expect(dialog().queryByText('Change products')).toBeNull()
    fireEvent.click(dialog().getByRole('radio', { name: /Vendor staff/ }))
    expect(dialog().getByText('Change products')).toBeTruthy()
    expect(dialog().getByText(/signed out everywhere/)).toBeTruthy()
    expect(dialog().getByText('3 open orders are assigned')).toBeTruthy()
    fireEvent.change(dialog().getByRole('combobox'), { target: { value: '2' } })
    fireEvent.click(button('Give this role'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      ['/api/admin/users/9/role', { role: 'vendor_staff', preset: null, vendorId: 2 }],
    ])
  })

  it('keeps the dialog open and shows the error if the server rejects it', async () => {
    shop.on(changeRole, () => refusal('LAST_SUPER_ADMIN'))
    await showActions()
    fireEvent.click(button('Change the role'))
    fireEvent.click(dialog().getByRole('radio', { name: /Customer/ }))
    expect(dialog().queryByRole('combobox')).toBeNull()
    fireEvent.click(button('Give this role'))
    expect((await dialog().findByRole('alert')).textContent).toMatch(/last market admin/)
  })
})

describe('removing access', () => {
  it('lists the consequences with the open orders, and asks once', async () => {
    const answer = vi.fn(() => ({ ...rashid, role: 'customer' as const, vendorId: null }))
    shop.on(removeVendorAccess, answer)
    await showActions()
    fireEvent.click(button('Remove vendor access'))
    expect(dialog().getByText(/Rashid becomes a customer again/)).toBeTruthy()
    expect(dialog().getByText('3 open orders are assigned')).toBeTruthy()
    expect(answer).not.toHaveBeenCalled()
    fireEvent.click(button('Remove access'))
    await waitFor(() => expect(answer).toHaveBeenCalledOnce())
  })

  it('is not offered if the server would reject it', async () => {
    const can = { ...rashid.can, changeRole: false, switchOff: false, impersonate: false }
    await showActions({ ...rashid, can })
    expect(screen.queryAllByRole('button')).toEqual([])
  })
})

describe('impersonation', () => {
  it.each([
    ['driver', '/admin'],
    ['customer', '/'],
  ] as const)('of a %s requires a reason, then loads %s in full', async (role, address) => {
    const requests: unknown[] = []
    shop.on(startImpersonation, ({ path, body }) => {
      requests.push([path, body])
      const currentUser = { id: 9, name: 'Rashid', phone: rashid.phone }
      return { isImpersonating: true, currentUser, originalUser: currentUser, endsAt: null }
    })
    const go = vi.fn()
    await showActions({ ...rashid, role }, go)
    fireEvent.click(button('Act as this person'))
    fireEvent.click(button('Begin'))
    expect(dialog().getByText('Write the reason first.')).toBeTruthy()
    fireEvent.change(dialog().getByLabelText('Why?'), { target: { value: 'He cannot see his run' } })
    fireEvent.click(button('Begin'))
    await waitFor(() => expect(go).toHaveBeenCalledWith(address))
    expect(requests).toEqual([['/api/admin/impersonate/9', { reason: 'He cannot see his run' }]])
  })
})

describe('new person', () => {
  const show = (isSuper: boolean, onKnown = vi.fn(), onInvited = vi.fn()) =>
    renderInAdmin(() => (
      <Vendors isSuper={isSuper}>
        <NewPerson onAdded={vi.fn()} onInvited={onInvited} onKnown={onKnown} onClose={vi.fn()} />
      </Vendors>
    ))
  const fill = (phone: string) => {
    fireEvent.change(screen.getByLabelText('Phone'), { target: { value: phone } })
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Ali' } })
    fireEvent.change(screen.getByLabelText('Role'), { target: { value: 'driver' } })
  }
  const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Add to the team' }))

  it('requires phone, name and role, each reported beside its field', async () => {
    await show(true)
    submit()
    await waitFor(() => expect(screen.getByLabelText('Phone').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText('Role').getAttribute('aria-invalid')).toBe('true')
    expect(shop.to(createUser)).toEqual([])
  })

  it('links a market admin to the account that has the phone', async () => {
    const fields = { phone: 'This number has an account already' }
    shop.on(createUser, () => refusal('PHONE_TAKEN', { fields, userId: 41 }))
    const onKnown = vi.fn()
    await show(true, onKnown)
    fill('3600 0014')
    fireEvent.change(screen.getByLabelText('Vendor'), { target: { value: '1' } })
    submit()
    fireEvent.click(await screen.findByRole('button', { name: 'Open it and change its role' }))
    expect(onKnown).toHaveBeenCalledWith(41)
    expect(shop.to(createUser)[0]?.body).toEqual({
      phone: '3600 0014',
      name: 'Ali',
      role: 'driver',
      preset: null,
      vendorId: 1,
    })
  })

  it('created by a vendor’s admin gets that vendor and a lower role', async () => {
    const invitation = { id: 7, name: 'Ali', phone: '+97336000014', role: 'driver', vendorId: 1, state: 'open' }
    shop.on(createUser, () => ({ outcome: 'invited', invitation }) as never)
    const onInvited = vi.fn()
    await show(false, vi.fn(), onInvited)
    const options = within(screen.getByLabelText('Role'))
      .getAllByRole('option')
      .map((one) => one.textContent)
    expect(options).toEqual(['Choose', 'Sales agent', 'Vendor staff', 'Driver'])
    expect(screen.queryByLabelText('Vendor')).toBeNull()
    fill('36000014')
    fireEvent.click(screen.getByRole('button', { name: 'Invite a person' }))
    await waitFor(() => expect(onInvited).toHaveBeenCalled())
    expect(screen.getByText(/works with you only after accepting/)).toBeTruthy()
  })
})
