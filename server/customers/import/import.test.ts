import { getCustomer, listCustomers } from '@qatra/contract/users/customers'
import { customerTemplate, listCustomerImports } from '@qatra/contract/users/customers-import'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { wholeState } from '../../test/ask.ts'
import { newPhone } from '../../test/fixtures/codes.ts'
import { customerFiles, places } from '../../test/fixtures/customer-files.ts'
import { makeArea, makeOrder, makeUser, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { xlsxOf } from '../../test/fixtures/xlsx.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import type { Visitor } from '../../test/visitor.ts'

let shop: TestShop
let admin: Visitor
let send: ReturnType<typeof customerFiles>
let vendorId: number
let staff: Visitor
let area: { id: number; name: string; nameAr: string }
beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10, hasBot: false })
  admin = await shop.visitor().signInAs('+97336000001')
  send = customerFiles(admin)
  vendorId = await makeVendor(shop)
  staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId })
  const { areaId } = await makeArea(shop, [vendorId])
  const [made] = await shop.query<{ name: string; name_ar: string }>('select name, name_ar from areas where id = $1', [
    areaId,
  ])
  area = { id: areaId, name: made?.name ?? '', nameAr: made?.name_ar ?? '' }
})

let phone = ''
beforeEach(() => {
  phone = newPhone()
})

interface Stored {
  id: number
  name: string | null
  address: string | null
  address_parts: object | null
  marketing_consent: boolean
  consent_source: string | null
}
const stored = async (of = phone) => {
  const [row] = await shop.query<Stored>(
    `select u.id, name, address, address_parts, marketing_consent, consent_source
     from users u left join addresses a on a.user_id = u.id and a.is_default where phone = $1`,
    [of],
  )
  return row
}
const detail = async (who = admin) =>
  (await who.call(getCustomer, { params: { id: String((await stored())?.id ?? 0) } })).body
const counts = ({ created, updated, unchanged }: { created: number; updated: number; unchanged: number }) => [
  created,
  updated,
  unchanged,
]

describe('an import of customers', () => {
  const rows = (of = phone): string[] => [
    'الهاتف;الاسم;المنطقة;المجمع;الطريق;المبنى;الوسوم;الملاحظات;وافق على العروض;مصدر الموافقة',
    `${of.slice(4)};مريم علي;${area.nameAr};٤٢٨;2831;1172;شهري، مكتب;الباب الخلفي;نعم;نموذج ورقي`,
  ]

  it('in a dry run tells what it would do and changes nothing', async () => {
    const before = await wholeState(shop)
    const { status, body } = await send(rows(), '?dryRun=true')
    expect([status, counts(body), body.rows, body.importId]).toEqual([200, [1, 0, 0], 1, null])
    expect(await wholeState(shop)).toEqual(before)
  })

  it('creates an account with address, area, tags, note, and consent with its source', async () => {
    const { status, body } = await send(rows())
    expect([status, counts(body)]).toEqual([200, [1, 0, 0]])
    expect(await stored()).toMatchObject({
      name: 'مريم علي',
      address: `${area.nameAr}، مجمع 428، طريق 2831، مبنى 1172`,
      address_parts: { block: '428', road: '2831', building: '1172' },
      marketing_consent: true,
      consent_source: 'import',
    })
    expect(await detail()).toMatchObject({
      areaName: area.name,
      tags: ['شهري', 'مكتب'],
      notes: [{ body: 'الباب الخلفي', vendorId: null }],
      consentWords: 'نموذج ورقي',
    })
    const { items } = (await admin.call(listCustomerImports)).body
    expect(items[0]).toMatchObject({
      id: body.importId,
      fileName: 'customers.csv',
      rows: 1,
      created: 1,
      undoneAt: null,
    })
    const audit = await shop.query(
      `select action, new_values from audit_log where resource = 'customer-import' and resource_id = $1`,
      [String(body.importId)],
    )
    expect(audit).toEqual([
      { action: 'imported', new_values: { fileName: 'customers.csv', rows: 1, created: 1, updated: 0 } },
    ])
  })

  it('of the same file again creates nothing, and names the earlier import', async () => {
    const first = await send(rows())
    const before = await wholeState(shop)
    const again = await send(rows())
    expect([again.status, counts(again.body), again.body.importId]).toEqual([200, [0, 0, 1], null])
    expect(again.body.earlier?.id).toBe(first.body.importId)
    expect(await wholeState(shop)).toEqual(before)
  })

  it('fills empty fields of a known customer and reports the values that it does not take', async () => {
    await makeUser(shop, { phone, name: 'Maryam' })
    const { status, body } = await send([
      'phone,name,address,tags',
      `${phone},Sara,"Building 12, Road 34, Manama",office`,
    ])
    expect([status, counts(body), places(body.kept)]).toEqual([200, [0, 1, 0], [[2, 'name']]])
    expect(await stored()).toMatchObject({ name: 'Maryam', address: 'Building 12, Road 34, Manama' })
  })

  it('merges the rows of one phone in any spelling, and reports differences', async () => {
    const { body } = await send([
      'phone,name,tags,notes',
      `${phone},Maryam,a,first`,
      `00973 ${phone.slice(4)},,b,second`,
      `${phone.slice(4)},Sara,a,first`,
    ])
    expect([counts(body), body.rows, places(body.kept)]).toEqual([[1, 0, 0], 3, [[4, 'name']]])
    expect(await detail()).toMatchObject({ name: 'Maryam', tags: ['a', 'b'], notes: [{ body: 'first\nsecond' }] })
  })

  it('saves the different addresses of one phone, the first as the default, and none twice', async () => {
    const known = newPhone()
    await makeUser(shop, { phone: known })
    const file = [
      'phone,name,address,area',
      ...[phone, known].flatMap((of) => [
        `${of},Maryam,"Building 12, Road 34, Manama",${area.name}`,
        `${of},,"House 7, Road 8, Riffa",Seef`,
        `${of},,"building 12, road 34,  Manama",`,
        `${of},,"House 7, Road 8, Riffa",`,
      ]),
    ]
    const { status, body } = await send(file)
    expect([status, counts(body), body.kept]).toEqual([200, [1, 1, 0], []])
    const book = await shop.query(
      `select u.phone, a.address, a.is_default from addresses a join users u on u.id = a.user_id
       where u.phone = any($1) order by u.phone = $2, a.is_default desc`,
      [[phone, known], known],
    )
    expect(book).toEqual(
      [phone, known].flatMap((of) => [
        { phone: of, address: 'Building 12, Road 34, Manama', is_default: true },
        { phone: of, address: 'House 7, Road 8, Riffa', is_default: false },
      ]),
    )
    expect((await detail()).areaName).toBe(area.name)
    const again = await send(file)
    expect([counts(again.body), again.body.kept]).toEqual([[0, 0, 2], []])
    const more = await send(['phone,address', `${phone},"Building 12, Road 34, Manama"`, `${phone},"Shop 1, Road 2"`])
    expect([counts(more.body), places(more.body.kept)]).toEqual([[0, 0, 1], [[3, 'address']]])
  })

  it('adds no address to the book of a customer who has saved block and building without a text', async () => {
    const { id } = await makeUser(shop, { phone })
    await shop.query(
      `insert into addresses (user_id, address_parts, is_default) values ($1, '{"block": "310", "building": "12"}', true)`,
      [id],
    )
    const rows = [1, 2].map((n) => `${phone},Maryam,"House ${n}, Road 34, Manama"`)
    const { status, body } = await send(['phone,name,address', ...rows])
    expect([status, ...places(body.kept).flat()]).toEqual([200, 2, 'address', 3, 'address'])
    expect(await stored()).toMatchObject({ name: 'Maryam' })
    expect(await shop.query('select from addresses where user_id = $1', [id])).toHaveLength(1)
  })

  it('saves ten addresses of one phone and reports the others', async () => {
    const rows = Array.from({ length: 12 }, (_, n) => `${phone},"House ${n + 1}, Road 34, Manama"`)
    const { body } = await send(['phone,address', ...rows])
    expect(places(body.kept)).toEqual([
      [12, 'address'],
      [13, 'address'],
    ])
    expect(body.kept[0]?.reason).toContain('10 addresses')
    expect(await shop.query('select from addresses where user_id = $1', [(await stored())?.id])).toHaveLength(10)
  })

  it('keeps an answer of the customer and an opt-out', async () => {
    const asked = await makeUser(shop, { phone })
    await shop.query(`update users set consent_at = now(), consent_source = 'profile' where id = $1`, [asked.id])
    const stopped = newPhone()
    await shop.query('insert into contacts (phone, opted_out_at) values ($1, now())', [stopped])
    const { body } = await send([
      'phone,name,consent,consent source',
      `${phone},Ali,yes,fair`,
      `${stopped},Ali,yes,fair`,
    ])
    expect(places(body.kept)).toEqual([
      [2, 'marketingConsent'],
      [3, 'marketingConsent'],
    ])
    expect((await stored())?.marketing_consent).toBe(false)
    expect(await stored(stopped)).toMatchObject({ marketing_consent: false, consent_source: null })
  })

  it('for a vendor shows the customer to its staff with the name of the file, and to no other vendor', async () => {
    await makeUser(shop, { phone, name: 'Name of the account' })
    await send(['phone,name,tags', `${phone},Abu Ali,office`], `?vendorId=${vendorId}`)
    expect(await detail(staff)).toMatchObject({ name: 'Abu Ali', tags: ['office'] })
    const { items } = (await staff.call(listCustomers, { query: { search: phone } })).body
    expect(items).toMatchObject([{ name: 'Abu Ali', orderCount: 0 }])
    const byName = await staff.call(listCustomers, { query: { search: 'Name of the account' } })
    expect(byName.body.items).toEqual([])
    const stranger = await makeVisitor(shop, { role: 'vendor_staff', vendorId: await makeVendor(shop) })
    const id = String((await stored())?.id)
    expect((await stranger.call(getCustomer, { params: { id } })).status).toBe(404)
    expect((await detail()).tags).toEqual([])
  })

  it('refuses an unknown vendor', async () => {
    expect((await send(rows(), '?vendorId=999999')).code).toBe('VENDOR_NOT_FOUND')
  })
})

describe('rows with problems', () => {
  it('reject the whole file, or are left out by a partial import', async () => {
    const staffPhone = (await makeUser(shop, { role: 'driver', vendorId })).phone
    const off = await makeUser(shop)
    await shop.query('update users set is_active = false where id = $1', [off.id])
    const file = [
      'phone,name,area,address,tags,marketingConsent,consentSource',
      `${phone},Maryam,,,,,`,
      '9.7336E+10,Ali,,,,,',
      ',Ali,,,,,',
      `${newPhone()},www.ali.com,Atlantis,here,"a,${'x'.repeat(41)}",maybe,`,
      `${newPhone()},Ali,,,,yes,`,
      `${newPhone()},=HYPERLINK("x"),,,,,`,
      `${staffPhone},Ali,,,,,`,
      `${off.phone},Ali,,,,,`,
      `${newPhone()},Ali,,,,,,extra`,
    ]
    const expected =
      '10,row 3,phone 4,phone 5,address 5,marketingConsent 5,name 5,tags 6,consentSource 7,name 8,phone 9,phone'
    const sorted = (failed: Parameters<typeof places>[0]) => places(failed).map(String).sort().join(' ')
    const before = await wholeState(shop)
    const refused = await send(file)
    expect([refused.status, refused.code, sorted(refused.failed)]).toEqual([422, 'BULK_REFUSED', expected])
    expect(refused.failed.every(({ reason }) => !reason.startsWith('customerFile.'))).toBe(true)
    expect(await wholeState(shop)).toEqual(before)
    const { status, body } = await send(file, '?partial=true')
    expect([status, counts(body), body.failedRows]).toEqual([200, [1, 0, 0], 8])
    expect((await stored())?.name).toBe('Maryam')
  })

  it('are explained in Arabic to a person who reads Arabic', async () => {
    const { failed } = await customerFiles(admin, 'ar')(['phone', '9.7336E+10'], '?dryRun=true')
    expect(failed[0]?.reason).toMatch(/^اختصر Excel/)
  })
})

describe('a file', () => {
  const heading = 'الهاتف,الاسم'
  const text = (of: string) => `${heading}\r\n\r\n${of},نورة\r\n,,\r\n`
  // windows-1256 of the letters in these lines
  const legacy = new Map([...'الهاتفسمنورة'].map((letter) => [letter, 0]))
  for (let byte = 0x80; byte < 0x100; byte += 1) {
    const letter = new TextDecoder('windows-1256').decode(Uint8Array.of(byte))
    if (legacy.has(letter)) legacy.set(letter, byte)
  }

  it.each<[string, (of: string) => Buffer]>([
    ['UTF-8 with a byte order mark', (of) => Buffer.from(`\ufeff${text(of)}`)],
    ['UTF-16', (of) => Buffer.from(`\ufeff${text(of)}`, 'utf16le')],
    ['windows-1256', (of) => Buffer.from([...text(of)].map((each) => legacy.get(each) ?? each.charCodeAt(0)))],
    ['semicolons', (of) => Buffer.from(text(of).replaceAll(',', ';'))],
    ['Excel’s separator line', (of) => Buffer.from(`sep=\t\r\n${text(of).replaceAll(',', '\t')}`)],
  ])('in %s is read', async (_, encode) => {
    const { status, body } = await send(encode(phone), '', 'customers.csv')
    expect([status, counts(body)]).toEqual([200, [1, 0, 0]])
    expect((await stored())?.name).toBe('نورة')
  })

  it('of Excel is read, with numbers, texts and empty rows', async () => {
    const [second, third] = [newPhone(), newPhone()]
    const { status, body } = await send(
      xlsxOf([
        ['Phone', 'Name', 'Block', 'Building', 'Address'],
        [Number(phone.slice(4)), 'Maryam', 428, 12, 'Building 12, Block 428'],
        [],
        [{ xml: `<c><v>${Number(second.slice(1)).toExponential()}</v></c>` }, 'Sara'],
        [third, 'Noura'],
      ]),
    )
    expect([status, counts(body), body.rows]).toEqual([200, [3, 0, 0], 3])
    expect(await stored()).toMatchObject({ name: 'Maryam', address_parts: { block: '428', building: '12' } })
    expect((await stored(second))?.name).toBe('Sara')
  })

  it('as a company has it: a title, two numbers in a cell, an unknown area, columns of its own', async () => {
    const [second, third] = [newPhone(), newPhone()].map((each) => each.slice(4))
    const { status, body } = await send([
      'قائمة العملاء;;;',
      'الهاتف;الاسم;المنطقة;المجمع;المبنى;الرصيد;المندوب',
      `17001234 / ${phone.slice(4)};مريم;Atlantis;428;12;3.500;`,
      `'${second};نورة;;;;;`,
      `${third} - 17001235;سارة;;;;;`,
    ])
    expect([status, counts(body)]).toEqual([200, [3, 0, 0]])
    expect(body.kept).toMatchObject([{ row: 3, field: 'area', value: 'Atlantis' }])
    expect(body.columns.filter(({ field }) => field === null)).toEqual([{ heading: 'الرصيد', field: null }])
    expect((await stored())?.address).toBe('Atlantis، مجمع 428، مبنى 12')
    expect((await detail()).notes).toMatchObject([{ body: 'أرقام أخرى: +973 1700 1234' }])
    expect([(await stored(`+973${second}`))?.name, (await stored(`+973${third}`))?.name]).toEqual(['نورة', 'سارة'])
  })

  it.each<[string, string | Buffer, string]>([
    ['of another kind', 'phone\n36001234', 'customers.pdf'],
    ['that is an old Excel file', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), 'customers.xls'],
    ['with a password', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), 'customers.xlsx'],
    ['of bytes', Buffer.from(Array.from({ length: 500 }, (_, i) => i % 256)), 'customers.csv'],
    ['with damaged UTF-8', Buffer.concat([Buffer.from('phone,name\n36001234,مريم'), Buffer.from([0xd9])]), 'a.csv'],
    ['without a phone', 'name\nAli', 'customers.csv'],
    ['with two name columns', 'phone,name,customer\n36001234,a,b', 'customers.csv'],
    ['without rows', 'phone,name\n\n,\n', 'customers.csv'],
    ['with an open quote', 'phone,name\n36001234,"Ali', 'customers.csv'],
  ])('%s is refused as a whole', async (_, contents, name) => {
    const answer = await send(Buffer.from(contents), '', name)
    expect([answer.status, answer.code]).toEqual([422, 'BULK_REFUSED'])
    expect(answer.failed.at(-1)?.reason).not.toMatch(/^customerFile/)
    const dry = await send(Buffer.from(contents), '?dryRun=true', name)
    expect([dry.status, dry.body.rows, dry.failed.length]).toEqual([200, 0, answer.failed.length])
  })

  it('of 10,001 customers is refused, one of 8 MB is too large', async () => {
    const lines = Array.from({ length: 10_001 }, (_, i) => String(33_000_000 + i))
    expect(places((await send(['phone', ...lines])).failed)).toEqual([[10_002, 'file']])
    expect((await send(Buffer.alloc(8_100_000, 'a'), '', 'a.csv')).status).toBe(413)
  })

  it.each(['ar', 'en'] as const)('made from the template (%s) is accepted', async (lang) => {
    const { body, headers } = await admin.call(customerTemplate, { query: { lang } })
    expect(headers['content-disposition']).toContain('customers.csv')
    const { status, failed, body: found } = await send(Buffer.from(body), '?dryRun=true', 'customers.csv')
    expect([status, failed, found.rows]).toEqual([200, [], 2])
  })
})

describe('imports at the same time', () => {
  it('of one file create each customer once', async () => {
    const other = customerFiles(await makeVisitor(shop, { role: 'super_admin' }))
    const file = ['phone,name', ...Array.from({ length: 300 }, () => `${newPhone()},Ali`)]
    const answers = await Promise.all([send(file), other(file)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.map(({ body }) => body.created).sort()).toEqual([0, 300])
  })

  it('of one file add a note to a known customer once', async () => {
    const other = customerFiles(await makeVisitor(shop, { role: 'super_admin' }))
    const { id } = await makeUser(shop, { phone })
    const client = await shop.app.pool.connect()
    await client.query('begin')
    await client.query('select from users where id = $1 for update', [id])
    const file = ['phone,name,notes', `${phone},Ali,Rings twice`]
    const importing = Promise.all([send(file), other(file)])
    // Both are past the check of the file and wait for the account or for each other.
    while ((await lockWaits(shop)) < 2) await new Promise((done) => setTimeout(done, 20))
    await client.query('commit')
    client.release()
    expect((await importing).map(({ body }) => counts(body)).sort()).toEqual([
      [0, 0, 1],
      [0, 1, 0],
    ])
    expect((await detail()).notes).toHaveLength(1)
  })

  it('as a sign-up with one of the phones fill the account that the sign-up created', async () => {
    const client = await shop.app.pool.connect()
    await client.query('begin')
    await client.query('insert into users (phone, language) values ($1, $2)', [phone, 'en'])
    const importing = send(['phone,name', `${newPhone()},Sara`, `${phone},Maryam`])
    while ((await lockWaits(shop, '%insert into users%')) === 0) await new Promise((done) => setTimeout(done, 20))
    await client.query('commit')
    client.release()
    const { status, body } = await importing
    expect([status, counts(body)]).toEqual([200, [1, 1, 0]])
    expect((await stored())?.name).toBe('Maryam')
  })
})

it('a customer who has ordered keeps the last address in the panel', async () => {
  const { id } = await makeUser(shop, { phone })
  await makeOrder(shop, { userId: id, vendorId })
  await send(['phone,address,area', `${phone},"Building 12, Road 34, Manama",${area.name}`])
  expect((await detail()).address).toBe('Seef')
})
