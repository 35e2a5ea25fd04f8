import { listProductAudit } from '@qatra/contract/products/admin'
import { bulkProducts, bulkTemplate } from '@qatra/contract/products/bulk'
import { listProducts } from '@qatra/contract/products/products'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { wholeState } from '../../test/ask.ts'
import { heading, type ImportResult, item, line, next, places, uploads } from '../../test/fixtures/bulk.ts'
import { fileForm } from '../../test/fixtures/form.ts'

const shop = await startShop({ role: 'web' })
const boss = await shop.visitor().signInAs('+97336000001')
const admin = await shop.visitor().signInAs('+97336000002')
const staff = await shop.visitor().signInAs('+97336000003')
const url = bulkProducts.path

const { sendFile, sendJson } = uploads(admin)
const countOf = async () => (await shop.query<{ n: number }>('select count(*)::int as n from products'))[0]?.n

describe('an upload of products', () => {
  it("is created as a whole, visible at once and in each product's history", async () => {
    const names = ['مياه اللؤلؤ', 'Pearl "still", large']
    const { status, body } = await sendFile(
      `${heading}\n${line({ name: names[0] ?? '' })}\n${line({ name: '"Pearl ""still"", large"' })}`,
      { who: staff },
    )
    expect([status, body]).toMatchObject([200, { created: 2, failed: [], rows: 2 }])
    const there = (await shop.visitor().call(listProducts, { query: { vendorId: '1' } })).body.filter(({ name }) =>
      names.includes(name),
    )
    expect(there).toHaveLength(2)
    const history = (await admin.call(listProductAudit, { params: { id: String(there[0]?.id) } })).body
    expect(history).toMatchObject([
      {
        action: 'created via bulk upload',
        isBulk: true,
        newValue: { price: 1.5 },
        notes: expect.stringMatching(/^products\.csv #[23]$/),
      },
    ])
  })

  it('can be JSON, as the body or as a file', async () => {
    expect((await sendJson({ products: [item(), item({ isActive: false, vatPercentage: '10%' })] })).body.created).toBe(
      2,
    )
    expect((await sendFile(JSON.stringify({ products: [item()] }), { name: 'a.json' })).body.created).toBe(1)
    expect((await sendFile(JSON.stringify([item()]), { name: 'a.JSON' })).body.created).toBe(1)
  })

  it('can be the downloaded template', async () => {
    const { status, body, headers } = await admin.call(bulkTemplate)
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="products.csv"',
    ])
    expect(body.startsWith('\ufeffvendorId,name,price,size,imageUrl')).toBe(true)
    expect((await sendFile(body)).body).toMatchObject({ created: 3, failed: [] })
  })

  const arabic = 'رقم العلامة;الاسم;السعر;الحجم;الصورة;الاسم بالعربية;مفعل;الضريبة'
  const written: [string, () => string | Buffer][] = [
    ['a mark and CRLF', () => `\ufeff${heading}\r\n${line()}\r\n`],
    ['old line ends', () => `${heading}\r${line()}\r`],
    ['UTF-16, little end first', () => Buffer.from(`\ufeff${heading}\r\n${line({ name: 'مياه ألف' })}`, 'utf16le')],
    ['UTF-16, big end first', () => Buffer.from(`\ufeff${heading}\n${line({ name: 'مياه باء' })}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', () => Buffer.from(`${heading}\n${line({ name: 'مياه تاء' })}`, 'utf16le')],
    ['semicolons', () => `${heading}\n${line()}`.replaceAll(',', ';')],
    ['tabs', () => `${heading}\n${line()}`.replaceAll(',', '\t')],
    ['a line that names the delimiter', () => `sep=;\r\n${heading}\n${line()}`.replaceAll(',', ';')],
    [
      'headings in other letters, order and number',
      () => `Note, PRICE ,Image URL,Size,NAME,Vendor_ID\nx,2,https://x.example/1,1L,Order ${next()},1`,
    ],
    [
      'Arabic headings, digits and answers',
      () => `${arabic}\n١;مياه ${next()};١٫٥٠٠;٥٠٠ مل;https://x.example/1;مياه;لا;١٠٪`,
    ],
    ['Persian digits', () => `${heading}\n${line({ vendorId: '۱', price: '۰٫۳۵۰' })}`],
    ['decimal commas', () => `${heading}\n${line()}`.replaceAll(',', ';').replace('1.500', '1,5')],
    [
      'the Arabic encoding of Excel',
      () =>
        Buffer.concat([
          Buffer.from(`${heading}\n1,`),
          Buffer.of(0xe3, 0xed, 0xc7, 0xe5),
          Buffer.from(` ${next()},1,1L,`),
        ]),
    ],
    ['the end of file of DOS', () => `${heading}\r\n${line()}\r\n\u001a`],
    ['the comma of Arabic keyboards', () => `${heading}\n${line()}`.replaceAll(',', '،')],
    ['blank lines and cells', () => `\n${heading}\n\n,,,,\n${line()},,\n\n`],
    ['a signed number', () => `${heading}\n${line({ price: '+2' })}`],
    ['a sign within a text', () => `${heading}\n${line({ name: `a=b @ c ${next()}` })}`],
  ]
  it.each(written)('with %s is parsed', async (_, make) => {
    const answer = await sendFile(make())
    expect([answer.failed, answer.body.created]).toEqual([[], 1])
  })

  it('reports rows by their number in a spreadsheet, with the value', async () => {
    const { failed } = await sendFile(`Price list 2026\n\n${heading}\n${line()}\n\n${line({ price: 'x' })}`)
    expect(failed).toEqual([{ row: 6, field: 'price', value: 'x', reason: 'Write the number alone, as in 1.400' }])
  })
})

describe('an unreadable upload', () => {
  const binary = Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 7919) % 256))
  const refused: [string, string | Buffer, string, string, number, string][] = [
    [
      'a renamed XLSX',
      Buffer.concat([Buffer.from('PK\u0003\u0004'), binary]),
      'a.csv',
      'Invalid file format',
      0,
      'file',
    ],
    ['anything binary', binary, 'a.csv', 'Invalid file format', 0, 'file'],
    ['zeros', `${heading}\n${line()}\u0000`, 'a.csv', 'Invalid file format', 0, 'file'],
    ['another kind', `${heading}\n${line()}`, 'a.xlsx', 'Invalid file format', 0, 'file'],
    ['no kind', `${heading}\n${line()}`, 'products', 'Invalid file format', 0, 'file'],
    ['nothing', '', 'a.csv', 'No valid products', 0, 'file'],
    ['a heading alone', heading, 'a.csv', 'No valid products', 0, 'file'],
    [
      'a column less',
      `vendorId,name,size,imageUrl\n1,a,1L,https://x.example`,
      'a.csv',
      'File parsing error',
      0,
      'price',
    ],
    ['a column twice', `${heading},السعر\n${line()},2`, 'a.csv', 'File parsing error', 0, 'price'],
    [
      'a quote that is not closed',
      `${heading}\n${line()}\n1,"Open,1,1L,https://x.example\n${line()}`,
      'a.csv',
      'File parsing error',
      3,
      'file',
    ],
    [
      'a quote in the wrong place',
      `${heading}\n1,"Open"x,1,1L,https://x.example`,
      'a.csv',
      'File parsing error',
      2,
      'file',
    ],
    ['a cell beyond measure', `${heading}\n1,${'x'.repeat(9_000)}`, 'a.csv', 'File parsing error', 2, 'file'],
    ['10 000 columns', `${heading}\n${','.repeat(10_000)}`, 'a.csv', 'File parsing error', 2, 'file'],
    [
      '1 001 rows',
      [heading, ...Array.from({ length: 1001 }, () => line())].join('\n'),
      'a.csv',
      'Upload failed',
      1002,
      'file',
    ],
    ['broken JSON', '{"products":[', 'a.json', 'File parsing error', 0, 'file'],
    ['deep JSON', `{"products":${'['.repeat(50_000)}`, 'a.json', 'File parsing error', 0, 'file'],
    ['a JSON of something else', '{"rows":[]}', 'a.json', 'File parsing error', 0, 'products'],
    ['no products', '{"products":[]}', 'a.json', 'No valid products', 0, 'file'],
    [
      '1 001 products',
      JSON.stringify(Array.from({ length: 1001 }, () => item())),
      'a.json',
      'Upload failed',
      1001,
      'file',
    ],
  ]
  it.each(refused)(
    '(%s) is rejected with its position, and a dry run reports the same',
    async (_, contents, name, problem, row, field) => {
      const before = await wholeState(shop)
      const answer = await sendFile(contents, { name })
      expect([answer.status, answer.code, answer.problem, places(answer.failed)]).toEqual([
        422,
        'BULK_REFUSED',
        problem,
        [[row, field]],
      ])
      expect(answer.failed[0]?.reason).toMatch(/^\p{Lu}/u)
      const dry = await sendFile(contents, { name, query: '?dryRun=true' })
      expect([dry.status, dry.body.created, dry.failed]).toEqual([200, 0, answer.failed])
      expect(await wholeState(shop)).toEqual(before)
    },
  )

  it('over the size limit is rejected with 413, with or without Content-Length', async () => {
    const large = await sendFile(Buffer.alloc(20_000_000, 'a'))
    expect([large.status, large.code]).toEqual([413, 'TOO_LARGE'])
    const json = await admin.send('POST', url, { raw: `{"products":"${'x'.repeat(4_100_000)}"}` })
    expect([json.status, json.refusal.code]).toEqual([413, 'TOO_LARGE'])
  })

  it('that is not a valid request gets 400, 415 or 422', async () => {
    expect((await admin.send('POST', url, { raw: '{"products":[' })).status).toBe(400)
    expect((await admin.send('POST', url, { raw: 'x', headers: { 'content-type': 'text/csv' } })).status).toBe(415)
    expect(
      (await admin.send('POST', url, { raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=b' } }))
        .status,
    ).toBe(400)
    expect((await admin.send('POST', url, { raw: 'x', headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
    const { raw, headers } = fileForm('a.csv', heading, { field: 'other' })
    const cut = raw.subarray(0, raw.length - 20)
    expect((await admin.send('POST', url, { raw: cut, headers })).status).toBe(400)
    expect((await admin.send('POST', url)).status).toBe(422)
  })
})

describe('an invalid row', () => {
  const wrong: [string, object, string[]][] = [
    [
      'nothing in it',
      { vendorId: '', name: '', price: null, size: undefined, imageUrl: ' ' },
      ['name', 'price', 'size'],
    ],
    ['a price of nothing', { price: 0 }, ['price']],
    ['a price below nothing', { price: '-5' }, ['price']],
    ['four decimals', { price: '1.0005' }, ['price']],
    ['words for a price', { price: '1.5 or 2' }, ['price']],
    ['an ambiguous price with its unit', { price: 'BD 1,500' }, ['price']],
    ['an ambiguous price', { price: '1,500' }, ['price']],
    ['an exponent', { price: '1e2' }, ['price']],
    ['a price that is a list', { price: [1] }, ['price']],
    ['a long name', { name: 'x'.repeat(201) }, ['name']],
    ['hidden characters', { name: 'a\u202eb' }, ['name']],
    ['a broken character', { name: 'a\ud800' }, ['name']],
    ['an object for a name', { name: { toString: 'x' } }, ['name']],
    ['an address of another kind', { imageUrl: 'http://x.example/a.jpg' }, ['imageUrl']],
    ['a bad answer', { isActive: 'perhaps' }, ['isActive']],
    ['half a unit', { unitsPerInventoryUnit: '1.5' }, ['unitsPerInventoryUnit']],
    ['a percentage too much', { vatPercentage: 101 }, ['vatPercentage']],
    ['several things', { price: 0, size: '', vatPercentage: 'x' }, ['price', 'size', 'vatPercentage']],
  ]
  it.each(wrong)('(%s) is reported by row and field', async (_, about, fields) => {
    const before = await wholeState(shop)
    const { status, code, failed } = await sendJson({ products: [item(), item(about)] })
    expect([status, code, places(failed)]).toEqual([422, 'BULK_REFUSED', fields.map((field) => [2, field])])
    for (const { reason } of failed) expect(reason).toMatch(/^[A-Z][\x20-\x7e]+$/)
    expect(await wholeState(shop)).toEqual(before)
  })

  it.each(['=1+1', '@SUM(A1)', '"\t=1"', '"\r=1"', '+cmd|1', '-2+3', ' =1', '"=HYPERLINK(""x"")"'])(
    'is rejected if the name is like the formula %j',
    async (name) => {
      const { status, failed } = await sendFile(`${heading}\n${line({ name })}`)
      expect([status, places(failed)]).toEqual([422, [[2, 'name']]])
      expect(failed[0]?.reason).toContain('formula')
    },
  )

  it('is reported in the language of the request', async () => {
    const { refusal } = await admin.send('POST', url, { body: { products: [item({ price: 0 })] } })
    expect((refusal.details['failed'] as ImportResult['failed'])[0]?.reason).toMatch(/\p{Script=Arabic}/u)
    // The message of the error code is always English.
    expect(refusal.message).toBe('Upload failed')
  })

  it('is reported if it has extra columns or is not an object', async () => {
    expect(places((await sendFile(`${heading}\n${line()},x`)).failed)).toEqual([[2, 'row']])
    expect(places((await sendJson({ products: [null, 7, 'x', [], item()] })).failed)).toEqual(
      [1, 2, 3, 4].map((row) => [row, 'row']),
    )
  })

  it('blocks the whole upload, unless a partial upload is requested', async () => {
    const products = [item(), item({ price: 0 }), item()]
    const before = await countOf()
    expect((await sendJson({ products })).status).toBe(422)
    expect(await countOf()).toBe(before)
    const { status, body } = await sendJson({ products }, { query: '?partial=true' })
    expect([status, body.created, places(body.failed)]).toEqual([200, 2, [[2, 'price']]])
    expect(await countOf()).toBe((before ?? 0) + 2)
    const none = await sendJson({ products: [item({ price: 0 })] }, { query: '?partial=true' })
    expect([none.status, none.problem]).toEqual([422, 'No valid products'])
  })
})

describe('a dry run', () => {
  it('reports all problems and writes nothing, also for a partial upload', async () => {
    const before = await wholeState(shop)
    const products = [item(), item({ price: 0 }), item({ vendorId: 2 })]
    for (const query of ['?dryRun=true', '?dryRun=true&partial=true']) {
      const { status, body } = await sendJson({ products }, { query })
      expect([status, body.created, body.rows, places(body.failed)]).toEqual([
        200,
        0,
        3,
        [
          [2, 'price'],
          [3, 'vendorId'],
        ],
      ])
    }
    expect((await sendJson({ products: [item()] }, { query: '?dryRun=true' })).body).toMatchObject({
      created: 0,
      failed: [],
      rows: 1,
    })
    expect((await admin.send('POST', `${url}?dryRun=perhaps`, { body: { products } })).status).toBe(400)
    expect(await wholeState(shop)).toEqual(before)
  })
})

describe('a duplicate product', () => {
  it('is reported within the file, with both rows', async () => {
    const [name] = [`Twice ${next()}`]
    const { failed } = await sendJson({
      products: [item({ name }), item(), item({ name: `  ${name.toUpperCase()}`, size: '0.5 L' })],
    })
    expect(places(failed)).toEqual([[3, 'name']])
    expect(failed[0]?.reason).toContain('row 1')
  })

  it('is reported with the number of the existing product', async () => {
    const products = [item(), item()]
    await sendJson({ products })
    const again = await sendJson({ products: [item(), products[1]] })
    expect(places(again.failed)).toEqual([[2, 'name']])
    expect(again.failed[0]?.reason).toMatch(/product \d+/)
    expect((await sendJson({ products: [item(), products[1]] }, { query: '?partial=true' })).body).toMatchObject({
      created: 1,
    })
    // Another vendor's product with the same name is no duplicate.
    expect((await sendJson({ products: [{ ...products[1], vendorId: 2 }] }, { who: boss })).body.created).toBe(1)
  })

  it('is created once when several people upload it at once', async () => {
    const products = Array.from({ length: 100 }, () => item())
    const before = (await countOf()) ?? 0
    const answers = await Promise.all(
      [admin, staff, boss].map((who) => sendJson({ products: products.toReversed() }, { who })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect(await countOf()).toBe(before + 100)
    const mixed = await Promise.all(
      [admin, staff, boss].map((who, i) =>
        sendJson(
          {
            products: [
              ...products.slice(0, 5),
              item(),
              ...Array.from({ length: 20 }, (_, n) => item({ name: `Race ${(n + i * 7) % 20}` })),
            ],
          },
          { who, query: '?partial=true' },
        ),
      ),
    )
    expect(mixed.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(mixed.reduce((sum, { body }) => sum + body.created, 0)).toBe(3 + 20)
  })
})

describe("another vendor's rows", () => {
  it('cause 403 for the whole upload of 1 000 rows, and nothing is written', async () => {
    const before = await wholeState(shop)
    const lines = [heading, ...Array.from({ length: 999 }, () => line()), line({ vendorId: 2 })].join('\n')
    for (const query of ['', '?partial=true']) {
      const { status, code, failed } = await sendFile(lines, { query })
      expect([status, code, places(failed)]).toEqual([403, 'FORBIDDEN', [[1001, 'vendorId']]])
    }
    expect((await sendJson({ products: [item({ vendorId: '٢', price: 0 })] })).status).toBe(403)
    expect(await wholeState(shop)).toEqual(before)
  })

  it('of an unknown vendor are rejected for a super admin', async () => {
    const { status, failed } = await sendJson({ products: [item({ vendorId: 999_999 })] }, { who: boss })
    expect([status, places(failed)]).toEqual([422, [[1, 'vendorId']]])
  })

  it('cannot set columns that are not in the schema', async () => {
    const products = [
      {
        ...item(),
        id: 1,
        version: 9,
        deletedAt: '2020-01-01',
        createdAt: '2020-01-01',
        __proto__: { isActive: false },
      },
    ]
    const raw = JSON.stringify({ products }).replace(
      '"id":1',
      '"id":1,"__proto__":{"isActive":false},"constructor":{"prototype":{"x":1}}',
    )
    expect((await admin.send('POST', url, { raw })).status).toBe(200)
    const [row] = await shop.query('select version, deleted_at, is_active from products order by id desc limit 1')
    expect(row).toEqual({ version: 1, deleted_at: null, is_active: true })
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})
