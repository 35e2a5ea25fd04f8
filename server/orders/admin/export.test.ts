import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { attachment, csvCell } from '../../lib/csv.ts'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeOrder, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { xlsxCells } from '../../test/fixtures/xlsx.ts'
import { portOf } from '../../test/listen.ts'

let shop: TestShop
let vendorId: number
let admin: Awaited<ReturnType<typeof makeVisitor>>

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  vendorId = await makeVendor(shop)
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
})

const fetched = async (query = '') => {
  const { status, body, headers } = await admin.send('GET', `/api/admin/orders.csv${query}`)
  return { status, text: String(body), headers }
}

const evil = [
  '=HYPERLINK("http://evil.example","x")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\u0000=1',
  'a,b',
  'say "hi"',
  'two\nlines',
  'semi;colon',
  ' padded ',
  'عادي',
  "'quoted",
]

const formula = /^[=+\-@\t\r\0]/

describe('a CSV cell', () => {
  it.each(evil)('%j survives a round trip and is no formula', (text) => {
    const [[cell = '', next] = []] = parse(`${csvCell(text)},end\r\n`) as string[][]
    expect(next).toBe('end')
    expect(cell === text || cell === `'${text}`).toBe(true)
    expect(cell).not.toMatch(formula)
  })

  it('would be a formula for most of them with quotes alone', () => {
    const naive = (text: string) => `"${text.replaceAll('"', '""')}"`
    const cells = evil.map((text) => (parse(`${naive(text)},end\r\n`) as string[][])[0]?.[0] ?? '')
    expect(cells.filter((cell) => formula.test(cell))).toEqual(evil.slice(0, 7))
  })
})

describe('the file', () => {
  it('names sizes in the language of the file', async () => {
    const seller = await shop.visitor().signInAs('+97336000002')
    const items = async (lang: string) => {
      const { body } = await seller.send('GET', `/api/admin/orders.csv?lang=${lang}`)
      const rows = parse(String(body), { bom: true }) as string[][]
      const column = rows[0]?.findIndex((heading) => heading === (lang === 'ar' ? 'المنتجات' : 'Items')) ?? -1
      return rows.slice(1).map((row) => row[column] ?? '')
    }
    const [ar, en] = [await items('ar'), await items('en')]
    expect(ar.filter((cell) => /\d (?:مل|لتر|غالون)/.test(cell)).length).toBeGreaterThan(10)
    expect(ar.filter((cell) => /\d ?(?:ml|L\b|gallon)/i.test(cell))).toEqual([])
    expect(en.filter((cell) => /\d (?:ml|L|gallon)/.test(cell)).length).toBeGreaterThan(10)
  })

  it('contains the filtered orders with names, phones and money as Excel reads them', async () => {
    const ids: string[] = []
    for (const text of evil) {
      const id = await makeOrder(shop, { userId: null, vendorId, status: 'shipped' })
      ids.push(id)
      // PostgreSQL stores no NUL in a text.
      await shop.query(
        `update orders set customer_name = $2, instructions = $2, address = $2, company_name = $2, cr_number = $2,
           po_number = $2, branch = $2, vat_number = '220004418700002', paying_with = 20000 where id = $1`,
        [id, text.replace('\0', '')],
      )
    }
    await makeOrder(shop, { userId: null, vendorId, status: 'cancelled' })
    const { status, text, headers } = await fetched('?status=shipped&lang=en')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''orders-/,
    )
    expect(text.startsWith('\ufeff')).toBe(true)
    const rows = parse(text, { columns: true, bom: true }) as Record<string, string>[]
    expect(rows.map(({ Order }) => Order).sort()).toEqual([...ids].sort())
    for (const row of rows) {
      expect(row).toMatchObject({
        Phone: '97336000006',
        Total: '2.150',
        Status: 'Shipped',
        'Customer’s VAT no.': '220004418700002',
        'Pays with (BHD)': '20.000',
      })
      expect(row['PO no.']).toBe(row.Company)
      for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r\0]/)
    }
    expect((await fetched('?status=shipped')).text).toContain('رقم الطلب')
  })

  it('is also a workbook of dates and amounts, with the receipt and the day of the delivery', async () => {
    const seller = await shop.visitor().signInAs('+97336000002')
    const cookie = [...seller.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const url = '/api/admin/orders.xlsx?status=delivered&lang=ar'
    const { headers, rawPayload } = await shop.app.http.inject({ method: 'GET', url, headers: { cookie } })
    expect(headers['content-type']).toContain('spreadsheetml.sheet')
    expect(headers['content-disposition']).toMatch(/filename="orders-\d{4}-\d\d-\d\d\.xlsx"/)
    const { cells, sheet } = await xlsxCells(rawPayload)
    const [titles = [], ...rows] = cells
    const column = (title: string) => rows.map((row) => row[titles.indexOf(title)] ?? '')
    expect(rows.length).toBeGreaterThan(5)
    expect(column('رقم الإيصال').filter((text) => /^\d+-\d+$/.test(text)).length).toBeGreaterThan(0)
    for (const title of ['يوم الطلب', 'تاريخ التسليم', 'الإجمالي'])
      expect(column(title).filter((text) => !(Number(text) > 0))).toEqual([])
    expect(new Set(column('الهاتف').map((text) => /^\d{11}$/.test(text)))).toEqual(new Set([true]))
    expect(sheet).toContain('rightToLeft="1"')
  })

  it('with a row for each line has rows that add up to the totals', async () => {
    const seller = await shop.visitor().signInAs('+97336000002')
    await shop.query(`update orders set delivery_fee = 500, total = total - delivery_fee + 500 where vendor_id = 1`)
    const rowsOf = async (query: string) => {
      const { body } = await seller.send('GET', `/api/admin/orders.csv?lang=en${query}`)
      return parse(String(body), { columns: true, bom: true }) as Record<string, string>[]
    }
    const sums = new Map<string, number>()
    const lines = await rowsOf('&rows=lines')
    for (const { Order = '', 'Amount (BHD)': amount } of lines)
      sums.set(Order, (sums.get(Order) ?? 0) + Math.round(Number(amount) * 1000))
    const orders = await rowsOf('')
    expect(lines.length).toBeGreaterThan(orders.length)
    expect(orders.map(({ Order = '' }) => [Order, (sums.get(Order) ?? 0) / 1000])).toEqual(
      orders.map(({ Order, Total }) => [Order, Number(Total)]),
    )
    expect(new Set(lines.map(({ Product }) => Product))).toContain('Delivery fee')
  })

  it('contains every order once, for any number of orders', async () => {
    await shop.query(
      `insert into orders (id, vendor_id, vendor_name, customer_name, phone, address, lat, lng, subtotal, delivery_fee,
         product_vat, total, promised_date, created_at)
       select 'BULK' || lpad(n::text, 12, '0'), $1, 'V', 'Many', '+97336000006', 'Seef', 26, 50, 1, 0, 0, 1, '2026-01-02',
         timestamptz '2026-01-01' + (n / 7) * interval '1 second' from generate_series(1, 950) n`,
      [vendorId],
    )
    const rows = parse((await fetched('?search=many&lang=en')).text, { columns: true, bom: true }) as {
      Order: string
    }[]
    expect(new Set(rows.map(({ Order }) => Order)).size).toBe(950)
    expect(rows).toHaveLength(950)
  })

  it('returns 403 without the permission and while impersonating', async () => {
    const sales = await makeVisitor(shop, { role: 'vendor_sales', vendorId })
    const driver = await makeVisitor(shop, { role: 'driver', vendorId })
    for (const person of [sales, driver]) expect((await person.send('GET', '/api/admin/orders.csv')).status).toBe(403)
    expect((await shop.visitor().send('GET', '/api/admin/orders.csv')).status).toBe(401)
    expect((await fetched('?status=lost')).status).toBe(400)
  })
})

describe('a database error during the export', () => {
  const failing = { search: 'failing' }
  /** Creates one order more than a batch; reading the oldest fails. */
  async function makeFailing(number: number) {
    const sample = await makeOrder(shop, { userId: admin.id, vendorId })
    await shop.query(
      `insert into orders (id, user_id, vendor_id, vendor_name, customer_name, phone, address, lat, lng, subtotal,
         delivery_fee, product_vat, total, promised_date, created_at, delivered_at)
       select upper(substr(md5(n::text || $2), 1, 16)), user_id, vendor_id, vendor_name, $2, phone, address, lat, lng,
         subtotal, delivery_fee, product_vat, total, promised_date, now() - (n = 1)::int * interval '1 day',
         case when n = 1 then 'infinity'::timestamptz end
       from orders, generate_series(1, $3) n where id = $1`,
      [sample, failing.search, number],
    )
  }

  it('before the first row gets 500 as JSON', async () => {
    await makeFailing(1)
    const { status, text, headers } = await fetched(`?search=${failing.search}`)
    expect([status, headers['content-disposition']]).toEqual([500, undefined])
    expect(text).not.toContain('Order')
  })

  it('after the first rows breaks the connection, so that the client detects an incomplete file', async () => {
    failing.search = 'later'
    await makeFailing(201)
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const address = `http://127.0.0.1:${await portOf(shop)}/api/admin/orders.csv?search=${failing.search}`
    const response = await fetch(address, { headers: { cookie } })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })
})

it('a download has a name in any script', () => {
  expect(attachment("طلبات 'اليوم'.csv")).toBe(
    `attachment; filename="-.csv"; filename*=UTF-8''${encodeURIComponent('طلبات ')}%27${encodeURIComponent('اليوم')}%27.csv`,
  )
})
