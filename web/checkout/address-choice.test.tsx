import { placeOrder } from '@qatra/contract/orders/orders'
import { findAreaAt } from '@qatra/contract/places/areas'
import { listAddresses, type SavedAddress } from '@qatra/contract/users/addresses'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hidd, noora, openShop, refusal, seef, stubScreen, visit } from './test-shop.tsx'

// jsdom cannot render the map; a button replaces it.
vi.mock('../map/PickerMap.tsx', () => ({
  PickerMap: ({ onPick }: { onPick(point: { lat: number; lng: number }): void }) => (
    <button type="button" onClick={() => onPick({ lat: 26.2379, lng: 50.5403 })}>
      in Seef
    </button>
  ),
}))

const home: SavedAddress = {
  id: 1,
  label: 'Home',
  address: 'Seef, Block 428, Road 2831, Building 1172',
  addressParts: { block: '428', road: '2831', building: '1172' },
  mapCoordinates: { lat: 26.2378, lng: 50.5402 },
  pinSource: null,
  isPinAsked: false,
  areaId: seef.id,
  instructions: null,
  receiverName: null,
  receiverPhone: null,
  isDefault: true,
}
const parents: SavedAddress = {
  ...home,
  id: 2,
  label: 'Parents',
  address: 'Hidd, Block 111, Road 7, Building 3',
  addressParts: { block: '111', road: '7', building: '3' },
  mapCoordinates: { lat: 26.2455, lng: 50.6545 },
  pinSource: null,
  areaId: hidd.id,
  instructions: 'Blue gate',
  receiverName: 'Abu Salem',
  receiverPhone: '+97336001234',
  isDefault: false,
}

function openShopWithBook(...book: SavedAddress[]) {
  const shop = openShop(noora)
  shop.on(listAddresses, () => book)
  shop.on(findAreaAt, ({ query }) => (query.get('lng') === '50.654500' ? { ...hidd, vendorIds: [1] } : seef))
  return shop
}
const button = () => screen.getByRole('button', { name: /^Place order.*BHD/ })
const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })
const parts = () => [/^Block/, /^Road/, /^Building/].map((name) => field(name).value)
const isReady = () => waitFor(() => expect(button().getAttribute('aria-disabled')).toBeNull())

beforeEach(() => {
  stubScreen()
  HTMLElement.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const press = (name: RegExp | string) => fireEvent.click(screen.getByRole('button', { name }))
/** Replaces the card by the list of addresses. */
const change = () => press(/^Change: Delivery location/)
/** Opens the fields of the chosen address. */
const edit = () => press('Edit this address')
const hasMap = () => screen.queryByRole('textbox', { name: /^Block/ }) !== null

it('a saved address is a card without map and fields, and the order goes there on the day that the button says', async () => {
  const shop = openShopWithBook(home, parents)
  await visit('/checkout')
  expect(screen.getByText('Seef, Block 428, Road 2831, Building 1172')).toBeTruthy()
  expect(screen.queryByRole('radio', { name: /Home/ })).toBeNull()
  expect(hasMap()).toBe(false)
  expect(screen.queryByText('in Seef')).toBeNull()
  await isReady()
  expect(button().textContent).toContain('Sunday, to Seef')
  fireEvent.click(button())
  await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(1))
  expect(shop.to(placeOrder)[0]?.body).toMatchObject({ addressId: 1, mapCoordinates: home.mapCoordinates })
  expect(shop.to(placeOrder)[0]?.body).not.toHaveProperty('receiverName')
})

it('another saved address replaces all fields, with the receiver', async () => {
  const shop = openShopWithBook(home, parents)
  await visit('/checkout')
  await isReady()
  change()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /Home/ }).checked).toBe(true)
  fireEvent.click(screen.getByRole('radio', { name: /Parents/ }))
  await waitFor(() => expect(button().textContent).toContain('to Hidd'))
  edit()
  await screen.findByText('Hayrat delivers to Hidd')
  expect(parts()).toEqual(['111', '7', '3'])
  expect(field(/^Receiver’s name/).value).toBe('Abu Salem')
  await isReady()
  fireEvent.click(button())
  await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(1))
  expect(shop.to(placeOrder)[0]?.body).toMatchObject({
    addressId: 2,
    address: 'Hidd, Block 111, Road 7, Building 3',
    instructions: 'Blue gate',
    receiverName: 'Abu Salem',
    receiverPhone: '+97336001234',
  })
})

it('a new address starts empty, and back at a saved one its parts are complete', async () => {
  openShopWithBook(home, parents)
  await visit('/checkout')
  await isReady()
  change()
  fireEvent.click(screen.getByRole('radio', { name: 'New address' }))
  expect(parts()).toEqual(['', '', ''])
  expect(await screen.findByText('in Seef')).toBeTruthy()
  fireEvent.click(screen.getByRole('radio', { name: /Parents/ }))
  fireEvent.click(screen.getByRole('radio', { name: /Home/ }))
  expect(hasMap()).toBe(false)
  edit()
  await screen.findByText('Hayrat delivers to Seef')
  expect(parts()).toEqual(['428', '2831', '1172'])
})

it('the road is optional once the person sets the pin inside an area', async () => {
  const shop = openShopWithBook(home)
  await visit('/checkout')
  await isReady()
  change()
  edit()
  fireEvent.change(field(/^Road/), { target: { value: '' } })
  fireEvent.click(button())
  await waitFor(() => expect(field(/^Road/).getAttribute('aria-invalid')).toBe('true'))
  expect(shop.to(placeOrder)).toHaveLength(0)
  fireEvent.click(await screen.findByText('in Seef'))
  await screen.findByRole('textbox', { name: /^Road \(Optional\)/ })
  await isReady()
  fireEvent.click(button())
  await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(1))
  expect(shop.to(placeOrder)[0]?.body).toMatchObject({ addressParts: { block: '428', building: '1172' } })
})

it('asks once whether the approximate pin of a saved address is at the door, and tells that it asked', async () => {
  const question = 'Is the pin at your door?'
  const shop = openShopWithBook({ ...home, pinSource: 'area' }, { ...parents, pinSource: 'area', isPinAsked: true })
  await visit('/checkout')
  expect(await screen.findByText(question, { exact: false })).toBeTruthy()
  expect(await screen.findByText('in Seef')).toBeTruthy()
  expect(hasMap()).toBe(false)
  change()
  fireEvent.click(screen.getByRole('radio', { name: /Parents/ }))
  await waitFor(() => expect(button().textContent).toContain('to Hidd'))
  expect(screen.queryByText(question, { exact: false })).toBeNull()
  expect(screen.queryByText('in Seef')).toBeNull()
  // What it means stays in sight.
  expect(screen.getByText(/^This place is approximate/)).toBeTruthy()
  fireEvent.click(screen.getByRole('radio', { name: /Home/ }))
  await isReady()
  fireEvent.click(button())
  await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(1))
  expect(shop.to(placeOrder)[0]?.body).toMatchObject({ addressId: 1, pinSource: 'area', isPinAsked: true })
})

it('opens the fields of a saved address that lacks one, and those of a name that is refused', async () => {
  const shop = openShopWithBook({ ...home, addressParts: { block: '428' } })
  shop.on(placeOrder, () => refusal('INVALID_BODY', { fields: { customerName: 'Name required' } }))
  await visit('/checkout')
  await isReady()
  expect(parts()).toEqual(['428', '', ''])
  fireEvent.change(field(/^Road/), { target: { value: '2831' } })
  fireEvent.change(field(/^Building/), { target: { value: '1172' } })
  expect(screen.queryByRole('textbox', { name: /^Name/ })).toBeNull()
  fireEvent.click(button())
  await waitFor(() => expect(field(/^Name/).getAttribute('aria-invalid')).toBe('true'))
  expect(document.activeElement).toBe(field(/^Name/))
  expect(parts()).toEqual(['428', '2831', '1172'])
})
