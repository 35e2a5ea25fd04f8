import { noTotals } from '@qatra/contract/orders/totals'
import { getMe } from '@qatra/contract/users/auth'
import {
  type ConversationCart,
  changeConversationCart,
  getConversationCart,
  sendConversationCart,
} from '@qatra/contract/whatsapp/inbox/cart'
import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueries } from '../../../app/queries.ts'
import { type FakeShop, fakeShop, refusal } from '../../../checkout/test-shop.tsx'
import { read } from '../../../lib/api-client.ts'
import { takeCaller } from '../../../sales/admin/linked-caller.ts'
import { renderInAdmin, sara, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { dismissToast, Toasts } from '../../../ui/Toast.tsx'
import { CartPart } from './CartPart.tsx'

let shop: FakeShop
let state: ConversationCart
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
  state = cartWith(4)
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

const cartWith = (quantity: number, more: Partial<ConversationCart> = {}): ConversationCart => ({
  cart: {
    id: 1,
    vendorId: 1,
    items:
      quantity === 0
        ? []
        : [
            {
              id: 11,
              cartId: 1,
              productId: 5,
              quantity,
              name: 'Hayrat water',
              nameAr: null,
              size: '500ml',
              price: 1.6,
              imageUrl: null,
              vendorId: 1,
              vatPercentage: 10,
              inventoryUnit: null,
              inventoryUnitAr: null,
              unitsPerInventoryUnit: 1,
              bottle: null,
              empties: 0,
              held: 0,
              isAnswered: false,
              deposit: 0,
              isAvailable: true,
            },
          ],
    ...noTotals,
    subtotal: (quantity * 16) / 10,
    total: (quantity * 16) / 10,
    version: 3,
    free: {},
    parked: null,
  },
  vendor: { id: 1, name: 'Hayrat', nameAr: 'هيرات' },
  minimumLeft: 0,
  promisedDate: '2026-11-24',
  area: { name: 'Seef', nameAr: 'السيف' },
  name: 'Mariam',
  address: 'Building 12, Road 3810, Block 428',
  addressParts: null,
  mapCoordinates: { lat: 26.2, lng: 50.5 },
  pinSource: 'gps',
  isAwaitingYes: false,
  ...more,
})
const detail = { contactId: 3, phone: '+97333111222', account: null, name: 'M' } as unknown as ConversationDetail // the read fields
async function show({ mayWrite = true, user = sara } = {}) {
  const queries = createQueries(() => Promise.resolve(structuredClone(state)))
  queries.setQueryData(read(getMe).queryKey, user)
  await renderInAdmin(() => (
    <QueryClientProvider client={queries}>
      <CartPart detail={detail} mayWrite={mayWrite} />
      <Toasts />
    </QueryClientProvider>
  ))
  return { queries }
}

describe('the cart beside the chat', () => {
  it('shows lines, total, day and area, and follows the customer', async () => {
    const { queries } = await show()
    await screen.findByText('Hayrat water 500 ml')
    expect(screen.getByText(/Tuesday.* · Seef/)).toBeTruthy()
    state = cartWith(0)
    await queries.invalidateQueries({ queryKey: [getConversationCart.path] })
    await screen.findByText('The cart is empty.')
    expect(screen.queryByRole('button', { name: 'Send the cart for confirmation' })).toBeNull()
  })

  it('stores the last of several changes, and the cart of the server after a refusal', async () => {
    const stored: unknown[] = []
    shop.on(changeConversationCart, ({ body }) => {
      stored.push(body)
      return cartWith((body as { quantity: number }).quantity)
    })
    await show()
    const more = await screen.findByRole('button', { name: /more|increase|add/i })
    fireEvent.click(more)
    fireEvent.click(more)
    await waitFor(() => expect(stored.at(-1)).toEqual({ quantity: 6 }))
    expect(stored.length).toBeLessThanOrEqual(2)
    shop.on(changeConversationCart, () => refusal('CART_ITEM_NOT_FOUND'))
    state = cartWith(0)
    fireEvent.click(more)
    await screen.findByText('The cart is empty.')
  })

  it('is sent for confirmation once, and waits for the yes', async () => {
    let count = 0
    shop.on(sendConversationCart, () => {
      count += 1
      state = cartWith(4, { isAwaitingYes: true })
      return state
    })
    await show()
    const send = await screen.findByRole('button', { name: 'Send the cart for confirmation' })
    fireEvent.click(send)
    await screen.findByText('Waiting for the customer’s yes')
    fireEvent.click(send)
    expect(count).toBe(1)
  })

  it('that lacks the address says what the customer was asked for, and does not wait for a yes', async () => {
    shop.on(sendConversationCart, () => {
      state = cartWith(4, { address: null })
      return state
    })
    await show()
    fireEvent.click(await screen.findByRole('button', { name: 'Send the cart for confirmation' }))
    await screen.findByText('Not complete yet: the bot asked the customer for the delivery address.')
    expect(screen.queryByText('The customer was asked to confirm.')).toBeNull()
  })

  it('fills in the order page with phone, name, address and items', async () => {
    await show({ user: { ...sara, role: 'super_admin', permissions: ['sales.place'] } })
    await screen.findByText('Hayrat water 500 ml')
    fireEvent.click(screen.getByRole('link', { name: 'Order for this customer' }))
    expect(takeCaller('+97333111222')).toMatchObject({
      name: 'Mariam',
      point: { lat: 26.2, lng: 50.5 },
      pin: { source: 'gps' },
      ownAddress: 'Building 12, Road 3810, Block 428',
      lines: [{ productId: 5, quantity: 4 }],
    })
    expect(takeCaller('+97333111222')).toEqual({})
  })

  it('cannot be changed without the right', async () => {
    await show({ mayWrite: false })
    await screen.findByText('Hayrat water 500 ml')
    expect(screen.queryByRole('button')).toBeNull()
  })
})
