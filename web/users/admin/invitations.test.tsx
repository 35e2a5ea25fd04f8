import {
  type AdminInvitation,
  acceptInvitation,
  declineInvitation,
  type Invitation,
  listAdminInvitations,
  listInvitations,
  withdrawInvitation,
} from '@qatra/contract/users/invitations'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeRequest, type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { page } from '../../invitations/InvitationsPage.tsx'
import { Invited } from '../../invitations/Invited.tsx'
import { read } from '../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { dismissToast } from '../../ui/Toast.tsx'
import { InvitationsPanel } from './InvitationsPanel.tsx'

const offer: Invitation = {
  id: 7,
  vendorName: 'Hirat',
  vendorNameAr: 'هيرات',
  role: 'driver',
  preset: null,
  invitedBy: 'Sara',
  obstacle: null,
  expiresAt: '2026-12-06T12:00:00.000Z',
}
let shop: FakeShop
const assign = vi.fn()
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
  vi.stubGlobal('location', { ...window.location, assign })
})
afterEach(() => {
  cleanup()
  dismissToast()
  assign.mockReset()
  vi.unstubAllGlobals()
})
const seeded = (given: { own?: Invitation[]; admin?: AdminInvitation[] }, piece: ReactNode) =>
  function Seeded() {
    const queries = useQueryClient()
    useState(() => {
      const { own = [], admin: items = [] } = given
      queries.setQueryData(read(listInvitations).queryKey, own)
      const list = read(listAdminInvitations, { query: { limit: '50' } })
      queries.setQueryData(list.queryKey, { items, page: 1, limit: 50, total: items.length })
    })
    return piece
  }
const show = (own: Invitation[]) => renderInAdmin(seeded({ own }, <page.Component />))
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

describe('the invitations page', () => {
  it('shows inviter, role and consequences, and accepts only on click', async () => {
    const requests: FakeRequest[] = []
    shop.on(acceptInvitation, (one) => {
      requests.push(one)
      return { success: true as const }
    })
    await show([offer])
    expect(await screen.findByRole('heading', { name: 'Hirat invites you to work with them' })).toBeTruthy()
    expect(screen.getByText('Role: Driver')).toBeTruthy()
    expect(screen.getByText('From: Sara')).toBeTruthy()
    expect(requests).toEqual([])
    await press('Accept')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/login?redirect=%2Fadmin'))
    expect(requests[0]?.body).toEqual({ leave: false })
  })

  it('warns staff of another vendor that they leave it, and does not let a super admin accept', async () => {
    const requests: FakeRequest[] = []
    shop.on(acceptInvitation, (one) => {
      requests.push(one)
      return { success: true as const }
    })
    await show([{ ...offer, obstacle: 'WORKS_ELSEWHERE' }])
    await press('Leave my work and accept')
    await waitFor(() => expect(requests[0]?.body).toEqual({ leave: true }))
    cleanup()
    await show([{ ...offer, obstacle: 'SUPER_ADMIN_STAYS' }])
    expect(await screen.findByRole('button', { name: 'Decline' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Accept|accept/ })).toBeNull()
  })

  it('declines, and shows a message if the invitation no longer exists', async () => {
    shop.on(declineInvitation, () => refusal('INVITATION_NOT_FOUND'))
    await show([offer])
    await press('Decline')
    expect(await screen.findByText('This invitation is no longer open.')).toBeTruthy()
  })
})

describe('the banner', () => {
  it('appears with an open invitation, but not while impersonating', async () => {
    await renderInAdmin(seeded({ own: [offer] }, <Invited />))
    expect((await screen.findByRole('link', { name: 'View' })).getAttribute('href')).toBe('/invitations')
    cleanup()
    const user = { ...sara, impersonatedBy: { name: 'Khalid', phone: '+97336000001' } }
    await renderInAdmin(seeded({ own: [offer] }, <Invited />), { user })
    expect(screen.queryByRole('link', { name: 'View' })).toBeNull()
  })
})

describe('the vendor’s list', () => {
  it('shows each state, and withdraws an open invitation', async () => {
    const row = {
      id: 7,
      phone: '+97336000014',
      name: 'Ali',
      role: 'driver' as const,
      preset: null,
      vendorId: 1,
      invitedBy: null,
      createdAt: offer.expiresAt,
      sentAt: offer.expiresAt,
      expiresAt: offer.expiresAt,
      closedAt: null,
    }
    const items = [
      { ...row, state: 'open' as const, can: { resend: true, withdraw: true } },
      { ...row, id: 8, name: 'Huda', state: 'declined' as const, can: { resend: false, withdraw: false } },
    ]
    const withdraw = vi.fn(() => ({
      ...row,
      state: 'withdrawn' as const,
      can: { resend: false, withdraw: false },
    }))
    shop.on(withdrawInvitation, withdraw)
    await renderInAdmin(seeded({ admin: items }, <InvitationsPanel onClose={vi.fn()} />))
    expect(await screen.findByText('Declined')).toBeTruthy()
    await press('Withdraw')
    await waitFor(() => expect(withdraw).toHaveBeenCalledTimes(1))
  })
})
