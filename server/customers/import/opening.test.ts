import { addBottleEntry, listBottleEntries, listBottles } from '@qatra/contract/bottles-admin'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { customerTemplate, undoCustomerImport } from '@qatra/contract/users/customers-import'
import { beforeEach, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { wholeState } from '../../test/ask.ts'
import { newPhone } from '../../test/fixtures/codes.ts'
import { customerFiles, places } from '../../test/fixtures/customer-files.ts'
import { fileForm } from '../../test/fixtures/form.ts'
import { bottlesOf } from '../../test/fixtures/bottles.ts'
import { makeBottleType, makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'

const shop = await startShop({ role: 'web', hasBot: false })
const admin = await shop.visitor().signInAs('+97336000001')
const send = customerFiles(admin)

let phone = ''
let vendorId = 0
let typeId = 0
beforeEach(async () => {
  phone = newPhone()
  vendorId = await makeVendor(shop)
  typeId = await makeBottleType(shop, vendorId, { name: 'Gallon' })
})

const upload = (lines: readonly string[], query = '') => send(lines, `?vendorId=${vendorId}${query}`)
const idOf = async (of = phone) =>
  (await shop.query<{ id: number }>('select id from users where phone = $1', [of]))[0]?.id ?? 0
const undo = async (importId: number | null) =>
  (await admin.call(undoCustomerImport, { params: { importId: String(importId) } }, { 'accept-language': 'en' })).body
const held = async () =>
  (await admin.call(listBottles, { query: { vendorId: String(vendorId) } })).body.items.map(
    ({ typeId: type, address, count, depositHeld }) => [type, address, count, depositHeld],
  )
/** The balance is the sum of the entries. */
async function addsUp(of = phone) {
  const { balances, entries } = await bottlesOf(shop, await idOf(of))
  expect(balances).toEqual(entries)
}

it('opens balances of the only type by address, with a deposit only where the file names one', async () => {
  const [second, third, fourth] = [newPhone(), newPhone(), newPhone()]
  const file = [
    'الهاتف,العنوان,القوارير,التأمين المدفوع',
    `${phone},"Building 12, Road 34, Manama",٦,مدفوع`,
    `${phone},"House 7, Road 8, Riffa",2,`,
    `${second},,3 قوارير,4.500`,
    `${third},,4,غير مدفوع`,
    `${fourth},,0,`,
  ]
  const before = await wholeState(shop)
  const dry = await upload(file, '&dryRun=true')
  expect(await wholeState(shop)).toEqual(before)
  const sums = [{ typeId, customers: 3, count: 15, deposit: 16.5 }]
  expect([dry.body.bottles, dry.body.failed]).toEqual([sums, []])
  expect(dry.body.reading?.changed).toMatchObject([{ field: 'bottles', count: 1, value: '3 قوارير', read: 3 }])
  const { body } = await upload(file)
  expect([body.created, body.bottles]).toEqual([4, sums])
  expect(await held()).toEqual([
    [typeId, 'Building 12, Road 34, Manama', 6, 12],
    [typeId, null, 4, 0],
    [typeId, null, 3, 4.5],
    [typeId, 'House 7, Road 8, Riffa', 2, 0],
  ])
  const query = { customerId: String(await idOf()), typeId: String(typeId) }
  const { items } = (await admin.call(listBottleEntries, { query })).body
  expect(items.map(({ kind, reason, after }) => [kind, reason, after])).toEqual([
    ['opening', 'customers.csv', 8],
    ['opening', 'customers.csv', 6],
  ])
  for (const each of [phone, second, third]) await addsUp(each)
  // The same file, and another one with other numbers, post nothing more.
  const again = await upload(file)
  expect([again.body.unchanged, again.body.bottles, again.body.kept]).toEqual([4, [], []])
  const other = await upload(['phone,bottles', `${phone},9`, `${third},4`])
  expect([other.body.unchanged, other.body.importId, places(other.body.kept)]).toEqual([2, null, [[2, 'bottles']]])
  expect((await held()).map(([, , count]) => count)).toEqual([6, 4, 3, 2])
})

it('opens the balance of a customer with one saved address there, whatever the row says', async () => {
  const { body } = await upload(['phone,address', `${phone},"House 7, Road 8, Riffa"`])
  expect(body.created).toBe(1)
  await upload(['phone,address,bottles', `${phone},"House 9, Road 8, Riffa",4`])
  expect(await held()).toEqual([[typeId, 'House 7, Road 8, Riffa', 4, 0]])
})

it('reads a column for each of several types, and asks for the type of any other', async () => {
  const small = await makeBottleType(shop, vendorId, { name: 'Half, blue', deposit: 1000 })
  const template = (await admin.call(customerTemplate, { query: { lang: 'ar', vendorId: String(vendorId) } })).body
  expect(template).toContain(',القوارير: قارورة Gallon,"القوارير: قارورة Half, blue",التأمين المدفوع\r\n')
  const example = await upload(template.replace('\ufeff', '').trimEnd().split('\r\n'), '&dryRun=true')
  expect([example.failed, example.body.bottles]).toEqual([[], [{ typeId, customers: 2, count: 9, deposit: 12 }]])

  const titles = 'phone,bottles:gallon,"Bottles: half, blue",deposit'
  const { body } = await upload([titles, `${phone},2,5,yes`])
  expect(body.bottles).toEqual([
    { typeId, customers: 1, count: 2, deposit: 4 },
    { typeId: small, customers: 1, count: 5, deposit: 5 },
  ])
  const refused = await upload([titles, `${newPhone()},2,5,3.000`, `${newPhone()},0,,3.000`, `${newPhone()},0,4,3`])
  expect(places(refused.failed)).toEqual([
    [2, 'depositPaid'],
    [3, 'depositPaid'],
  ])
  const plain = ['phone,bottles', `${newPhone()},2`, `${newPhone()},3`, `${newPhone()},`]
  const dry = await upload(plain, '&dryRun=true')
  expect(dry.body.reading?.problems).toMatchObject([
    { field: 'bottles', problem: 'customerFile.bottlesOfType', count: 2, rows: [2, 3] },
  ])
  const chosen = fileForm('customers.csv', plain.join('\r\n'), {
    plan: { mapping: { phone: [0], 'bottles:Half, blue': [1] } },
  })
  const mapped = await admin.send('POST', `/api/admin/customers/import?vendorId=${vendorId}`, {
    raw: chosen.raw,
    headers: chosen.headers,
  })
  expect(mapped.body).toMatchObject({ created: 3, bottles: [{ typeId: small, customers: 2, count: 5, deposit: 0 }] })
})

it('refuses counts and deposits that are none, each with its row, value and repair', async () => {
  const cells = ['-2,', '2.5,', '10001,', 'many,', '5 of 6,7', '3,maybe', '3,-1']
  const { body } = await upload(
    ['phone,bottles,deposit', ...cells.map((cell) => `${newPhone()},${cell}`)],
    '&dryRun=true',
  )
  expect(body.failed.map(({ row, field, value }) => [row, field, value])).toEqual([
    [2, 'bottles', '-2'],
    [3, 'bottles', '2.5'],
    [4, 'bottles', '10001'],
    [5, 'bottles', 'many'],
    [6, 'bottles', '5 of 6'],
    [7, 'depositPaid', 'maybe'],
    [8, 'depositPaid', '-1'],
  ])
  expect(body.reading?.problems.find(({ field }) => field === 'bottles')?.acts).toContain('clear')
  expect(body.failed[0]?.reason).toBe('Write a whole number of bottles, from 0 to 10,000')
  expect(body.failed.every(({ reason }) => !reason.startsWith('customerFile.'))).toBe(true)
})

it('takes repeated rows of one customer and address once, and refuses them with other numbers', async () => {
  const place = '"Building 12, Road 34, Manama"'
  const row = (count: number, of = place) => `${phone},${of},${count}`
  const { failed, code } = await upload(['phone,address,bottles', row(6), row(6), row(5), row(2, '')])
  expect([code, places(failed)]).toEqual(['BULK_REFUSED', [[4, 'bottles']]])
  const { body } = await upload(['phone,address,bottles', row(6), row(6), row(2, '')])
  expect(body.bottles).toMatchObject([{ customers: 1, count: 8 }])
})

it('knows no column of bottles without a vendor that exchanges them', async () => {
  const file = ['phone,bottles,deposit paid', `${phone},6,yes`]
  const market = await send(file, '?dryRun=true')
  await shop.query('update vendor_business set bottles = false where vendor_id = $1', [vendorId])
  const off = await upload(file)
  for (const { body } of [market, off])
    expect([body.columns.flatMap(({ field }) => field ?? []), body.bottles]).toEqual([['phone'], []])
  expect(await held()).toEqual([])
  const { body } = await admin.call(customerTemplate, { query: { lang: 'en', vendorId: String(vendorId) } })
  expect(body).not.toContain('Bottles')
})

it('opens no balance of a customer whose bottles have moved, and says so', async () => {
  await makeProduct(shop, vendorId)
  const { id: userId } = await makeUser(shop, { phone })
  const orderId = await makeOrder(shop, {
    userId,
    vendorId,
    status: 'shipped',
    bottles: { typeId, deposit: 2000, quantity: 3, empties: 0 },
  })
  const owner = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
  const delivered = await owner.call(changeOrderStatus, { params: { id: orderId }, body: { status: 'delivered' } })
  expect(delivered.status).toBe(200)
  const { body } = await upload(['phone,bottles', `${phone},6`])
  expect([body.bottles, body.kept.map(({ row, field }) => [row, field])]).toEqual([[], [[2, 'bottles']]])
  expect((await held()).map(([, , count]) => count)).toEqual([3])
})

it('undone takes back what has not moved since, keeps what has, and can open it again', async () => {
  const [known, moved, ordered] = [newPhone(), newPhone(), newPhone()]
  await makeUser(shop, { phone: known, name: 'Known' })
  const file = ['phone,name,bottles,deposit', ...[phone, known, moved, ordered].map((of) => `${of},Sara,5,paid`)]
  const { importId } = (await upload(file)).body
  const owner = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
  const customerId = await idOf(moved)
  const back = { customerId, typeId, kind: 'returned', count: 1, reason: 'Brought', key: crypto.randomUUID() } as const
  expect((await owner.call(addBottleEntry, { body: back })).status).toBe(200)
  await makeOrder(shop, { userId: await idOf(ordered), vendorId })
  const undone = await undo(importId)
  expect(undone.removed).toBe(0)
  expect(undone.kept.map(({ row, field }) => [row, field])).toEqual([
    [2, 'phone'],
    [4, 'bottles'],
    [4, 'phone'],
    [5, 'phone'],
  ])
  expect(await held()).toEqual([[typeId, null, 4, 10]])
  for (const each of [phone, known, moved, ordered]) await addsUp(each)
  // Ledger and balance name the account, which loses everything else.
  expect(await shop.query('select name from users where phone = $1', [phone])).toEqual([{ name: null }])
  expect(await shop.query('select from customer_totals where user_id = $1 and vendor_id > 0', [await idOf()])).toEqual(
    [],
  )
  const again = await upload(file)
  expect([again.body.bottles, places(again.body.kept)]).toEqual([
    [{ typeId, customers: 3, count: 15, deposit: 30 }],
    [
      [3, 'name'],
      [4, 'bottles'],
    ],
  ])
  expect((await held()).map(([, , count]) => count)).toEqual([5, 5, 5, 4])
  const second = await undo(again.body.importId)
  expect(second.kept.map(({ row, field }) => [row, field])).not.toContainEqual([4, 'bottles'])
  expect((await held()).map(([, , count]) => count)).toEqual([4])
})

it('is written once by two people at once', async () => {
  const file = ['phone,bottles', `${phone},6`]
  const answers = await Promise.all([upload(file), upload(file)])
  expect(answers.map(({ body }) => body.bottles.length).sort()).toEqual([0, 1])
  expect((await held()).map(([, , count]) => count)).toEqual([6])
})
