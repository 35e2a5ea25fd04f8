import { expect, request as requests } from '@playwright/test'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import { plain } from '../settings.ts'
import { type OrderOptions, placeByCalls } from './customers.ts'
import { query } from './database.ts'
import { newPhone, signInRequest } from './phones.ts'

/**
 * A new driver with these orders of a new customer as stops today, on any weekday.
 * @param means that the vendor's drivers take from now on; the journeys of vendor 1 expect cash alone
 */
export async function driverWithStops(
  orders: readonly OrderOptions[],
  { vendorId = 1, means }: { vendorId?: number; means?: PaymentMeans[] } = {},
) {
  const [phone, customerPhone] = [newPhone(), newPhone()]
  const [admin, customer] = [
    await requests.newContext({ baseURL: plain.origin }),
    await requests.newContext({ baseURL: plain.origin }),
  ]
  try {
    await signInRequest(admin, '+97336000001')
    const data = { phone, name: 'سالم الدوي', role: 'driver', vendorId }
    const made = await admin.post('/api/admin/users', { data })
    expect(made.status(), await made.text()).toBe(200)
    const { id: driverId } = await made.json()
    if (means) {
      const saved = await admin.put(`/api/admin/vendors/${vendorId}/business`, { data: { means } })
      expect(saved.status(), await saved.text()).toBe(200)
    }
    await signInRequest(customer, customerPhone)
    const ids: string[] = []
    for (const order of orders) {
      const { id } = await placeByCalls({ request: customer }, order)
      const given = await admin.put(`/api/admin/orders/${id}/driver`, { data: { driverId } })
      expect(given.status(), await given.text()).toBe(200)
      const left = await admin.patch(`/api/admin/orders/${id}/status`, { data: { status: 'shipped' } })
      expect(left.status(), await left.text()).toBe(200)
      ids.push(id)
    }
    await query(`update orders set promised_date = (now() at time zone 'Asia/Bahrain')::date where id = any($1)`, [ids])
    return { phone, customerPhone, ids }
  } finally {
    await admin.dispose()
    await customer.dispose()
  }
}
