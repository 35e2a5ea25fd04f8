import { bahrainDate, weekdayOf } from '@qatra/contract/calendar/calendar'
import { listMyOrders } from '@qatra/contract/orders/orders'
import { describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { makeHousehold } from '../fixtures/make.ts'

// Runs once per time zone of vitest.config.ts and checks that the zone is in effect.
const zone = process.env['TZ'] ?? ''
const offsets: Record<string, number> = { UTC: 0, 'America/New_York': 300, 'Pacific/Auckland': -780 }
/** A date computed in the zone of the machine, which is wrong outside of Bahrain. */
const careless = (at: Date) =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`

describe(`a machine in ${zone}`, () => {
  it.runIf(zone in offsets)('uses that zone', () => {
    expect(new Date('2026-12-01T00:00:00Z').getTimezoneOffset()).toBe(offsets[zone])
  })

  it('computes days in Bahrain, where local dates would be wrong', () => {
    const hours = Array.from({ length: 48 }, (_, n) => new Date(Date.UTC(2026, 11, 1, n, 30)))
    const ofBahrain = (at: Date) => new Date(at.getTime() + 3 * 3_600_000).toISOString().slice(0, 10)
    expect(hours.map(bahrainDate)).toEqual(hours.map(ofBahrain))
    expect(hours.map(careless)).not.toEqual(hours.map(ofBahrain))
  })

  it('promises, stores and lists orders by days in Bahrain', async () => {
    const shop = await startShop()
    const home = await makeHousehold(shop)
    const id = await home.order()
    const [row] = await shop.query<{ promised: string; bahrain: string; zone: string }>(
      `select promised_date::text as promised, (created_at at time zone 'Asia/Bahrain')::date::text as bahrain,
         current_setting('TimeZone') as zone
       from orders where id = $1`,
      [id],
    )
    const { body } = await home.customer.call(listMyOrders)
    const [listed] = body.items
    expect(listed?.promisedDate).toBe(row?.promised)
    expect(bahrainDate(new Date(listed?.createdAt ?? ''))).toBe(row?.bahrain)
    expect(String(row?.promised) > String(row?.bahrain)).toBe(true)
    expect(weekdayOf(String(row?.promised))).not.toBe(5)
  })
})
