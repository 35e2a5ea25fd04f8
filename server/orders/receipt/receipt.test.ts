import { execFileSync } from 'node:child_process'
import { addToCart } from '@qatra/contract/cart/cart'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { getOrder } from '@qatra/contract/orders/orders'
import { getMyReceipt, getReceipt } from '@qatra/contract/orders/receipts'
import { updateProfile } from '@qatra/contract/users/auth'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Ctx } from '../../database/context.ts'
import { inTransaction } from '../../database/transaction.ts'
import { startShop } from '../../test/app.ts'
import { makeHousehold, makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { hasPoppler, managedPdf, textOf } from '../../test/fixtures/pdf.ts'
import { lockOrderRow } from '../queries.ts'
import { creditReceipt, creditUndelivered, issueReceipt, numberUnnumbered } from './commands.ts'

const shop = await startShop({ role: 'web', databasePoolSize: 10 })
const boss = await makeVisitor(shop, { role: 'super_admin' })
const pdf = managedPdf(shop, boss)
const deliver = (id: string) => boss.call(changeOrderStatus, { params: { id }, body: { status: 'delivered' } })
/** The id of an order that was delivered, and so has a number. */
async function deliveredOf({ order }: Pick<Awaited<ReturnType<typeof makeHousehold>>, 'order'>, quantity?: number) {
  const id = await order(quantity)
  await deliver(id)
  return id
}
const takeBack = (id: string) =>
  boss.call(changeOrderStatus, { params: { id }, body: { status: 'shipped', notes: 'The wrong door' } })
const receiptsOf = (vendorId: number) =>
  shop.query<{ order_id: string; number: number }>(
    'select order_id, number from receipts where vendor_id = $1 order by number',
    [vendorId],
  )
describe('the response', () => {
  it('is a PDF with its own file name, kept by the browser for a minute once the order is delivered', async () => {
    const home = await makeHousehold(shop)
    const { vendor } = home
    const { bytes, headers, status } = await pdf(await deliveredOf(home), 'lang=ar')
    expect([status, headers['content-type'], headers['cache-control'], headers['vary']]).toEqual([
      200,
      'application/pdf',
      'private, max-age=60',
      'Cookie',
    ])
    expect(headers['content-disposition']).toBe(
      `attachment; filename="receipt-${vendor}-000001.pdf"; filename*=UTF-8''receipt-${vendor}-000001.pdf`,
    )
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('has the same bytes for the same order, per language and size', async () => {
    const { order } = await makeHousehold(shop)
    const id = await order()
    for (const query of ['lang=ar', 'lang=en', 'lang=ar&size=80mm', 'lang=en&size=80mm']) {
      const first = (await pdf(id, query)).bytes
      expect((await pdf(id, query)).bytes.equals(first)).toBe(true)
      expect(first.length).toBeGreaterThan(10_000)
    }
  })

  it.each(['lang=fr', 'size=a5', 'lang='])('refuses %s', async (query) => {
    const id = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1 })
    const { status, headers } = await pdf(id, query)
    expect([status, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8'])
  })

  it('is available to its customer only, once the order is delivered', async () => {
    const { order, customer } = await makeHousehold(shop)
    const id = await order()
    const early = await customer.call(getMyReceipt, { params: { id } })
    expect([early.status, early.refusal.code]).toEqual([409, 'RECEIPT_NOT_READY'])
    expect(await shop.query('select * from receipts where order_id = $1', [id])).toEqual([])
    await deliver(id)
    const { status, headers } = await customer.call(getMyReceipt, { params: { id } })
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
    const stranger = await makeVisitor(shop)
    expect((await stranger.call(getMyReceipt, { params: { id } })).status).toBe(404)
    expect((await stranger.call(getReceipt, { params: { id } })).status).toBe(403)
  })

  it('is refused to a person who asks for many at once; others get theirs', async () => {
    const home = await makeHousehold(shop)
    const id = await deliveredOf(home)
    const asked = Array.from({ length: 30 }, () => home.customer.call(getMyReceipt, { params: { id } }))
    const other = pdf(id)
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect([...new Set(statuses)].sort()).toEqual([200, 429])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(12)
    expect((await other).status).toBe(200)
  })
})

describe.runIf(hasPoppler)('the paper before the delivery', () => {
  it('is a delivery note without a number: to ask for it writes nothing and leaves the items open', async () => {
    const { order, vendor, customer } = await makeHousehold(shop)
    const id = await order()
    for (const query of ['lang=ar', 'lang=en&size=80mm', 'lang=en']) {
      const { bytes, headers } = await pdf(id, query)
      expect([headers['cache-control'], headers['content-disposition']]).toEqual([
        'no-store',
        `attachment; filename="delivery-note-${id}.pdf"; filename*=UTF-8''delivery-note-${id}.pdf`,
      ])
      const text = textOf(bytes)
      expect(text).not.toMatch(/invoice|Issued/i)
      expect(text).not.toContain(`${vendor}-0000`)
      if (query === 'lang=en') expect(text).toContain('Delivery note')
    }
    expect(await receiptsOf(vendor)).toEqual([])
    expect((await customer.call(getOrder, { params: { id } })).body.can.items).toBe(true)
    await deliver(id)
    expect(await receiptsOf(vendor)).toEqual([{ order_id: id, number: 1 }])
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain(`${vendor}-000001`)
  })
})

describe.runIf(hasPoppler)("the receipt's content", () => {
  it('has what tax law requires, in both languages, with three decimals', async () => {
    const home = await makeHousehold(shop)
    await shop.query(
      `update vendors set company_name = 'Spring W.L.L.', company_address = 'Building 7, Manama', cr_number = '4711-1',
       vat_number = '200001234500002' where id = $1`,
      [home.vendor],
    )
    await home.customer.call(addToCart, { body: { productId: home.gallon, quantity: 2 } })
    const id = await deliveredOf(home, 3)
    const en = textOf((await pdf(id, 'lang=en')).bytes)
    for (const words of [
      'Tax invoice',
      `${home.vendor}-000001`,
      'Spring W.L.L.',
      'Building 7, Manama',
      'CR 4711-1',
      'VAT no. 200001234500002',
      'Maryam Ali',
      '10%',
      '0% zero-rated',
      '1.505',
      '4.515',
      '6.315',
      '0.750',
      '0.452',
      'BHD 7.517',
    ])
      expect(en).toContain(words)
    const ar = textOf((await pdf(id, 'lang=ar')).bytes)
    for (const words of ['7.517', '200001234500002', '4711-1', '0.452', 'Spring W.L.L.']) expect(ar).toContain(words)
    const roll = textOf((await pdf(id, 'lang=en&size=80mm')).bytes)
    for (const words of ['3 × 1.505', '2 × 0.900', '0% zero-rated', 'BHD 7.517']) expect(roll).toContain(words)
  })

  it('is inert for names with markup', async () => {
    const { order } = await makeHousehold(shop)
    const id = await order()
    const hostile = '#eval("1+1") $x^2$ ] *b* _i_ @ref <l> \\ // #sys.inputs `raw` \u202egnp.exe "}'
    await shop.query('update orders set customer_name = $2, address = $3, vendor_name = $2 where id = $1', [
      id,
      hostile,
      `نورة ${hostile}\nsecond line 🏠 1️⃣ रोड 大 \ufffd`,
    ])
    await shop.query('update order_items set name = $2, name_ar = $2, size = $3 where order_id = $1', [
      id,
      hostile,
      '#x',
    ])
    for (const query of ['lang=en', 'lang=ar&size=80mm']) {
      const { status, bytes } = await pdf(id, query)
      expect(status).toBe(200)
      if (query !== 'lang=en') continue
      const text = textOf(bytes)
      expect(text).toContain('#eval("1+1") $x^2$ ] *b* _i_ @ref <l>')
      expect(text).toContain('#sys.inputs `raw`')
      expect(text).not.toContain('\u202e')
    }
  })

  it('spans several pages with repeated heads, or one long roll', async () => {
    const vendorId = await makeVendor(shop)
    await makeProduct(shop, vendorId)
    const id = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId })
    await shop.query(
      `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
       select $1, null, 'Line ' || n, '500ml', 1000, 10, 1 from generate_series(2, 100) n`,
      [id],
    )
    const info = (bytes: Buffer) =>
      execFileSync('pdfinfo', ['-'], { input: bytes, stdio: ['pipe', 'pipe', 'ignore'] }).toString()
    const { bytes } = await pdf(id, 'lang=en')
    const pages = Number(/Pages:\s+(\d+)/.exec(info(bytes))?.[1])
    expect(pages).toBeGreaterThan(2)
    expect(textOf(bytes).match(/Product/g)).toHaveLength(pages)
    expect(textOf(bytes)).toContain(`Page ${pages} of ${pages}`)
    const roll = info((await pdf(id, 'lang=en&size=80mm')).bytes)
    expect(roll).toMatch(/Pages:\s+1\b/)
    const height = Number(/Page size:\s+[\d.]+ x ([\d.]+)/.exec(roll)?.[1])
    expect(height).toBeGreaterThan(2_000)
  })

  it('names the seller of the day of the number, or the market if the vendor has no details', async () => {
    const home = await makeHousehold(shop)
    const { vendor } = home
    const id = await deliveredOf(home)
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain('CR 999000-1')
    await shop.query(`update vendors set company_name = 'Later W.L.L.', cr_number = '1-1' where id = $1`, [vendor])
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain('CR 999000-1')
    const next = textOf((await pdf(await deliveredOf(home), 'lang=en')).bytes)
    expect(next).toContain('Later W.L.L.')
    expect(next).not.toContain('VAT no.')
    expect(next).not.toContain('Tax invoice')
    expect(next).toMatch(/Invoice\s/)
  })

  it('has the legal name and address in the language of the receipt', async () => {
    const { order, vendor } = await makeHousehold(shop)
    await shop.query(
      `update vendors set company_name = 'Spring W.L.L.', company_name_ar = 'شركة الينبوع', company_address = 'Building 7',
       company_address_ar = 'مبنى 71', cr_number = '4711-1' where id = $1`,
      [vendor],
    )
    const id = await order()
    const [en, ar] = [textOf((await pdf(id, 'lang=en')).bytes), textOf((await pdf(id, 'lang=ar')).bytes)]
    expect(en).toContain('Building 7')
    expect(ar).not.toContain('Building 7')
    expect(ar).not.toContain('Spring W.L.L.')
  })

  it("has the VAT number that the buyer's account had on the day of the number", async () => {
    const home = await makeHousehold(shop)
    const { customer } = home
    const { status } = await customer.call(updateProfile, { body: { vatNumber: '٢٢٠٠ 0441 8700 002' } })
    expect(status).toBe(200)
    const id = await deliveredOf(home)
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain('220004418700002')
    await customer.call(updateProfile, { body: { vatNumber: null } })
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain('220004418700002')
    const bare = await deliveredOf(home)
    await customer.call(updateProfile, { body: { vatNumber: '220004418700002' } })
    expect(textOf((await pdf(bare, 'lang=en')).bytes)).not.toContain('Customer’s VAT')
  })

  it('of a cancelled order says so, without a number if it had none', async () => {
    const home = await makeHousehold(shop)
    const { vendor } = home
    const [numbered, bare] = [await deliveredOf(home), await home.order()]
    await shop.query(`update orders set status = 'cancelled' where id = any($1)`, [[numbered, bare]])
    expect(textOf((await pdf(numbered, 'lang=en')).bytes)).toMatch(/Tax invoice[\s\S]*Cancelled/)
    expect(textOf((await pdf(bare, 'lang=en')).bytes)).toMatch(/Cancelled order/)
    expect(await receiptsOf(vendor)).toHaveLength(1)
  })
})

describe('receipt numbers', () => {
  async function ordersOf(vendorId: number, n: number) {
    const { id } = await makeUser(shop)
    return Promise.all(Array.from({ length: n }, () => makeOrder(shop, { userId: id, vendorId })))
  }
  const seller = { name: 'x', nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null }
  const buyer = { customerName: 'x', phone: 'x', address: 'x', receiverName: null, receiverPhone: null }
  const totals = { subtotal: 0, deliveryFee: 0, productVAT: 0, deposit: 0, total: 0 }
  const copy = { bill: { lines: [], totals, deliveredAt: null }, buyer }
  const issue = (orderId: string, vendorId: number) =>
    inTransaction(shop.app.pool, (db) => issueReceipt(db, { orderId, vendorId, seller, buyerVatNumber: null, ...copy }))

  it('run from 1 without gaps per vendor, one per order, under concurrent requests', async () => {
    const [one, two] = [await makeVendor(shop), await makeVendor(shop)]
    const asked = [
      ...(await ordersOf(one, 25)).map((id) => [id, one] as const),
      ...(await ordersOf(two, 5)).map((id) => [id, two] as const),
    ]
    await Promise.all([...asked, ...asked, ...asked].map(([orderId, vendorId]) => issue(orderId, vendorId)))
    expect((await receiptsOf(one)).map((row) => row.number)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
    expect((await receiptsOf(two)).map((row) => row.number)).toEqual([1, 2, 3, 4, 5])
  })

  it('are given later to orders that were delivered without one, once and in the order of the deliveries', async () => {
    const vendorId = await makeVendor(shop)
    const [second = '', first = '', open = ''] = await ordersOf(vendorId, 3)
    const deliverAt = (id: string, at: string) =>
      shop.query(`update orders set status = 'delivered', delivered_at = $2 where id = $1`, [id, at])
    await deliverAt(second, '2026-03-02T09:00:00Z')
    await deliverAt(first, '2026-03-01T09:00:00Z')
    for (let times = 0; times < 2; times++) await numberUnnumbered(shop.app.pool, { settings: new Map() })
    expect(await receiptsOf(vendorId)).toEqual([
      { order_id: first, number: 1 },
      { order_id: second, number: 2 },
    ])
    await deliver(open)
    expect(await receiptsOf(vendorId)).toHaveLength(3)
  })

  it('of an earlier version are credited where nothing is delivered, and replaced by the delivery', async () => {
    const vendorId = await makeVendor(shop)
    const [taken = '', cancelled = '', delivered = ''] = await ordersOf(vendorId, 3)
    const numbered = `insert into receipts (order_id, vendor_id, number, seller, issued_at) values ($1, $2, $3, $4, now())`
    for (const [i, id] of [taken, cancelled, delivered].entries())
      await shop.query(numbered, [id, vendorId, i + 1, seller])
    await shop.query(`update orders set status = 'cancelled' where id = $1`, [cancelled])
    await deliver(delivered)
    const notes = () =>
      shop.query(
        `select order_id as id, invoice_number as invoice, (bill #> '{totals,total}')::int as total from credit_notes
         where vendor_id = $1 order by number`,
        [vendorId],
      )
    expect(await notes()).toEqual([{ id: delivered, invoice: 3, total: 2150 }])
    for (let times = 0; times < 2; times++) await creditUndelivered(shop.app.pool)
    expect((await notes()).slice(1)).toEqual([
      { id: taken, invoice: 1, total: 2150 },
      { id: cancelled, invoice: 2, total: 2150 },
    ])
    await deliver(taken)
    expect((await receiptsOf(vendorId)).slice(3)).toEqual([
      { order_id: delivered, number: 4 },
      { order_id: taken, number: 5 },
    ])
  })

  it('would collide without the lock', async () => {
    const vendorId = await makeVendor(shop)
    const ids = await ordersOf(vendorId, 25)
    const naive = (orderId: string) =>
      shop.query(
        `insert into receipts (order_id, vendor_id, number, seller, issued_at)
         select $1, $2, (select coalesce(max(number), 0) + 1 from receipts where vendor_id = $2), '{}', now() from pg_sleep(0.02)`,
        [orderId, vendorId],
      )
    const results = await Promise.allSettled(ids.map(naive))
    expect(results.some(({ status }) => status === 'rejected')).toBe(true)
  })

  it('leave no gap if a transaction fails', async () => {
    const vendorId = await makeVendor(shop)
    const [first, second] = await ordersOf(vendorId, 2)
    await issue(first ?? '', vendorId)
    await expect(issue('NOSUCHORDER', vendorId)).rejects.toThrow()
    await issue(second ?? '', vendorId)
    expect((await receiptsOf(vendorId)).map((row) => row.number)).toEqual([1, 2])
  })

  it('are given with the delivery, once, and never change', async () => {
    const home = await makeHousehold(shop)
    const { vendor } = home
    const ids = [await home.order(), await home.order()]
    await Promise.all([...ids, ...ids].map(deliver))
    expect((await receiptsOf(vendor)).map(({ number }) => number)).toEqual([1, 2])
    const [first] = await receiptsOf(vendor)
    const id = first?.['order_id']
    await expect(shop.query('update receipts set number = 2 where order_id = $1', [id])).rejects.toThrow(
      'never changed',
    )
    await expect(shop.query('delete from receipts where order_id = $1', [id])).rejects.toThrow('never changed')
  })

  it('leave no gap where deliveries and take-backs of one vendor meet and some are rolled back', async () => {
    const vendorId = await makeVendor(shop)
    const ids = await ordersOf(vendorId, 8)
    const rolledBack = (id: string) =>
      inTransaction(shop.app.pool, async (db) => {
        await creditReceipt(db, await lockOrderRow({ db } as Ctx, id, sql`true`), [])
        await issueReceipt(db, { orderId: id, vendorId, seller, buyerVatNumber: null, ...copy })
        throw new Error('Rolled back')
      }).catch((error: Error) => error.message)
    for (let round = 0; round < 4; round++) {
      const back = ids.filter((_, i) => (i + round) % 2 === 0)
      for (const [moved, move] of [[ids, deliver] as const, [back, takeBack] as const]) {
        // Each twice: the second finds the order as the first left it.
        const [answers, failures] = await Promise.all([
          Promise.all([...moved, ...moved].map((id) => move(id))),
          Promise.all(moved.map(rolledBack)),
        ])
        expect([...new Set(answers.map(({ status }) => status))]).toEqual([200])
        expect([...new Set(failures)]).toEqual(['Rolled back'])
      }
    }
    const [invoices, notes] = [
      await receiptsOf(vendorId),
      await shop.query<{ number: number; invoice: number }>(
        'select number, invoice_number as invoice from credit_notes where vendor_id = $1 order by number',
        [vendorId],
      ),
    ]
    const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
    // Eight, then the four that were taken back, each round.
    expect(invoices.map(({ number }) => number)).toEqual(upTo(8 + 3 * 4))
    expect(notes.map(({ number }) => number)).toEqual(upTo(4 * 4))
    expect(new Set(notes.map(({ invoice }) => invoice)).size).toBe(notes.length)
    const credited = new Set(notes.map(({ invoice }) => invoice))
    const valid = invoices.filter(({ number }) => !credited.has(number)).map(({ order_id }) => order_id)
    const delivered = await shop.query<{ id: string }>(
      `select id from orders where vendor_id = $1 and status = 'delivered'`,
      [vendorId],
    )
    expect(valid.sort()).toEqual(delivered.map(({ id }) => id).sort())
  })
})
