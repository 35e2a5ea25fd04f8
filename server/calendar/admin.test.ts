import { closeDay, listClosedDays, openDay } from '@qatra/contract/calendar/admin'
import { addDays, bahrainDate, weekdayOf } from '@qatra/contract/calendar/calendar'
import { getVendor } from '@qatra/contract/vendors/vendors'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeHousehold, makeVisitor } from '../test/fixtures/make.ts'
import { referenceState } from '../test/reference-state.ts'

const shop = await startShop({ role: 'web' })
const guest = shop.visitor()
const market = await makeVisitor(shop, { role: 'super_admin' })
const own = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 2 })
const other = await makeVisitor(shop, { role: 'vendor_staff', vendorId: 3 })

const today = bahrainDate(new Date())
const promisedOf = async (id: number) => (await guest.call(getVendor, { params: { id: String(id) } })).body.promisedDate
/** A day that no other test closes. */
let far = 700
const someDay = () => {
  far += 1
  while (weekdayOf(addDays(today, far)) === 5) far += 1
  return addDays(today, far)
}
const auditOf = (id: number) =>
  shop.query(
    `select action, resource, user_id, vendor_id, old_values, new_values from audit_log where resource_id = $1
    and resource in ('closure', 'holiday') order by id`,
    [String(id)],
  )

describe('a closure', () => {
  it("moves the vendor's next delivery day at once, and its removal moves it back", async () => {
    const before = await promisedOf(2)
    const others = await promisedOf(1)
    const { status, body } = await own.call(closeDay, { body: { day: before, name: 'Stocktaking', nameAr: 'جرد' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      day: before,
      vendorId: 2,
      name: 'Stocktaking',
      isEstimated: false,
      can: { remove: true },
    })
    expect((await promisedOf(2)) > before).toBe(true)
    expect(await promisedOf(1)).toBe(others)
    expect((await own.call(openDay, { query: { id: String(body.id) } })).body).toEqual({ success: true })
    expect(await promisedOf(2)).toBe(before)
    expect(await auditOf(body.id)).toMatchObject([
      {
        action: 'created',
        resource: 'closure',
        user_id: own.id,
        vendor_id: 2,
        new_values: { day: before, vendorId: 2 },
      },
      {
        action: 'deleted',
        resource: 'closure',
        user_id: own.id,
        vendor_id: 2,
        old_values: { day: before, vendorId: 2 },
      },
    ])
  })

  it('returns the number of open orders promised for the day and does not change them', async () => {
    const { vendor, order } = await makeHousehold(shop)
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: vendor })
    const ids = [await order(), await order()]
    const [{ day } = { day: '' }] = await shop.query<{ day: string }>(
      'select promised_date as day from orders where id = $1',
      [ids[0]],
    )
    await shop.query(`update orders set status = 'cancelled' where id = $1`, [await order()])
    const { body } = await admin.call(closeDay, { body: { day } })
    expect(body.openOrders).toBe(2)
    expect(await shop.query('select distinct promised_date as day from orders where vendor_id = $1', [vendor])).toEqual(
      [{ day }],
    )
    expect((await promisedOf(vendor)) > day).toBe(true)
  })

  it('exists once per vendor and day under concurrent requests', async () => {
    const day = someDay()
    const close = () => own.call(closeDay, { body: { day } })
    const answers = await Promise.all([close(), close(), close()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('DAY_TAKEN')
    expect((await other.call(closeDay, { body: { day } })).status).toBe(200)
  })

  it('returns 403 or 404 for another vendor and for the whole country', async () => {
    const before = await referenceState(shop)
    const day = someDay()
    for (const vendorId of [1, 3, null]) {
      const { status, refusal } = await own.call(closeDay, { body: { day, vendorId, name: 'x', nameAr: 'x' } })
      expect([vendorId, status, refusal.code]).toEqual([vendorId, 403, 'FORBIDDEN'])
    }
    expect((await own.send('GET', '/api/admin/calendar?vendorId=3')).status).toBe(403)
    expect(await referenceState(shop)).toBe(before)
    const { body: theirs } = await other.call(closeDay, { body: { day } })
    const state = await referenceState(shop)
    const gone = await own.call(openDay, { query: { id: String(theirs.id) } })
    expect([gone.status, gone.refusal.code]).toEqual([404, 'NOT_FOUND'])
    expect((await own.send('DELETE', `/api/admin/calendar?day=${day}&vendorId=3`)).status).toBe(403)
    expect(await referenceState(shop)).toBe(state)
  })

  it.each([
    ['yesterday', { day: addDays(today, -1) }, 'day'],
    ['long past', { day: '2020-01-01' }, 'day'],
    ['beyond five years', { day: addDays(today, 2000) }, 'day'],
    ['no day of the calendar', { day: '2027-02-30' }, 'day'],
    ['an instant', { day: '2027-02-20T00:00:00Z' }, 'day'],
    ['a number', { day: 20270220 }, 'day'],
    ['nothing', {}, 'day'],
    ['a long name', { day: addDays(today, 30), name: 'x'.repeat(101) }, 'name'],
    ['hidden characters', { day: addDays(today, 30), nameAr: 'a\u202eb' }, 'nameAr'],
  ])('is rejected for %s', async (_, body, field) => {
    const before = await referenceState(shop)
    const { status, refusal } = await own.send('POST', '/api/admin/calendar', { body })
    expect([status, refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual([422, 'INVALID_BODY', [field]])
    expect(await referenceState(shop)).toBe(before)
  })

  it('is accepted for today and cannot be removed once its day has passed', async () => {
    const { status, body } = await own.call(closeDay, { body: { day: today } })
    expect(status).toBe(200)
    await shop.query('update holidays set day = $1 where id = $2', [addDays(today, -3), body.id])
    const { refusal } = await own.call(openDay, { query: { id: String(body.id) } })
    expect(refusal.code).toBe('DAY_PASSED')
  })
})

describe('a public holiday', () => {
  it('can be created only by the marketplace, needs both names and applies to all vendors', async () => {
    const day = await promisedOf(1)
    expect((await market.call(closeDay, { body: { day, name: 'Accession' } })).refusal.details.fields).toHaveProperty(
      'nameAr',
    )
    const { body } = await market.call(closeDay, { body: { day, name: 'Accession', nameAr: 'عيد', isEstimated: true } })
    expect(body).toMatchObject({ vendorId: null, isEstimated: true })
    expect([(await promisedOf(1)) > day, (await promisedOf(2)) > day]).toEqual([true, true])
    const refused = await own.call(openDay, { query: { id: String(body.id) } })
    expect([refused.status, refused.refusal.code]).toEqual([403, 'FORBIDDEN'])
    expect((await market.call(openDay, { query: { day } })).status).toBe(200)
    expect(await promisedOf(1)).toBe(day)
    expect(await auditOf(body.id)).toMatchObject([{ resource: 'holiday', vendor_id: null }, { action: 'deleted' }])
  })

  it('is listed for all vendor staff, together with their own closures', async () => {
    const day = someDay()
    await other.call(closeDay, { body: { day } })
    await own.call(closeDay, { body: { day } })
    const query = { from: addDays(day, -400), to: day, limit: '100' }
    const seen = (await own.call(listClosedDays, { query })).body
    expect(new Set(seen.items.map(({ vendorId }) => vendorId))).toEqual(new Set([null, 2]))
    expect(seen.items.filter(({ vendorId }) => vendorId === null).every(({ can }) => !can.remove)).toBe(true)
    expect(seen.items.map((one) => one.day)).toEqual(seen.items.map((one) => one.day).sort())
    const all = (await market.call(listClosedDays, { query: { from: day, to: day } })).body
    expect(all.items.map(({ vendorId }) => vendorId)).toEqual([3, 2])
    expect((await market.call(listClosedDays, { query: { from: day, to: day, vendorId: '3' } })).body.total).toBe(1)
  })

  it('is rejected for an unknown vendor, and invalid filters return 400', async () => {
    const { refusal } = await market.call(closeDay, { body: { day: someDay(), vendorId: 999 } })
    expect([refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual(['INVALID_BODY', ['vendorId']])
    for (const query of ['from=x', 'to=2027-13-01', 'vendorId=x', 'limit=101', 'page=0'])
      expect((await market.send('GET', `/api/admin/calendar?${query}`)).status).toBe(400)
    expect((await market.send('DELETE', '/api/admin/calendar')).status).toBe(400)
    expect((await market.send('DELETE', '/api/admin/calendar?id=2000000000')).status).toBe(404)
  })
})
