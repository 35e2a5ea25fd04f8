import { expect, type Page, request as requests } from '@playwright/test'
import { plain } from '../settings.ts'
import { newPhone, signInCustomerByCalls, signInRequest } from './phones.ts'

const seef = { lat: 26.2378, lng: 50.5402 }

export interface OrderOptions {
  productId: number
  quantity: number
  /** Empty bottles that are given back. Default: as many as the customer has. */
  empties?: number
  customerName?: string
  instructions?: string
  deliveryDate?: string
}

/** Places an order for the signed-in person by API calls. */
export async function placeByCalls(
  { request }: Pick<Page, 'request'>,
  { productId, quantity, empties, customerName, instructions, deliveryDate }: OrderOptions,
) {
  const added = await request.post('/api/cart/add', { data: { productId, quantity } })
  expect(added.status()).toBe(200)
  if (empties !== undefined) {
    const [item] = (await added.json()).items
    const answered = await request.patch(`/api/cart/update/${item.id}`, { data: { quantity, empties } })
    expect(answered.status(), await answered.text()).toBe(200)
  }
  const placed = await request.post('/api/orders', {
    data: {
      customerName: customerName ?? 'مريم العلي',
      address: 'مجمع 428، طريق 2831، مبنى 1172، السيف',
      addressParts: { block: '428', road: '2831', building: '1172' },
      mapCoordinates: seef,
      instructions: instructions ?? null,
      paymentMethod: 'cash',
      ...(deliveryDate ? { deliveryDate } : {}),
    },
  })
  expect(placed.status(), await placed.text()).toBe(200)
  const order: { id: string; total: number } = await placed.json()
  return order
}

export const deliver = (orderId: string) => bringTo(orderId, 'delivered')

/** Signed in as the demo super admin. */
export async function bringTo(orderId: string, status: 'in-progress' | 'shipped' | 'delivered' | 'cancelled') {
  const admin = await requests.newContext({ baseURL: plain.origin })
  try {
    await signInRequest(admin, '+97336000001')
    const answer = await admin.patch(`/api/admin/orders/${orderId}/status`, { data: { status } })
    expect(answer.status(), await answer.text()).toBe(200)
  } finally {
    await admin.dispose()
  }
}

/** A signed-in customer with one delivered order and a saved address. */
export async function returningCustomer(page: Page, options: OrderOptions) {
  const phone = newPhone()
  await signInCustomerByCalls(page, phone)
  const order = await placeByCalls(page, options)
  await deliver(order.id)
  return { phone, order }
}
