import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { nextPromiseChange, promisedSlot } from '@qatra/contract/calendar/slot'
import { getDeliveryDate, getVendor } from '@qatra/contract/vendors/vendors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'

const shop = await startShop({ role: 'web' })
const guest = shop.visitor()
const ask = (query: string) => guest.send('GET', `/api/delivery-date?${query}`)
const dayOf = async (query: string) => ((await ask(query)).body as { promisedDate: string }).promisedDate

describe('the delivery date', () => {
  it.each([
    ['2026-11-18T23:59:59%2B03:00', '2026-11-19', 'Wednesday night is Thursday'],
    ['2026-11-19T10:00:00%2B03:00', '2026-11-21', 'Thursday is Saturday'],
    ['2026-11-20T00:30:00%2B03:00', '2026-11-21', 'Friday is Saturday'],
    ['2026-11-19T21:30:00Z', '2026-11-21', 'the same instant told in UTC'],
    ['2026-12-15T12:00:00.000Z', '2026-12-19', 'two holidays and a Friday are skipped'],
    ['2026-11-18T23:59:59+03:00', '2026-11-19', 'a plus sign as it is'],
  ])('of %s is %s: %s', async (at, day) => {
    expect(await dayOf(`at=${at}`)).toBe(day)
  })

  it("moves a day later after the vendor's cut-off", async () => {
    expect(await dayOf('vendorId=3&at=2026-11-16T14:00:00%2B03:00')).toBe('2026-11-17')
    expect(await dayOf('vendorId=3&at=2026-11-16T14:00:00.001%2B03:00')).toBe('2026-11-18')
    expect(await dayOf('vendorId=0&at=2026-11-16T14:00:01%2B03:00')).toBe('2026-11-17')
  })

  it("is calculated for the current time without `at` and equals that of the vendor's response", async () => {
    const { body } = await guest.call(getDeliveryDate, { query: { vendorId: '3' } })
    expect(body.promisedDate).toBe((await guest.call(getVendor, { params: { id: '3' } })).body.promisedDate)
    expect(body.promisedDate > bahrainDate(new Date())).toBe(true)
  })

  it.each([
    ['at=tomorrow', 'at'],
    ['at=2026-02-30T10:00:00Z', 'at'],
    ['at=2026-11-18', 'at'],
    ['at=2026-11-18T10:00:00', 'at'],
    ['at=0000-01-01T00:00:00Z', 'at'],
    ['at=9999-12-31T23:59:59Z', 'at'],
    ['at=%2B010000-01-01T00:00:00Z', 'at'],
    ['at=', 'at'],
    ['vendorId=x', 'vendorId'],
    ['vendorId=-1', 'vendorId'],
  ])('is rejected for %s', async (query, field) => {
    const { status, refusal } = await ask(query)
    expect([status, refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual([400, 'INVALID_QUERY', [field]])
  })

  it('returns VENDOR_NOT_FOUND for an unknown vendor', async () => {
    const { status, refusal } = await ask('vendorId=999')
    expect([status, refusal.code]).toEqual([404, 'VENDOR_NOT_FOUND'])
  })
})

describe('the next change of promised days', () => {
  const none: ReadonlySet<string> = new Set()
  const cutOff = fc.option(
    fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([h, m]) => {
      return `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`
    }),
    { nil: null },
  )
  const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-12-31'), noInvalidDate: true })

  it('is never too late: until then all promises are unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(cutOff, { maxLength: 4 }),
        instant,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (cutOffs, at, share) => {
          const change = nextPromiseChange(
            cutOffs.map((time) => ({ cutOff: time })),
            at,
          )
          expect(change.getTime()).toBeGreaterThan(at.getTime())
          const between = new Date(at.getTime() + Math.floor((change.getTime() - 1 - at.getTime()) * share))
          for (const time of [...cutOffs, null]) {
            const promised = (when: Date) => promisedSlot({ at: when, holidays: none, closures: none, cutOff: time })
            expect(promised(between)).toEqual(promised(at))
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})
