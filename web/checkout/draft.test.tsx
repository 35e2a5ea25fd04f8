import { placeOrder } from '@qatra/contract/orders/orders'
import type { User } from '@qatra/contract/users/auth'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkoutDraftKey } from '../app/session/personal-storage.ts'
import { noora, openShop, stubScreen, visit } from './test-shop.tsx'

const newcomer: User = {
  ...noora,
  id: 70,
  name: null,
  address: null,
  addressParts: null,
  mapCoordinates: { lat: 0, lng: 0 },
}
const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })
const write = (name: RegExp, value: string) => fireEvent.change(field(name), { target: { value } })
const written = () => [/^Name/, /^Road/, /^Building/, /^Delivery instructions/].map((name) => field(name).value)

async function fillIn(user: User) {
  openShop(user)
  await visit('/checkout')
  write(/^Name/, 'عبدﷲ علي')
  write(/^Road/, '2831')
  write(/^Building/, '1172')
  write(/^Delivery instructions/, 'Blue gate')
}

/** Reloads the tab: memory is lost, session storage stays. */
async function reload(user: User) {
  cleanup()
  const shop = openShop(user)
  await visit('/checkout')
  return shop
}

// jsdom cannot render the map.
vi.mock('../map/PickerMap.tsx', () => ({ PickerMap: () => null }))

beforeEach(() => {
  stubScreen()
  sessionStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('the form of a new customer is restored after a reload', async () => {
  await fillIn(newcomer)
  await reload(newcomer)
  expect(written()).toEqual(['عبدﷲ علي', '2831', '1172', 'Blue gate'])
})

it('another person in the same tab gets an empty form', async () => {
  await fillIn(newcomer)
  await reload({ ...newcomer, id: 71 })
  expect(written()).toEqual(['', '', '', ''])
})

it('a form filled in by an impersonating admin is not stored', async () => {
  await fillIn({ ...newcomer, impersonatedBy: { name: 'Boss', phone: '+97336000001' } })
  expect(Object.keys(sessionStorage)).toEqual([])
})

it('the profile of a returning customer fills the form until a draft exists', async () => {
  openShop(noora)
  await visit('/checkout')
  expect(sessionStorage.getItem(checkoutDraftKey + noora.id)).toBeNull()
})

it('a placed order deletes the draft', async () => {
  const shop = openShop(noora)
  shop.on(placeOrder, () => ({
    id: 'ABCDEFGHJKMNPQRS',
    total: 6.5,
    vendorId: 1,
    promisedDate: '2026-11-22',
    cancellableUntil: '2026-11-21T09:00:00.000Z',
    createdAt: '2026-11-21T08:00:00.000Z',
  }))
  await visit('/checkout')
  write(/^Delivery instructions/, 'Blue gate')
  expect(sessionStorage.getItem(checkoutDraftKey + noora.id) ?? '').toContain('Blue gate')
  const place = () => screen.getByRole('button', { name: /^Place order/ })
  await vi.waitFor(() => expect(place().getAttribute('aria-disabled')).toBeNull())
  fireEvent.click(place())
  await vi.waitFor(() => expect(sessionStorage.getItem(checkoutDraftKey + noora.id)).toBeNull())
  expect(shop.to(placeOrder)).toHaveLength(1)
})

it('the form is empty and works if storage is blocked or holds another shape', async () => {
  sessionStorage.setItem(checkoutDraftKey + newcomer.id, '{"form":{"parts":7}}')
  openShop(newcomer)
  await visit('/checkout')
  expect(written()).toEqual(['', '', '', ''])
  cleanup()
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  await fillIn(newcomer)
  expect(written()).toEqual(['عبدﷲ علي', '2831', '1172', 'Blue gate'])
})
