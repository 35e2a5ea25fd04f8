import { type Cart, emptyCart, getCart, restoreCart, swapCart } from '@qatra/contract/cart/cart'
import { getOrder } from '@qatra/contract/orders/orders'
import { chooseDeliveryArea, getDeliveryArea, listAreas } from '@qatra/contract/places/areas'
import { listProducts, type Product } from '@qatra/contract/products/products'
import { getMe } from '@qatra/contract/users/auth'
import { listVendors, type Vendor } from '@qatra/contract/vendors/vendors'
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  cartOf,
  type FakeShop,
  hidd,
  noora,
  openShop,
  refusal,
  seef,
  stubScreen,
  vendorOf,
  visit,
} from '../checkout/test-shop.tsx'

beforeAll(() => {
  // Parts are loaded in their own chunks.
  configure({ asyncUtilTimeout: 10_000 })
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
})
beforeEach(stubScreen)
afterEach(() => {
  cleanup()
  document.cookie = 'area=; Max-Age=0'
  vi.unstubAllGlobals()
})

const productOf = (id: number, vendorId: number, price: number): Product => ({
  id,
  vendorId,
  name: `Water ${id}`,
  nameAr: null,
  description: null,
  descriptionAr: null,
  price,
  size: '330ml',
  imageUrl: null,
  vatPercentage: 0,
  isActive: true,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
})
/** Vendor 1 delivers to Seef alone, vendor 2 to Seef and Hidd; today is 21 November. */
function openMarket(first: Partial<Vendor> = {}, second: Partial<Vendor> = {}): FakeShop {
  const shop = openShop()
  shop.on(getCart, () => emptyCart)
  shop.on(getMe, () => refusal('SIGNED_OUT'))
  shop.on(getDeliveryArea, () => {
    const area = [seef, hidd].find(({ id }) => document.cookie.includes(`area=${id}`)) ?? null
    return { area, isChosen: area !== null }
  })
  shop.on(listProducts, () => [productOf(11, 1, 1.5), productOf(21, 2, 1.75)])
  shop.on(listVendors, () => [
    { ...vendorOf(1, 'Hayrat', 'هيرات'), ...first },
    { ...vendorOf(2, 'Ghaima', 'غيمة'), ...second },
  ])
  return shop
}
const line = (name: RegExp | string) => screen.getByRole('button', { name })
const rows = (area: string) =>
  within(screen.getByRole('region', { name: `Delivering to ${area}` })).getAllByRole('listitem')

const promise = () => {
  const heading = screen.getByRole('heading', { level: 1 })
  return `${heading.textContent}${heading.parentElement?.querySelector('p')?.textContent}`
}

async function choose(area: string) {
  fireEvent.click(line(/Choose your area|Deliver to/))
  fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^${area}`) }))
  await screen.findByRole('region', { name: `Delivering to ${area}` })
}

describe('the area line', () => {
  it.each(['/', '/about', '/orders', '/profile', '/login'])(
    'asks for the area on %s until one is known',
    async (path) => {
      const shop = openMarket()
      if (path !== '/login') shop.on(getMe, () => noora)
      await visit(path)
      expect(line('Choose your area: see who delivers')).toBeTruthy()
    },
  )

  it.each(['/checkout', '/orders/X', '/offline', '/nowhere'])('is not shown on %s', async (path) => {
    const shop = openMarket()
    shop.on(getMe, () => noora)
    shop.on(getCart, () => cartOf(1.5))
    shop.on(getOrder, () => refusal('ORDER_NOT_FOUND'))
    await visit(path)
    expect(screen.queryByRole('button', { name: /Choose your area/ })).toBeNull()
  })

  it('names the known area, and is no obstacle if the area cannot be loaded', async () => {
    const shop = openMarket()
    shop.on(getDeliveryArea, () => ({ area: seef, isChosen: true }))
    await visit('/about')
    expect(line(/^Deliver to: Seef/)).toBeTruthy()
    cleanup()
    shop.on(getDeliveryArea, () => refusal('UNAVAILABLE'))
    await visit('/about')
    expect(line(/Choose your area/)).toBeTruthy()
  })
})

describe('a chosen area', () => {
  it('of a signed-in person is kept in the account and not in the cookie', async () => {
    const shop = openMarket()
    shop.on(getMe, () => noora)
    shop.on(chooseDeliveryArea, () => ({ area: seef, isChosen: false }))
    await visit('/')
    await choose('Seef')
    await waitFor(() => expect(shop.to(chooseDeliveryArea).map(({ body }) => body)).toEqual([{ areaId: seef.id }]))
    expect(document.cookie).not.toContain('area=')
  })

  it('that the account does not take gives way to the one before, and the sheet stays with words', async () => {
    const shop = openMarket()
    shop.on(getMe, () => noora)
    shop.on(getDeliveryArea, () => ({ area: hidd, isChosen: true }))
    shop.on(chooseDeliveryArea, () => refusal('UNAVAILABLE'))
    await visit('/about')
    shop.on(getDeliveryArea, () => refusal('UNAVAILABLE'))
    fireEvent.click(line(/^Deliver to: Hidd/))
    fireEvent.click(await screen.findByRole('button', { name: /^Seef/ }))
    expect(await screen.findByText(/^The area could not be chosen/)).toBeTruthy()
    expect(line(/^Deliver to: Hidd/)).toBeTruthy()
    shop.on(chooseDeliveryArea, () => ({ area: seef, isChosen: true }))
    fireEvent.click(screen.getByRole('button', { name: /^Seef/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(line(/^Deliver to: Seef/)).toBeTruthy()
  })

  it('that the account does not take is taken back where no area was known before', async () => {
    const shop = openMarket()
    shop.on(getMe, () => noora)
    shop.on(getDeliveryArea, () => refusal('UNAVAILABLE'))
    shop.on(chooseDeliveryArea, () => refusal('UNAVAILABLE'))
    await visit('/about')
    fireEvent.click(line(/Choose your area/))
    fireEvent.click(await screen.findByRole('button', { name: /^Seef/ }))
    expect(await screen.findByText(/^The area could not be chosen/)).toBeTruthy()
    expect(line(/Choose your area/)).toBeTruthy()
  })

  it('stays when the answer to an earlier choice comes after its own', async () => {
    const shop = openMarket()
    shop.on(getMe, () => noora)
    let answerFirst = () => {}
    const first = new Promise<void>((done) => (answerFirst = done))
    shop.on(chooseDeliveryArea, ({ body }) => {
      const isFirst = (body as { areaId: number }).areaId === seef.id
      return isFirst ? first.then(() => ({ area: seef, isChosen: true })) : { area: hidd, isChosen: true }
    })
    await visit('/about')
    fireEvent.click(line(/Choose your area/))
    fireEvent.click(await screen.findByRole('button', { name: /^Seef/ }))
    await screen.findByRole('button', { name: /^Deliver to: Seef/ })
    fireEvent.click(screen.getByRole('button', { name: /^Hidd/ }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await act(async () => answerFirst())
    expect(line(/^Deliver to: Hidd/)).toBeTruthy()
  })

  it('of an impersonator holds for the page and is not kept', async () => {
    const shop = openMarket()
    shop.on(getMe, () => ({ ...noora, impersonatedBy: { name: 'Boss', phone: '+97336000001' } }))
    await visit('/')
    await choose('Seef')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(shop.to(chooseDeliveryArea)).toEqual([])
    expect(document.cookie).not.toContain('area=')
  })

  it('is kept in the cookie and orders the vendors by day', async () => {
    openMarket({ promisedDate: '2026-11-23' }, { promisedDate: '2026-11-22', cutOff: '16:00' })
    await visit('/')
    await choose('Seef')
    expect(document.cookie).toContain(`area=${seef.id}`)
    expect(rows('Seef').map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^GGhaima.*Tomorrow, SundayOrder before 4:00 PM$/),
      expect.stringMatching(/^HHayrat.*Monday 23$/),
    ])
    expect(promise()).toBe(
      'Order now, here tomorrow, SundayTo Seef, from Ghaima Delivery BHD\u00a00.500 Cash on delivery',
    )
  })

  it('puts vendors that do not deliver there last, with a sentence and out of the promise', async () => {
    openMarket({ promisedDate: '2026-11-22' }, { promisedDate: '2026-11-24' })
    await visit('/')
    await choose('Hidd')
    expect(rows('Hidd').map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^GGhaima.*Tuesday 24$/),
      'HHayratDoes not deliver to Hidd yet',
    ])
    expect(promise()).toBe(
      'Order now, here on Tuesday 24 NovemberTo Hidd, from Ghaima Delivery BHD\u00a00.500 Cash on delivery',
    )
  })

  it('promises nothing if no shown vendor delivers there', async () => {
    openMarket()
    await visit('/?vendor=1')
    fireEvent.click(line(/Choose your area/))
    fireEvent.click(await screen.findByRole('button', { name: /^Hidd/ }))
    expect(await screen.findByText('Hayrat does not deliver to Hidd yet')).toBeTruthy()
  })
})

describe('the sheet', () => {
  it('shows how many vendors deliver to each area and the first day, and finds areas by any spelling', async () => {
    openMarket({}, { promisedDate: '2026-11-25' })
    await visit('/')
    fireEvent.click(line(/Choose your area/))
    expect((await screen.findByRole('button', { name: /^Seef/ })).textContent).toBe('Seef2 vendors tomorrow')
    expect(screen.getByRole('button', { name: /^Hidd/ }).textContent).toBe('Hidd1 vendor Wed 25 Nov')
    fireEvent.change(screen.getByLabelText('Area name'), { target: { value: ' السَيف ' } })
    expect(screen.queryByRole('button', { name: /^Hidd/ })).toBeNull()
    fireEvent.keyDown(screen.getByLabelText('Area name'), { key: 'Enter' })
    await screen.findByRole('region', { name: 'Delivering to Seef' })
  })

  it('offers to try again if the areas cannot be loaded', async () => {
    const shop = openMarket()
    shop.on(listAreas, () => refusal('UNAVAILABLE'))
    await visit('/')
    fireEvent.click(line(/Choose your area/))
    const again = await screen.findByRole('button', { name: /could not be loaded/ })
    shop.on(listAreas, () => [seef, hidd])
    fireEvent.click(again)
    expect(await screen.findByRole('button', { name: /^Hidd/ })).toBeTruthy()
  })
})

describe('a cart of a vendor that does not deliver to the area', () => {
  const swapped: Cart = { ...cartOf(1.75, 4), vendorId: 2, parked: { vendorId: 1, itemCount: 1 } }

  it('is swapped after its differences were shown, and undo restores it', async () => {
    const shop = openMarket()
    shop.on(getCart, () => cartOf(1.5))
    shop.on(getDeliveryArea, () => ({ area: hidd, isChosen: true }))
    shop.on(swapCart, () => swapped)
    shop.on(restoreCart, () => cartOf(1.5, 5))
    await visit('/')
    const [open] = await screen.findAllByRole('button', { name: 'Swap the cart to a vendor that delivers to you' })
    if (!open) throw new Error('The swap is offered')
    const foot = () => screen.getByRole('button', { name: 'Empty cart' }).parentElement?.textContent
    expect(foot()).not.toContain('Arrives')
    fireEvent.click(open)
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('4 × Water 21 330 ml')
    expect(dialog.textContent).toContain('4 cartons of 24\u00a0·\u00a0Hayrat water 330 ml')
    expect(dialog.textContent).toContain('BHD\u00a01.000 more')
    expect(shop.to(swapCart)).toHaveLength(0)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Swap the cart' }))
    await waitFor(() => expect(shop.to(swapCart)).toHaveLength(1))
    expect(shop.to(swapCart)[0]?.body).toEqual({ items: [{ productId: 21, quantity: 4 }] })
    await waitFor(() => expect(foot()).toContain('Arrives'))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(shop.to(restoreCart)).toHaveLength(1))
  })

  it('says so if no vendor there has anything like it', async () => {
    const shop = openMarket()
    shop.on(getCart, () => cartOf(1.5))
    shop.on(getDeliveryArea, () => ({ area: hidd, isChosen: true }))
    shop.on(listProducts, () => [{ ...productOf(21, 2, 1), size: '5 gallon' }])
    await visit('/')
    const [open] = await screen.findAllByRole('button', { name: /^Swap the cart to/ })
    if (!open) throw new Error('The swap is offered')
    fireEvent.click(open)
    expect(await screen.findByText('No vendor that delivers to Hidd has what is in your cart.')).toBeTruthy()
  })
})

describe('a vendor that does not deliver to the area', () => {
  const add = () => screen.getByRole('button', { name: /^Add Water 11/ })
  function openOutside(): FakeShop {
    const shop = openMarket()
    shop.on(getDeliveryArea, () => ({ area: hidd, isChosen: true }))
    shop.on(listProducts, () => [productOf(11, 1, 1.5), productOf(21, 2, 1.75)])
    return shop
  }

  // Each area and vendor is offered once in a visit, and the tests share one: so the order of the two matters not.
  it('has a quiet button, whose first press offers the same from one that does, and the next adds', async () => {
    const shop = openOutside()
    shop.on(getDeliveryArea, () => ({ area: { ...hidd, id: 31 }, isChosen: true }))
    await visit('/?vendor=1')
    expect(add().className).not.toContain('bg-aqua')
    fireEvent.click(add())
    const dialog = await screen.findByRole('dialog', { name: 'Instead, from Ghaima' })
    expect(dialog.textContent).toContain('Hayrat does not deliver to Hidd yet')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Not now' }))
    expect(screen.queryByRole('button', { name: 'Remove from the cart' })).toBeNull()
    fireEvent.click(add())
    expect(await screen.findAllByRole('button', { name: 'Remove from the cart' })).not.toHaveLength(0)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is replaced in the offer', async () => {
    openOutside()
    await visit('/')
    fireEvent.click(add())
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Add from Ghaima' }))
    const replaced = screen.getByRole('group', { name: /Water 21/ })
    expect(await within(replaced).findByRole('button', { name: 'Remove from the cart' })).toBeTruthy()
  })

  it('has a quiet checkout, which offers the swap first and then opens', async () => {
    const shop = openOutside()
    shop.on(getCart, () => cartOf(1.5))
    shop.on(getMe, () => noora)
    shop.on(getDeliveryArea, () => ({ area: { ...hidd, id: 32 }, isChosen: true }))
    const { path } = await visit('/')
    const [checkout] = await screen.findAllByRole('button', { name: 'Checkout' })
    if (!checkout) throw new Error('The cart has a checkout')
    expect(screen.getAllByText('Hayrat does not deliver to Hidd')).not.toHaveLength(0)
    fireEvent.click(checkout)
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep my cart' }))
    expect(path()).toBe('/')
    fireEvent.click(checkout)
    await waitFor(() => expect(path()).toBe('/checkout'))
  })
})

describe('the checkout', () => {
  it('starts in the chosen area if the saved address is elsewhere, without that address', async () => {
    const shop = openShop()
    shop.on(getDeliveryArea, () => ({ area: hidd, isChosen: true }))
    await visit('/checkout')
    expect(screen.getByLabelText<HTMLInputElement>('Road').value).toBe('')
    cleanup()
    shop.on(getDeliveryArea, () => ({ area: seef, isChosen: false }))
    await visit('/checkout')
    expect(screen.getByLabelText<HTMLInputElement>('Road').value).toBe('2831')
  })
})
