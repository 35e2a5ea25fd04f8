import { getAccount } from '@qatra/contract/whatsapp-account'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop } from '../../checkout/test-shop.tsx'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { AccountPart } from './AccountPart.tsx'

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('account on the connection page', () => {
  it('shows limit, quality and what Meta reported, with its words', async () => {
    const at = '2026-11-21T09:00:00.000Z'
    const notice = { id: 1, at, tier: null, field: 'account_update' }
    shop.on(getAccount, () => ({
      tier: 'TIER_2K',
      isFlagged: true,
      notices: [
        { ...notice, event: 'ACCOUNT_RESTRICTION', severity: 'critical' as const, text: 'RESTRICTED until 2026-12-01' },
        { ...notice, id: 2, event: 'CAPABILITY', severity: 'info' as const, text: null, tier: 'TIER_UNLIMITED' },
      ],
    }))
    await renderInAdmin(() => <AccountPart />)
    expect(await screen.findByText('2000 people a day')).toBeTruthy()
    expect(screen.getByText('Low: many people block or report the messages')).toBeTruthy()
    expect(screen.getByText('Critical')).toBeTruthy()
    expect(screen.getByText('RESTRICTED until 2026-12-01')).toBeTruthy()
    expect(screen.getByText('Unlimited')).toBeTruthy()
  })

  it('says so if Meta has reported nothing', async () => {
    shop.on(getAccount, () => ({ tier: null, isFlagged: null, notices: [] }))
    await renderInAdmin(() => <AccountPart />)
    expect(await screen.findByText('Meta has reported nothing so far.')).toBeTruthy()
    expect(screen.getAllByText('Not reported yet')).toHaveLength(2)
  })
})
