import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { heading, item, line, next, places, uploads } from '../../test/fixtures/bulk.ts'
import { xlsxOf } from '../../test/fixtures/xlsx.ts'

const shop = await startShop({ role: 'web' })
const boss = await shop.visitor().signInAs('+97336000001')
const { sendFile, sendJson } = uploads(await shop.visitor().signInAs('+97336000002'))

describe('bulk uploads', () => {
  it('accept 1 000 rows', async () => {
    const lines = [heading, ...Array.from({ length: 1000 }, () => line())].join('\n')
    const { body } = await sendFile(lines)
    expect(body).toMatchObject({ created: 1000, failed: [], rows: 1000 })
  })

  it('of one person run one at a time, and return 429 when too many wait', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendJson({ products: [item()] })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
    expect((await sendJson({ products: [item()] })).status).toBe(200)
  })
})

describe('a file as companies have it', () => {
  it('may leave out vendor and picture, with headings, prices, units and answers as companies write them', async () => {
    const titles = 'الصنف;السعر (د.ب);الحجم;متوفر؟;الوحدة;عدد الحبات في الكرتون;الرف;الملاحظات'
    const rows = [
      ['BD 1.400', '200ml', 'لا', 'كرتون', '24 حبة'],
      ['١٫٤٠٠ د.ب', '330ml', 'متوفر', 'كرتون 24', ''],
      ['1.400 دينار', '500ml', 'نعم', 'Carton of 24', ''],
      ['BHD1.400', '600ml', 'غير متوفر', 'Carton', '24'],
    ]
    const name = `مياه ${next()}`
    const { status, body } = await sendFile(
      [titles, ...rows.map((cells) => [name, ...cells, 'A1', ''].join(';'))].join('\r\n'),
    )
    expect([status, body]).toMatchObject([200, { created: 4, failed: [] }])
    expect(body.columns.filter(({ field }) => field === null)).toEqual([{ heading: 'الرف', field: null }])
    const stored = await shop.query(
      `select vendor_id, price, is_active, inventory_unit, units_per_inventory_unit as units from products
       where name = $1 order by id`,
      [name],
    )
    expect(stored).toEqual(
      [false, true, true, false].map((isOn) => ({
        vendor_id: 1,
        price: 1400,
        is_active: isOn,
        inventory_unit: 'Carton',
        units: 24,
      })),
    )
  })

  it('of the market are of the chosen vendor, or of the one that a row names', async () => {
    const file = ['name,price,size,brand', `Bulk ${next()},1,1L,`, `Bulk ${next()},1,1L,هيرات`].join('\n')
    const without = await sendFile(file, { who: boss })
    expect(places(without.failed)).toEqual([[2, 'vendorId']])
    expect((await sendFile(file, { who: boss, query: '?vendorId=2' })).body).toMatchObject({ created: 2 })
    expect((await sendFile(file, { query: '?vendorId=2' })).status).toBe(403)
    const unknown = await sendFile(`name,price,size,brand\nx,1,1L,Nobody`, { who: boss })
    expect(unknown.failed).toMatchObject([{ row: 2, field: 'vendorId', value: 'Nobody' }])
    const vat = await sendFile(`${heading},vat\n${line()},0.1`)
    expect(vat.failed).toMatchObject([{ row: 2, field: 'vatPercentage', value: '0.1' }])
  })

  it('can be an Excel file, with notes in its first sheet', async () => {
    const rows = [['Price list'], [], ['Name', 'Price', 'Size', 'Units'], [`Bulk ${next()}`, 1.4, '500 ml', 24]]
    const answer = await sendFile(xlsxOf(rows), { name: 'products.xlsx' })
    expect(answer.body).toMatchObject({ created: 1, rows: 1 })
  })
})
