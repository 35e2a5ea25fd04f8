import { expect, request as requests } from '@playwright/test'
import { plain } from '../settings.ts'
import { type OrderOptions, placeByCalls } from './customers.ts'
import { query } from './database.ts'
import { newPhone, signInRequest } from './phones.ts'

/** A new driver of the first vendor with these orders of a new customer as stops today, on any weekday. */
export async function driverWithStops(orders: readonly OrderOptions[]) {
  const [phone, customerPhone] = [newPhone(), newPhone()]
  const [admin, customer] = [
    await requests.newContext({ baseURL: plain.origin }),
    await requests.newContext({ baseURL: plain.origin }),
  ]
  try {
    await signInRequest(admin, '+97336000001')
    const data = { phone, name: 'سالم الدوي', role: 'driver', vendorId: 1 }
    const made = await admin.post('/api/admin/users', { data })
    expect(made.status(), await made.text()).toBe(200)
    const { id: driverId } = await made.json()
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
