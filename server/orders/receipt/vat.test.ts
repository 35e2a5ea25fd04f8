import { addBottleEntry } from '@qatra/contract/bottles-admin'
import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { exportVat, listVat, type VatRow, vatKinds } from '@qatra/contract/corrections'
import { addFils, fils, fromBhd, toBhd, vatContained, zeroFils } from '@qatra/contract/lib/money'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { orderTotals } from '@qatra/contract/orders/totals'
import { saveSettings } from '@qatra/contract/settings/settings'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { makeBottleType, makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { addVat, negative, type VatCell, vatOfForfeit, vatOfPaper, vatSums } from './vat-rules.ts'

const runs = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) }
const line = fc.record({
  price: fc.integer({ min: 1, max: 10_000_000 }).map(fils),
  quantity: fc.integer({ min: 0, max: 100 }),
  vatPercentage: fc.constantFrom(0, 5, 10, 12.5, 33.33),
  bottleDeposit: fc.constantFrom(null, fils(2000)),
})
const fee = fc.integer({ min: 0, max: 10_000 }).map(fils)
const gross = (rows: readonly { net: number; vat: number }[]) => rows.reduce((sum, { net, vat }) => sum + net + vat, 0)

describe('the VAT of a paper', () => {
  it('is by rate what its total is without the deposit, and its VAT that of the receipt', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fee, (lines, deliveryFee) => {
        const totals = orderTotals(lines, { deliveryFee })
        const rows = vatOfPaper(lines, { deliveryFee })
        expect(gross(rows)).toBe(totals.total - totals.deposit)
        expect(addFils(zeroFils, ...rows.map(({ vat }) => vat))).toBe(totals.productVAT)
        expect(rows.map(({ rate }) => rate)).toEqual([...new Set(rows.map(({ rate }) => rate))].sort((a, b) => b - a))
        expect(gross([...rows, ...rows.map(negative)])).toBe(0)
      }),
      runs,
    )
  })

  it('is that of its copy, not what today’s rules give', () => {
    const copied = { price: 1000, quantity: 1, vatPercentage: 10, vat: 99 }
    expect(vatOfPaper([copied], {})).toEqual([{ rate: 10, net: 1000, vat: 99 }])
  })
})

describe('a forfeited deposit', () => {
  it('contains its VAT: net and VAT make it up, and the VAT is that of the net to half a fils', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }).map(fils), (deposit) => {
        const { net, vat } = vatOfForfeit(deposit, vatContained(deposit, 10), 10)
        expect(net + vat).toBe(deposit)
        expect(Math.abs(vat - (deposit * 10) / 110)).toBeLessThanOrEqual(0.5)
      }),
      runs,
    )
  })

  it('has no VAT for a seller without a VAT number', () => {
    expect(vatOfForfeit(fils(4000), zeroFils, 10)).toEqual({ rate: 0, net: 4000, vat: 0 })
  })
})

describe('the sums of VAT', () => {
  const cell = fc.record({
    kind: fc.constantFrom(...vatKinds),
    rate: fc.constantFrom(0, 5, 10),
    net: fc.integer({ min: -1_000_000, max: 1_000_000 }).map(fils),
    vat: fc.integer({ min: -100_000, max: 100_000 }).map(fils),
    count: fc.integer({ min: 0, max: 1 }),
  })

  it('equal the rows by rate, by kind and in all, also if they are added up in parts', () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 40 }), fc.nat(40), (rows, at) => {
        const sums = vatSums(addVat([...addVat(rows.slice(0, at)), ...rows.slice(at)]))
        expect(sums.net + sums.vat).toBe(gross(rows))
        expect([gross(sums.rates), gross(sums.kinds)]).toEqual([gross(rows), gross(rows)])
        for (const { rate, net } of sums.rates) expect(net).toBe(netOf(rows.filter((row) => row.rate === rate)))
        for (const { kind, net, count } of sums.kinds) {
          const own = rows.filter((row) => row.kind === kind)
          expect([net, count]).toEqual([netOf(own), own.reduce((sum, row) => sum + row.count, 0)])
        }
      }),
      runs,
    )
  })
  const netOf = (rows: readonly VatCell[]) => addFils(zeroFils, ...rows.map(({ net }) => net))
})

const shop = await startShop({ role: 'web' })
const today = bahrainDate(new Date())

/** A vendor of bottles that is registered for VAT, and a customer. */
async function company() {
  const vendorId = await makeVendor(shop)
  await shop.query('update vendors set vat_number = $2 where id = $1', [vendorId, '220004418700002'])
  await makeProduct(shop, vendorId)
  const typeId = await makeBottleType(shop, vendorId)
  const owner = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
  const { id: customerId } = await makeUser(shop)
  const change = async (id: string, status: 'delivered' | 'shipped', more: object = {}) => {
    const notes = 'The wrong door'
    const answer = await owner.call(changeOrderStatus, { params: { id }, body: { status, notes, ...more } })
    expect(answer.status).toBe(200)
  }
  /** Three bottles for one empty, delivered. */
  const sold = async () => {
    const bottles = { typeId, deposit: 2000, quantity: 3, empties: 1 }
    const id = await makeOrder(shop, { userId: customerId, vendorId, status: 'shipped', bottles })
    await change(id, 'delivered')
    return id
  }
  const enter = async (kind: 'lost' | 'correction' | 'returned', count: number, key: string = crypto.randomUUID()) => {
    const body = { customerId, typeId, kind, count, reason: 'Broken', key }
    expect((await owner.call(addBottleEntry, { body })).status).toBe(200)
  }
  const report = async (query: Record<string, string> = {}) => {
    const { status, body } = await owner.call(listVat, { query })
    expect(status).toBe(200)
    return body
  }
  return { vendorId, owner, change, sold, enter, report }
}
const closed = (vendorId: number, day: string) =>
  shop.query('insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, $2, 1, now())', [
    vendorId,
    day,
  ])
const facts = (rows: readonly VatRow[]) => rows.map(({ kind, rate, net, vat }) => [kind, rate, net, vat])

describe('the VAT report', () => {
  it('has a delivery, what is taken back, the next delivery and lost bottles, each once, with their sums', async () => {
    const home = await company()
    const id = await home.sold()
    await home.change(id, 'shipped')
    await home.change(id, 'delivered')
    // 4.000 of the deposit are held for two bottles: they contain 0.364 of VAT.
    await home.enter('lost', 2, 'lost-once')
    await home.enter('lost', 2, 'lost-once')
    const { rows, total, sums } = await home.report()
    expect(facts(rows)).toEqual([
      ['invoice', 10, 4.5, 0.45],
      ['invoice', 0, 0.5, 0],
      ['invoice', 10, 4.5, 0.45],
      ['invoice', 0, 0.5, 0],
      ['creditNote', 10, -4.5, -0.45],
      ['creditNote', 0, -0.5, 0],
      ['forfeit', 10, 3.636, 0.364],
    ])
    const papers = [`${home.vendorId}-000001`, `${home.vendorId}-000002`, `CN-${home.vendorId}-000001`]
    expect([...new Set(rows.map(({ number }) => number))].slice(0, 3)).toEqual(papers)
    expect(rows.map(({ date, orderId }) => [date, orderId])).toEqual([
      ...Array.from({ length: 6 }, () => [today, id]),
      [today, null],
    ])
    expect({ total, sums }).toEqual({
      total: 7,
      sums: {
        net: 8.636,
        vat: 0.814,
        rates: [
          { rate: 10, net: 8.136, vat: 0.814 },
          { rate: 0, net: 0.5, vat: 0 },
        ],
        kinds: [
          { kind: 'invoice', count: 2, net: 10, vat: 0.9 },
          { kind: 'creditNote', count: 1, net: -5, vat: -0.45 },
          { kind: 'forfeit', count: 1, net: 3.636, vat: 0.364 },
        ],
      },
    })
  })

  it('has a write-off once after its bottles were corrected back, and none of bottles without a deposit', async () => {
    const home = await company()
    await home.sold()
    await home.enter('lost', 1)
    await home.enter('correction', 1)
    const forfeits = async () => facts((await home.report()).rows.filter(({ kind }) => kind === 'forfeit'))
    const once = [['forfeit', 10, 1.818, 0.182]]
    expect(await forfeits()).toEqual(once)
    await home.enter('returned', 1)
    await home.enter('lost', 1)
    await home.enter('lost', 1)
    expect(await forfeits()).toEqual([...once, ...once])
    await home.enter('lost', -1)
    const rows = (await home.report()).rows.filter(({ kind }) => kind === 'forfeit')
    // Of three that were lost, two had a deposit.
    expect(facts(rows).at(-1)).toEqual(['forfeit', 10, -1.212, -0.121])
  })

  it('of a closed day stays as it is: what comes later counts on the first open day', async () => {
    const home = await company()
    const id = await home.sold()
    await home.enter('lost', 1)
    const period = { from: today, to: today }
    const before = await home.report(period)
    expect(before.total).toBe(3)
    await closed(home.vendorId, today)
    await closed(home.vendorId, addDays(today, 1))
    await home.change(id, 'shipped')
    await home.sold()
    await home.enter('lost', 1)
    expect(await home.report(period)).toEqual(before)
    const next = addDays(today, 2)
    const { rows } = await home.report({ from: next, to: next })
    expect(facts(rows)).toEqual([
      ['invoice', 10, 4.5, 0.45],
      ['invoice', 0, 0.5, 0],
      ['creditNote', 10, -4.5, -0.45],
      ['creditNote', 0, -0.5, 0],
      ['forfeit', 10, 1.818, 0.182],
    ])
    await expect(
      shop.query(
        `insert into receipts (order_id, vendor_id, number, seller, day, issued_at) values ($1, $2, 99, '{}', $3, now())`,
        [id, home.vendorId, today],
      ),
    ).rejects.toThrow('is closed')
  })

  it('counts a paper on the day of its sale, and one of an earlier version on the day of issue with the order’s lines', async () => {
    const home = await company()
    const id = await makeOrder(shop, { userId: null, vendorId: home.vendorId, status: 'delivered' })
    await shop.query(
      `insert into receipts (order_id, vendor_id, number, seller, issued_at) values ($1, $2, 1, '{}', '2026-01-31T21:30:00Z')`,
      [id, home.vendorId],
    )
    const { rows } = await home.report({ from: '2026-02-01', to: '2026-02-01' })
    expect(facts(rows)).toEqual([
      ['invoice', 10, 1.5, 0.15],
      ['invoice', 0, 0.5, 0],
    ])
    expect((await home.report({ from: '2026-01-01', to: '2026-01-31' })).rows).toEqual([])
    const driver = await makeVisitor(shop, { role: 'driver', vendorId: home.vendorId })
    const more = { userId: null, vendorId: home.vendorId, status: 'shipped', assignedDriverId: driver.id }
    const late = await makeOrder(shop, more)
    await shop.query(`update orders set created_at = now() - interval '3 days' where id = $1`, [late])
    const at = new Date(Date.now() - 86_400_000).toISOString()
    const cash = { amount: 2.15, key: crypto.randomUUID(), at }
    const { status } = await driver.call(changeOrderStatus, {
      params: { id: late },
      body: { status: 'delivered', cash },
    })
    expect(status).toBe(200)
    const yesterday = addDays(today, -1)
    expect((await home.report({ from: yesterday, to: yesterday })).rows).toMatchObject([
      { orderId: late, date: yesterday },
      { orderId: late, date: yesterday },
    ])
  })

  it('is of one vendor, has pages, and a file with all rows', async () => {
    const [home, other] = [await company(), await company()]
    await Promise.all([home.sold(), home.sold(), other.sold()])
    const { rows } = await home.report()
    expect(new Set(rows.map(({ vendorId }) => vendorId))).toEqual(new Set([home.vendorId]))
    expect(await home.report({ page: '2' })).toMatchObject({ rows: [], total: 4, sums: { net: 10 } })
    const foreign = await other.owner.call(listVat, { query: { vendorId: String(home.vendorId) } })
    expect(foreign.status).toBe(403)
    const file = String((await home.owner.call(exportVat, { query: { lang: 'en' } })).body)
    const lines = file.trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/Day,Number,Kind,Order,/)
    expect(lines.slice(1).map((text) => text.split(',').slice(-3).join())).toEqual(
      rows.map(({ rate, net, vat }) => [rate, net.toFixed(3), vat.toFixed(3)].join()),
    )
    const sum = toBhd(addFils(...rows.flatMap(({ net, vat }) => [fromBhd(net), fromBhd(vat)])))
    expect(sum).toBe(10.9)
  })

  it('is read in batches without a gap or a double row', async () => {
    const home = await company()
    const id = await makeOrder(shop, { userId: null, vendorId: home.vendorId, status: 'delivered' })
    const bill = {
      lines: [{ price: 1000, quantity: 1, vatPercentage: 10, vat: 100 }],
      totals: { deliveryFee: 0 },
    }
    await shop.query(
      `insert into receipts (order_id, vendor_id, number, seller, bill, day, issued_at)
       select $1, $2, n, '{}', $3, date '2026-03-01' + n % 3, now() from generate_series(1, 2001) n`,
      [id, home.vendorId, JSON.stringify(bill)],
    )
    const period = { from: '2026-03-01', to: '2026-03-31' }
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => home.report({ ...period, page: String(page) })))
    const numbers = pages.flatMap(({ rows }) => rows.map(({ number }) => number))
    expect(pages.map(({ rows }) => rows.length)).toEqual([500, 500, 500, 500, 1, 0])
    expect(new Set(numbers).size).toBe(2001)
    expect(pages[5]?.sums.kinds).toEqual([{ kind: 'invoice', count: 2001, net: 2001, vat: 200.1 }])
  })

  it('has VAT in forfeits exactly where the vendor’s receipts are tax invoices', async () => {
    const home = await company()
    await shop.query('update vendors set vat_number = null where id = $1', [home.vendorId])
    await home.sold()
    const boss = await makeVisitor(shop, { role: 'super_admin' })
    const market = async (company: object) => {
      const { status } = await boss.call(saveSettings, { body: { company, support: {}, social: {}, apps: {} } })
      expect(status).toBe(200)
    }
    await market({ name: 'Qatra W.L.L.' })
    await home.enter('lost', 1)
    await market({ name: 'Qatra W.L.L.', vatNumber: '220004418700010' })
    await home.enter('lost', 1)
    const { rows } = await home.report()
    expect(facts(rows.filter(({ kind }) => kind === 'forfeit'))).toEqual([
      ['forfeit', 0, 2, 0],
      ['forfeit', 10, 1.818, 0.182],
    ])
  })
})
