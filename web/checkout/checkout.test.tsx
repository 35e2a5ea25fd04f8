import { initiateCheckout } from '@qatra/contract/analytics'
import { getCart } from '@qatra/contract/cart/cart'
import { noBuyer } from '@qatra/contract/orders/buyer'
import { getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { findAreaAt } from '@qatra/contract/places/areas'
import { reversePlace } from '@qatra/contract/places/geocode'
import { getMe } from '@qatra/contract/users/auth'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dismissToast } from '../ui/Toast.tsx'
import { cartOf, type FakeShop, hidd, noora, openShop, refusal, seef, stubScreen, visit } from './test-shop.tsx'

// jsdom cannot render the map; two buttons replace it.
vi.mock('../map/PickerMap.tsx', () => ({
  PickerMap: ({ onPick }: { onPick(point: { lat: number; lng: number }): void }) => (
    <>
      <button type="button" onClick={() => onPick({ lat: 26.2378, lng: 50.5402 })}>
        in Seef
      </button>
      <button type="button" onClick={() => onPick({ lat: 26.2455, lng: 50.6545 })}>
        in Hidd
      </button>
    </>
  ),
}))

beforeEach(() => {
  stubScreen()
  HTMLElement.prototype.scrollIntoView = () => undefined
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.setAttribute('open', '')
  }
  HTMLDialogElement.prototype.close ??= () => undefined
})
afterEach(() => {
  cleanup()
  dismissToast()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const placed = (shop: FakeShop) =>
  shop.on(placeOrder, () => ({
    id: 'ABCDEFGHJKMNPQRS',
    total: 6.5,
    vendorId: 1,
    promisedDate: '2026-11-22',
    cancellableUntil: '2026-11-21T09:00:00.000Z',
    createdAt: '2026-11-21T08:00:00.000Z',
  }))
const button = () => screen.getByRole('button', { name: /^(Place order|Try again).*BHD/ })
const reason = () => document.getElementById(button().getAttribute('aria-describedby') ?? '')?.textContent
const field = (name: string) => screen.getByLabelText(new RegExp(`^${name}`))
const isReady = () => waitFor(() => expect(button().getAttribute('aria-disabled')).toBeNull())

describe('returning customer', () => {
  it('orders with one click and sees the confirmation', async () => {
    const shop = openShop()
    placed(shop)
    shop.on(getOrder, () => refusal('ORDER_NOT_FOUND'))
    const { path } = await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    await waitFor(() => expect(path()).toBe('/checkout/success/ABCDEFGHJKMNPQRS'))
    const [sent] = shop.to(placeOrder)
    expect(sent?.body).toEqual({
      customerName: 'نورة الدوسري',
      address: 'Seef, Block 428, Road 2831, Building 1172',
      addressParts: { block: '428', road: '2831', building: '1172' },
      mapCoordinates: { lat: 26.2378, lng: 50.5402 },
      pinSource: null,
      instructions: null,
      ...noBuyer,
      paymentMethod: 'cash',
      expectedTotal: 6.5,
      expectedDate: '2026-11-22',
    })
    expect(sent?.headers['idempotency-key']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(sessionStorage.getItem('checkout')).toBeNull()
    expect(shop.to(initiateCheckout)).toHaveLength(1)
  })

  it('sends the address in the language of the page', async () => {
    const shop = openShop()
    placed(shop)
    await visit('/checkout', 'ar')
    fireEvent.click(screen.getByRole('button', { name: /^اطلب الآن/ }))
    await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(1))
    expect(shop.to(placeOrder)[0]?.body).toMatchObject({ address: 'السيف، مجمع 428، طريق 2831، مبنى 1172' })
  })
})

describe('access to the checkout', () => {
  it('sends visitors to the sign-in page and back', async () => {
    const shop = openShop()
    shop.on(getMe, () => refusal('SIGNED_OUT'))
    const { router } = await visit('/checkout')
    expect(router.state.location.href).toBe('/login?redirect=%2Fcheckout')
  })

  it('sends an empty cart to the products', async () => {
    const shop = openShop()
    shop.on(getCart, () => ({ ...cartOf(1.5), items: [], subtotal: 0, total: 0 }))
    const { path } = await visit('/checkout')
    expect(path()).toBe('/')
  })
})

describe('coverage', () => {
  const newcomer = { ...noora, mapCoordinates: null, address: null, addressParts: null }

  it('asks for a location first and says so on the button', async () => {
    openShop(newcomer)
    await visit('/checkout')
    expect(reason()).toBe('Please select your delivery address on the map')
  })

  it('uses the answer of the latest point if earlier ones arrive late', async () => {
    const shop = openShop(newcomer)
    let answerSeef = (_: typeof seef) => {}
    shop.on(findAreaAt, ({ query }) =>
      query.get('lat') === '26.237800' ? new Promise((resolve) => (answerSeef = resolve)) : hidd,
    )
    await visit('/checkout')
    fireEvent.click(await screen.findByText('in Seef'))
    expect(
      await screen.findByText('Checking delivery coverage for your location...', { selector: 'p.font-strong' }),
    ).toBeTruthy()
    expect(reason()).toContain('Checking')
    fireEvent.click(screen.getByText('in Hidd'))
    await screen.findByText(
      'Sorry, Hayrat does not deliver to Hidd. Please choose a different vendor or change your delivery location.',
    )
    answerSeef(seef)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(screen.queryByText('Hayrat delivers to Seef')).toBeNull()
    expect(reason()).toBe('No delivery to Hidd')
    // The vendors that deliver there are linked.
    expect(screen.getByRole('link', { name: 'Ghaima' }).getAttribute('href')).toContain('vendor=2')
  })

  it('distinguishes a point outside every area from a failed look-up, which can be retried', async () => {
    const shop = openShop(newcomer)
    shop.on(findAreaAt, () => refusal('AREA_NOT_FOUND'))
    await visit('/checkout')
    fireEvent.click(await screen.findByText('in Seef'))
    await waitFor(() => expect(reason()).toBe('Location outside service area'))
    shop.on(findAreaAt, () => refusal('UNAVAILABLE'))
    fireEvent.click(screen.getByText('in Hidd'))
    await waitFor(() => expect(reason()).toBe('Unable to verify delivery coverage'))
    shop.on(findAreaAt, () => seef)
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await isReady()
  })

  it('accepts an area of the list instead of a point on the map', async () => {
    openShop(newcomer)
    await visit('/checkout')
    fireEvent.click(screen.getByRole('button', { name: 'Choose from the list of areas' }))
    const search = await screen.findByLabelText('Area name')
    fireEvent.change(search, { target: { value: 'Seaf' } })
    expect(await screen.findByText('Did you mean?')).toBeTruthy()
    fireEvent.change(search, { target: { value: '٤٢٨' } })
    expect(screen.getByText('Areas where this block usually is')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Hidd/ })).toBeNull()
    fireEvent.change(search, { target: { value: 'السِّيف' } })
    fireEvent.click(await screen.findByRole('button', { name: 'Seef' }))
    await screen.findByText('Hayrat delivers to Seef')
  })
})

describe('fields', () => {
  it('show their errors, and the first invalid field gets the focus', async () => {
    const shop = openShop({ ...noora, name: null, addressParts: { block: '428' } })
    await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    await waitFor(() => expect(field('Road').getAttribute('aria-invalid')).toBe('true'))
    expect(document.activeElement).toBe(field('Road'))
    expect(field('Name').getAttribute('aria-describedby')).toContain('error')
    expect(screen.getByText('Name required')).toBeTruthy()
    expect(shop.to(placeOrder)).toHaveLength(0)
    fireEvent.change(field('Road'), { target: { value: '٢٨٣١' } })
    expect(field('Road').getAttribute('aria-invalid')).toBeNull()
  })

  const newcomer = { ...noora, mapCoordinates: null, address: null, addressParts: null }
  const placeAt = (block: number | null, address = '') => [{ ...seef.centre, address, display_name: '', block }]

  it('clear the error of the block when the place look-up fills it in after validation', async () => {
    const shop = openShop(newcomer)
    let answer = (_: ReturnType<typeof placeAt>) => {}
    shop.on(reversePlace, () => new Promise((resolve) => (answer = resolve as typeof answer)))
    await visit('/checkout')
    fireEvent.click(await screen.findByText('in Seef'))
    await isReady()
    fireEvent.click(button())
    await waitFor(() => expect(field('Block').getAttribute('aria-invalid')).toBe('true'))
    answer(placeAt(436))
    await waitFor(() => expect(field('Block')).toHaveProperty('value', '436'))
    expect(field('Block').getAttribute('aria-invalid')).toBeNull()
    expect(field('Building').getAttribute('aria-invalid')).toBe('true')
  })

  it('keep the block empty if no imported block covers the pin, whatever the address says', async () => {
    const shop = openShop(newcomer)
    shop.on(reversePlace, () => placeAt(null, 'Seef, Block 436'))
    await visit('/checkout')
    fireEvent.click(await screen.findByText('in Seef'))
    await isReady()
    await waitFor(() => expect(shop.to(reversePlace)).toHaveLength(1))
    expect(field('Block')).toHaveProperty('value', '')
  })

  it('keep the block empty for an area of the list, whose centre is no address', async () => {
    const shop = openShop(newcomer)
    shop.on(reversePlace, () => placeAt(436))
    await visit('/checkout')
    fireEvent.click(screen.getByRole('button', { name: 'Choose from the list of areas' }))
    fireEvent.change(await screen.findByLabelText('Area name'), { target: { value: 'Seef' } })
    fireEvent.click(await screen.findByRole('button', { name: 'Seef' }))
    await screen.findByText('Hayrat delivers to Seef')
    await waitFor(() => expect(shop.to(reversePlace)).toHaveLength(1))
    expect(field('Block')).toHaveProperty('value', '')
    expect(screen.getByText(/^This place is approximate/)).toBeTruthy()
  })

  it('replace a filled-in block when the pin moves, and never a typed one', async () => {
    const shop = openShop(newcomer)
    shop.on(findAreaAt, ({ query }) => (query.get('lat') === '26.237800' ? seef : hidd))
    shop.on(reversePlace, ({ query }) => placeAt(query.get('lat') === '26.237800' ? 428 : null))
    await visit('/checkout')
    fireEvent.click(await screen.findByText('in Seef'))
    await waitFor(() => expect(field('Block')).toHaveProperty('value', '428'))
    fireEvent.click(screen.getByText('in Hidd'))
    await waitFor(() => expect(field('Block')).toHaveProperty('value', ''))
    fireEvent.change(field('Block'), { target: { value: '104' } })
    fireEvent.click(screen.getByText('in Seef'))
    expect(await screen.findByText('The pin is in block 428. Check the number.')).toBeTruthy()
    expect(field('Block')).toHaveProperty('value', '104')
  })

  it('point out a block outside the hundreds of the area, and send it as typed', async () => {
    const shop = openShop({ ...noora, addressParts: { block: '428', road: '2831', building: '1172' } })
    placed(shop)
    await visit('/checkout')
    await isReady()
    const hint = 'Blocks in Seef usually start with 4. Check the number.'
    expect(screen.queryByText(hint)).toBeNull()
    fireEvent.change(field('Block'), { target: { value: '٣٣٨' } })
    expect(screen.getByText(hint)).toBeTruthy()
    fireEvent.click(button())
    await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(1))
    expect(shop.to(placeOrder)[0]?.body).toMatchObject({ addressParts: { block: '338' } })
  })

  it('show the validation errors of the server', async () => {
    const shop = openShop()
    shop.on(placeOrder, () => refusal('INVALID_BODY', { fields: { customerName: 'From the server' } }))
    await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    expect(await screen.findByText('From the server')).toBeTruthy()
    expect(document.activeElement).toBe(field('Name'))
  })
})

describe('when placing fails', () => {
  it('keeps the key after a lost answer, reports it, and uses the answer of the retry', async () => {
    const shop = openShop()
    let isDown = true
    placed(shop)
    const fetch = globalThis.fetch
    vi.stubGlobal('fetch', (address: string, init?: RequestInit) =>
      isDown && address === '/api/orders'
        ? fetch(address, init).then(() => Promise.reject(new TypeError('lost')))
        : fetch(address, init),
    )
    const { path } = await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    expect(await screen.findAllByText(/it will be placed only once/)).not.toHaveLength(0)
    isDown = false
    fireEvent.click(button())
    await waitFor(() => expect(path()).toContain('/checkout/success/'))
    const keys = shop.to(placeOrder).map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('lists higher prices and accepts them with one click', async () => {
    const shop = openShop()
    shop.on(placeOrder, () => refusal('PRICE_CHANGED', { cart: cartOf(1.75, 4) }))
    await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    await screen.findByText('Your order’s total has changed')
    expect(screen.getByText('Hayrat water 330 ml', { selector: 'dt' }).nextSibling?.textContent).toMatch(
      /1\.500.*1\.750/,
    )
    placed(shop)
    fireEvent.click(screen.getByRole('button', { name: /Order for BHD\s7\.500/ }))
    await waitFor(() => expect(shop.to(placeOrder)).toHaveLength(2))
    expect(shop.to(placeOrder)[1]?.body).toMatchObject({ expectedTotal: 7.5 })
  })

  it('lists no price if only a quantity changed', async () => {
    const shop = openShop()
    const [line] = cartOf(1.5, 4).items
    const fuller = { ...cartOf(1.5, 4), items: line ? [{ ...line, quantity: 5 }] : [], subtotal: 7.5, total: 8 }
    shop.on(placeOrder, () => refusal('PRICE_CHANGED', { cart: fuller }))
    await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    const dialog = await screen.findByRole('dialog', { name: 'Your order’s total has changed' })
    const changes = [...dialog.querySelectorAll('dt')].map(
      (name) => `${name.textContent}: ${name.nextSibling?.textContent}`,
    )
    expect(changes).toEqual([
      'Hayrat water 330 ml: 4 cartons of 245 cartons of 24',
      'Total: BHD\u00a06.500BHD\u00a08.000',
    ])
  })

  it('shows the minimum and returns to the products', async () => {
    const shop = openShop()
    shop.on(placeOrder, () => refusal('MINIMUM_NOT_MET', { required: 8, remaining: 1.5 }))
    const { path } = await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    await waitFor(() => expect(path()).toBe('/'))
    expect(await screen.findByText(/Add BHD\s1\.500 to complete the order\. The minimum is BHD\s8\.000\./)).toBeTruthy()
  })

  it('opens the orders if the key has an order already', async () => {
    const shop = openShop()
    shop.on(placeOrder, () => refusal('IDEMPOTENCY_KEY_REUSED'))
    const { path } = await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    await waitFor(() => expect(path()).toBe('/orders'))
  })

  it.each([
    ['PRODUCT_UNAVAILABLE', /no longer offered/],
    ['OUTSIDE_SERVICE_AREA', /outside service area/],
    ['VENDOR_DOES_NOT_DELIVER', /does not deliver/],
    ['ADDRESS_REQUIRED', /select your delivery address/],
    ['INTERNAL', /only once/],
    ['TOO_MANY_REQUESTS', /Try again in 59 minutes/],
  ] as const)('shows the message of %s beside the button', async (code, words) => {
    const shop = openShop()
    shop.on(placeOrder, () => {
      const refused = refusal(code)
      refused.headers.set('retry-after', '3500')
      return refused
    })
    await visit('/checkout')
    await isReady()
    fireEvent.click(button())
    await waitFor(() => expect(button().parentElement?.querySelector('[role=alert]')?.textContent).toMatch(words))
  })
})
