import { getCash } from '@qatra/contract/drivers'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../checkout/test-shop.tsx'
import { fetchKey } from '../../lib/api-client.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { DriverPanel } from './DriverPanel.tsx'

const driver = { id: 7, name: 'Raid Salman', phone: '+97336000007', vendorId: 1 }
const cashOf = (collected: number) => ({
  expected: 20,
  collected,
  counted: null,
  handedOver: 0,
  inHand: collected,
  difference: null,
})
const row = (collected: number) => ({ driver, cash: cashOf(collected) })
let shop: FakeShop

function Shown() {
  const queries = useQueryClient()
  const [collected, setCollected] = useState(5)
  useState(() => queries.setDefaultOptions({ queries: { queryFn: fetchKey, staleTime: Infinity, retry: false } }))
  return (
    <>
      <button type="button" onClick={() => setCollected(8)}>
        delivered
      </button>
      <DriverPanel row={row(collected) as never} date="2026-11-20" onClose={() => {}} />
    </>
  )
}

beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('a delivery while the panel is open renews cash and entries', async () => {
  shop.on(getCash, () => ({ ...cashOf(5), entries: [] }) as never)
  await renderInAdmin(Shown)
  expect(await screen.findAllByText(/5\.000/)).toHaveLength(2)
  shop.on(getCash, () => ({ ...cashOf(8), entries: [] }) as never)
  fireEvent.click(screen.getByRole('button', { name: 'delivered' }))
  expect(await screen.findAllByText(/8\.000/)).toHaveLength(2)
})

it('entries that cannot be read are no empty list, and can be read again', async () => {
  shop.on(getCash, () => refusal('UNAVAILABLE'))
  await renderInAdmin(Shown)
  const again = await screen.findByRole('button', { name: /try|again|retry/i })
  shop.on(getCash, () => ({ ...cashOf(5), entries: [] }) as never)
  fireEvent.click(again)
  expect(await screen.findByText(/^No /)).toBeDefined()
})
