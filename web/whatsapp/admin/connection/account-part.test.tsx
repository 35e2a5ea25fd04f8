import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { AccountFacts } from './AccountPart.tsx'

beforeEach(() => setUpScreen())
afterEach(() => cleanup())

describe('account on the connection page', () => {
  it('shows limit, quality and what Meta reported, with its words', async () => {
    const notice = { id: 1, at: '2026-11-21T09:00:00.000Z', tier: null, field: 'account_update' }
    const account = {
      tier: 'TIER_2K',
      isFlagged: true,
      notices: [
        { ...notice, event: 'ACCOUNT_RESTRICTION', severity: 'critical' as const, text: 'RESTRICTED until 2026-12-01' },
        { ...notice, id: 2, event: 'CAPABILITY', severity: 'info' as const, text: null, tier: 'TIER_UNLIMITED' },
      ],
    }
    await renderInAdmin(() => <AccountFacts account={account} />)
    expect(screen.getByText(/^2,?000 people a day$/)).toBeTruthy()
    expect(screen.getByText('Low: many people block or report the messages')).toBeTruthy()
    expect(screen.getByText('Critical')).toBeTruthy()
    expect(screen.getByText('RESTRICTED until 2026-12-01')).toBeTruthy()
    expect(screen.getByText('Unlimited')).toBeTruthy()
  })

  it('says so if Meta has reported nothing', async () => {
    await renderInAdmin(() => <AccountFacts account={{ tier: null, isFlagged: null, notices: [] }} />)
    expect(screen.getByText('Meta has reported nothing so far.')).toBeTruthy()
    expect(screen.getAllByText('Not reported yet')).toHaveLength(2)
  })
})
