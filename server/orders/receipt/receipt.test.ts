import { execFileSync } from 'node:child_process'
import { addToCart } from '@qatra/contract/cart/cart'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { getMyReceipt, getReceipt } from '@qatra/contract/orders/receipts'
import { updateProfile } from '@qatra/contract/users/auth'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { makeHousehold, makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { managedPdf, textOf } from '../../test/fixtures/pdf.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import { issueReceipt } from './commands.ts'

const shop = await startShop({ databasePoolSize: 10 })
const boss = await makeVisitor(shop, { role: 'super_admin' })
const pdf = managedPdf(shop, boss)
const receiptsOf = (vendorId: number) =>
  shop.query<{ order_id: string; number: number }>(
    'select order_id, number from receipts where vendor_id = $1 order by number',
    [vendorId],
  )
const hasPoppler = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

describe('the response', () => {
  it('is a PDF with its own file name and no-store', async () => {
    const { order, vendor } = await makeHousehold(shop)
    const id = await order()
    const { bytes, headers, status } = await pdf(id, 'lang=ar')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/pdf', 'no-store'])
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
    await boss.call(changeOrderStatus, { params: { id }, body: { status: 'delivered' } })
    const { status, headers } = await customer.call(getMyReceipt, { params: { id } })
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
    const stranger = await makeVisitor(shop)
    expect((await stranger.call(getMyReceipt, { params: { id } })).status).toBe(404)
    expect((await stranger.call(getReceipt, { params: { id } })).status).toBe(403)
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
    const id = await home.order(3)
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
      'Payment on delivery',
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
      `نورة ${hostile}\nsecond line`,
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
    const { order, vendor } = await makeHousehold(shop)
    const id = await order()
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain('CR 999000-1')
    await shop.query(`update vendors set company_name = 'Later W.L.L.', cr_number = '1-1' where id = $1`, [vendor])
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain('CR 999000-1')
    const next = textOf((await pdf(await order(), 'lang=en')).bytes)
    expect(next).toContain('Later W.L.L.')
    expect(next).not.toContain('VAT no.')
    expect(next).not.toContain('Tax invoice')
    expect(next).toMatch(/Receipt\s/)
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
    const { order, customer } = await makeHousehold(shop)
    const id = await order()
    const { status } = await customer.call(updateProfile, { body: { vatNumber: '٢٢٠٠ 0441 8700 002' } })
    expect(status).toBe(200)
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain('220004418700002')
    await customer.call(updateProfile, { body: { vatNumber: null } })
    expect(textOf((await pdf(id, 'lang=en')).bytes)).toContain('220004418700002')
    expect(textOf((await pdf(await order(), 'lang=en')).bytes)).not.toContain('Customer’s VAT')
  })

  it('of a cancelled order says so, without a number if it had none', async () => {
    const { order, vendor } = await makeHousehold(shop)
    const [numbered, bare] = [await order(), await order()]
    await pdf(numbered)
    await shop.query(`update orders set status = 'cancelled' where id = any($1)`, [[numbered, bare]])
    expect(textOf((await pdf(numbered, 'lang=en')).bytes)).toMatch(/Tax invoice[\s\S]*Cancelled/)
    expect(textOf((await pdf(bare, 'lang=en')).bytes)).toMatch(/Cancelled order/)
    expect(await receiptsOf(vendor)).toHaveLength(1)
  })
})

describe.runIf(hasPoppler)('an edit that ends while the number is issued', () => {
  it('is on the receipt', async () => {
    const { order, vendor } = await makeHousehold(shop)
    const id = await order()
    const client = await shop.app.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from orders where id = $1 for update', [id])
      await client.query('update order_items set quantity = 2 where order_id = $1', [id])
      await client.query(
        'update orders set subtotal = 3010, product_vat = 301, total = 3010 + 301 + delivery_fee where id = $1',
        [id],
      )
      const printing = pdf(id, 'lang=en')
      await expect.poll(() => lockWaits(shop, 'insert into "receipts"%')).toBe(1)
      await client.query('commit')
      const text = textOf((await printing).bytes)
      expect(text).toContain(`${vendor}-000001`)
      expect(text).toContain('BHD 4.061')
    } finally {
      client.release()
    }
  })
})

describe('receipt numbers', () => {
  async function ordersOf(vendorId: number, n: number) {
    const { id } = await makeUser(shop)
    return Promise.all(Array.from({ length: n }, () => makeOrder(shop, { userId: id, vendorId })))
  }
  const seller = { name: 'x', nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null }
  const parties = { seller, buyerVatNumber: null }

  it('run from 1 without gaps per vendor, one per order, under concurrent requests', async () => {
    const [one, two] = [await makeVendor(shop), await makeVendor(shop)]
    const asked = [
      ...(await ordersOf(one, 25)).map((id) => [id, one] as const),
      ...(await ordersOf(two, 5)).map((id) => [id, two] as const),
    ]
    await Promise.all(
      [...asked, ...asked, ...asked].map(([orderId, vendorId]) =>
        issueReceipt(shop.app.pool, { orderId, vendorId, ...parties }),
      ),
    )
    expect((await receiptsOf(one)).map((row) => row.number)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
    expect((await receiptsOf(two)).map((row) => row.number)).toEqual([1, 2, 3, 4, 5])
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
    await issueReceipt(shop.app.pool, { orderId: first ?? '', vendorId, ...parties })
    await expect(issueReceipt(shop.app.pool, { orderId: 'NOSUCHORDER', vendorId, ...parties })).rejects.toThrow()
    await issueReceipt(shop.app.pool, { orderId: second ?? '', vendorId, ...parties })
    expect((await receiptsOf(vendorId)).map((row) => row.number)).toEqual([1, 2])
  })

  it('are given on delivery without a request, and never change', async () => {
    const { order, vendor } = await makeHousehold(shop)
    const id = await order()
    await boss.call(changeOrderStatus, { params: { id }, body: { status: 'shipped' } })
    await boss.call(changeOrderStatus, { params: { id }, body: { status: 'delivered' } })
    await expect.poll(() => receiptsOf(vendor)).toEqual([{ order_id: id, number: 1 }])
    await expect(shop.query('update receipts set number = 2 where order_id = $1', [id])).rejects.toThrow(
      'never changed',
    )
    await expect(shop.query('delete from receipts where order_id = $1', [id])).rejects.toThrow('never changed')
  })
})
