import { findAreaAt } from '@qatra/contract/places/areas'
import {
  changeAddress,
  createAddress,
  listAddresses,
  removeAddress,
  type SavedAddress,
} from '@qatra/contract/users/addresses'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, noora, openShop, refusal, seef, stubScreen, visit } from '../checkout/test-shop.tsx'
import { dismissToast } from '../ui/Toast.tsx'

// jsdom cannot render the map; a button replaces it.
vi.mock('../map/PickerMap.tsx', () => ({
  PickerMap: ({ onPick }: { onPick(point: { lat: number; lng: number }): void }) => (
    <button type="button" onClick={() => onPick({ lat: 26.2378, lng: 50.5402 })}>
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
  instructions: 'Blue gate',
  receiverName: 'Abu Salem',
  receiverPhone: '+97336001234',
  isDefault: true,
}
const work: SavedAddress = { ...home, id: 2, label: 'Work', receiverName: null, receiverPhone: null, isDefault: false }

let shop: FakeShop
let book: SavedAddress[]
beforeEach(() => {
  stubScreen()
  vi.stubGlobal('scrollTo', () => undefined)
  HTMLElement.prototype.scrollIntoView = () => undefined
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.setAttribute('open', '')
  }
  HTMLDialogElement.prototype.close ??= () => undefined
  book = [home, work]
  shop = openShop({ ...noora, language: 'en' })
  shop.on(findAreaAt, () => seef)
  shop.on(listAddresses, () => book)
  shop.on(removeAddress, () => {
    book = [{ ...work, isDefault: true }]
    return { success: true as const }
  })
  shop.on(createAddress, () => {
    book = [home, work]
    return home
  })
  shop.on(changeAddress, () => work)
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

const section = () => within(screen.getByRole('region', { name: 'My addresses' }))
const entries = () =>
  section()
    .queryAllByRole('listitem')
    .map((entry) => entry.textContent)

describe('the address book', () => {
  it('shows every address with its receiver, and which one is the default', async () => {
    await visit('/profile')
    expect(entries()).toHaveLength(2)
    expect(entries()[0]).toContain('HomeDefault')
    expect(entries()[0]).toContain('Abu Salem')
    expect(section().queryByRole('button', { name: 'Make default: Home' })).toBeNull()
  })

  it('without addresses says what they are for', async () => {
    book = []
    await visit('/profile')
    expect(section().getByRole('heading', { name: 'No saved addresses yet' })).toBeTruthy()
    expect(section().getByRole('button', { name: 'Add an address' })).toBeTruthy()
  })

  it('that fails to load can be retried', async () => {
    shop.on(listAddresses, () => refusal('UNAVAILABLE'))
    await visit('/profile')
    expect(await section().findByText('Your addresses could not be loaded.')).toBeTruthy()
    shop.on(listAddresses, () => book)
    fireEvent.click(section().getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(entries()).toHaveLength(2))
  })

  it('removes an address, and the undo saves it again with all its fields', async () => {
    await visit('/profile')
    fireEvent.click(section().getByRole('button', { name: 'Remove: Home' }))
    await waitFor(() => expect(entries()).toHaveLength(1))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(entries()).toHaveLength(2))
    const { id: _, areaId: _area, ...fields } = home
    expect(shop.to(createAddress)[0]?.body).toEqual(fields)
  })

  it('makes another address the default', async () => {
    const sent: unknown[] = []
    shop.on(changeAddress, ({ path, body }) => {
      sent.push([path, body])
      return work
    })
    await visit('/profile')
    fireEvent.click(section().getByRole('button', { name: 'Make default: Work' }))
    await waitFor(() => expect(sent).toEqual([['/api/addresses/2', { isDefault: true }]]))
  })

  it('with ten addresses explains why none can be added', async () => {
    book = Array.from({ length: 10 }, (_, i) => ({ ...work, id: i + 1 }))
    await visit('/profile')
    const add = section().getByRole('button', { name: 'Add an address' })
    expect(add.getAttribute('aria-disabled')).toBe('true')
    expect(section().getByText('Ten addresses is the limit. Remove one to add another.')).toBeTruthy()
  })
})

describe('the editor', () => {
  it('adds an address with the map and the fields of the checkout', async () => {
    await visit('/profile')
    fireEvent.click(section().getByRole('button', { name: 'Add an address' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'New address', hidden: true }))
    const hidden = { hidden: true }
    fireEvent.click(sheet.getByRole('button', { name: 'Save', ...hidden }))
    expect(await sheet.findByText('Please select your delivery address on the map')).toBeTruthy()
    expect(shop.to(createAddress)).toHaveLength(0)
    const write = (name: RegExp, value: string) =>
      fireEvent.change(sheet.getByRole('textbox', { name, ...hidden }), { target: { value } })
    write(/^Address name/, 'Home')
    fireEvent.click(await sheet.findByText('in Seef'))
    write(/^Block/, '428')
    write(/^Building/, '1172')
    await sheet.findByRole('textbox', { name: /^Road \(Optional\)/, ...hidden })
    fireEvent.click(sheet.getByRole('button', { name: 'Save', ...hidden }))
    await waitFor(() => expect(shop.to(createAddress)).toHaveLength(1))
    expect(shop.to(createAddress)[0]?.body).toEqual({
      label: 'Home',
      address: 'Seef, Block 428, Building 1172',
      addressParts: { block: '428', building: '1172' },
      mapCoordinates: { lat: 26.2378, lng: 50.5402 },
      pinSource: 'map',
      instructions: null,
      receiverName: null,
      receiverPhone: null,
    })
  })

  it('keeps the input and shows the errors of the server at their fields', async () => {
    shop.on(changeAddress, () => refusal('INVALID_BODY', { fields: { label: 'From the server' } }))
    await visit('/profile')
    fireEvent.click(section().getByRole('button', { name: 'Edit: Home' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Edit address', hidden: true }))
    const label = sheet.getByRole<HTMLInputElement>('textbox', { name: /^Address name/, hidden: true })
    fireEvent.change(label, { target: { value: 'Villa' } })
    fireEvent.click(sheet.getByRole('button', { name: 'Save', hidden: true }))
    expect(await sheet.findByText('From the server')).toBeTruthy()
    expect([label.value, document.activeElement]).toEqual(['Villa', label])
  })
})
