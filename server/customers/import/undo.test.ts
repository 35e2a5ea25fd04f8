import { changeAddress, listAddresses } from '@qatra/contract/users/addresses'
import { addCustomerNote, getCustomer, tagCustomer } from '@qatra/contract/users/customers'
import { undoCustomerImport } from '@qatra/contract/users/customers-import'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { wholeState } from '../../test/ask.ts'
import { newPhone } from '../../test/fixtures/codes.ts'
import { customerFiles, places } from '../../test/fixtures/customer-files.ts'
import { makeOrder, makeUser, makeVendor } from '../../test/fixtures/make.ts'
import { lockWaits } from '../../test/lock-waits.ts'
import type { Visitor } from '../../test/visitor.ts'

let shop: TestShop
let admin: Visitor
let send: ReturnType<typeof customerFiles>
let vendorId: number
beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10, hasBot: false })
  admin = await shop.visitor().signInAs('+97336000001')
  send = customerFiles(admin)
  vendorId = await makeVendor(shop)
})

let phone = ''
beforeEach(() => {
  phone = newPhone()
})

const idOf = async (of = phone) => {
  const [row] = await shop.query<{ id: number }>('select id from users where phone = $1', [of])
  return row?.id ?? 0
}
const undo = (importId: number | null) =>
  admin.call(undoCustomerImport, { params: { importId: String(importId) } }, { 'accept-language': 'en' })

const heading = 'phone,name,address,tags,notes,consent,consent source'
const address = '"Building 12, Road 34, Manama"'
const line = (of = phone) => `${of},Maryam,${address},office,Back door,yes,Fair`

async function imported(of = phone, query = '') {
  const { body } = await send([heading, line(of)], query)
  return { importId: body.importId, userId: await idOf(of) }
}

/** Times and histories differ after an import and its undo. */
const rest = ['audit_log', 'customer_imports', 'users', 'customer_tags']

const book = (userId: number) =>
  shop.query('select address, lat, is_default from addresses where user_id = $1 order by id', [userId])

describe('undo of an import', () => {
  it('deletes new accounts that nobody has used, with tags and notes', async () => {
    const before = await wholeState(shop, rest)
    const [{ importId }, count] = [await imported(), await shop.query('select from users')]
    const { status, body } = await undo(importId)
    expect([status, body.removed, body.restored, body.kept]).toEqual([200, 1, 0, []])
    expect(await idOf()).toBe(0)
    expect((await shop.query('select from users')).length).toBe(count.length - 1)
    expect(await wholeState(shop, rest)).toEqual(before)
    const audit = await shop.query(
      `select new_values from audit_log where resource = 'customer-import' and action = 'undone' and resource_id = $1`,
      [String(importId)],
    )
    expect(audit).toEqual([{ new_values: { removed: 1, restored: 0, kept: 0 } }])
  })

  it('empties the fields that it filled, and leaves everything else of a known customer', async () => {
    const { id } = await makeUser(shop, { phone })
    const params = { id: String(id) }
    await admin.call(tagCustomer, { params, body: { tags: ['own'] } })
    await admin.call(addCustomerNote, { params, body: { body: 'Own note' } })
    const { importId } = await imported()
    expect((await admin.call(getCustomer, { params })).body).toMatchObject({ name: 'Maryam', tags: ['office', 'own'] })
    const { body } = await undo(importId)
    expect([body.removed, body.restored, body.kept]).toEqual([0, 1, []])
    expect((await admin.call(getCustomer, { params })).body).toMatchObject({
      name: null,
      address: null,
      marketingConsent: false,
      consentAt: null,
      consentSource: null,
      tags: ['own'],
      notes: [{ body: 'Own note' }],
    })
  })

  it('leaves a field that somebody has changed since, and tells which', async () => {
    const { id } = await makeUser(shop, { phone })
    const { importId } = await imported()
    await shop.query(`update users set name = 'Sara' where id = $1`, [id])
    await shop.query(`update users set consent_source = 'profile', consent_at = now() where id = $1`, [id])
    const { body } = await undo(importId)
    expect([body.restored, places(body.kept)]).toEqual([
      0,
      [
        [2, 'name'],
        [2, 'marketingConsent'],
      ],
    ])
    const [after] = await shop.query('select name, marketing_consent from users where id = $1', [id])
    expect(after).toEqual({ name: 'Sara', marketing_consent: true })
    expect(await book(id)).toEqual([])
  })

  it('keeps the place and the other addresses that the customer has saved since', async () => {
    const { id } = await makeUser(shop, { phone })
    const { importId } = await imported()
    await shop.query('update addresses set (lat, lng) = (26.2, 50.5) where user_id = $1', [id])
    await shop.query(`insert into addresses (user_id, address) values ($1, 'Work')`, [id])
    expect((await undo(importId)).body.restored).toBe(1)
    expect(await book(id)).toEqual([
      { address: null, lat: 26.2, is_default: true },
      { address: 'Work', lat: 0, is_default: false },
    ])
  })

  it.each([
    ['name', { label: 'Home' }],
    ['receiver', { receiverName: 'Umm Salem' }],
    ["receiver's phone", { receiverPhone: '36001234' }],
  ])('keeps the %s that the customer has given the address since', async (_, added) => {
    await makeUser(shop, { phone })
    const { importId } = await imported()
    const person = await shop.visitor().signInAs(phone)
    const [saved] = (await person.call(listAddresses)).body
    const { body } = await person.call(changeAddress, { params: { id: String(saved?.id) }, body: added })
    expect((await undo(importId)).body.restored).toBe(1)
    expect((await person.call(listAddresses)).body).toEqual([{ ...body, address: null, addressParts: null }])
  })

  it('deletes all imported addresses of a known customer, but not one that was changed since', async () => {
    const { id } = await makeUser(shop, { phone })
    const areas = ['', 'Seef', 'Seef', '']
    const file = ['phone,address,area', ...[1, 2, 3].map((n) => `${phone},"House ${n}, Road 34, Manama",${areas[n]}`)]
    const first = await send(file)
    expect((await undo(first.body.importId)).body).toMatchObject({ restored: 1, kept: [] })
    expect(await book(id)).toEqual([])
    const second = await send(file)
    const person = await shop.visitor().signInAs(phone)
    const saved = (await person.call(listAddresses)).body.find(({ address: text }) => text?.startsWith('House 3'))
    await person.call(changeAddress, { params: { id: String(saved?.id) }, body: { label: 'Work' } })
    await undo(second.body.importId)
    expect(await book(id)).toEqual([{ address: 'House 3, Road 34, Manama', lat: 0, is_default: true }])
  })

  it('deletes a new account with all its imported addresses, whose pins are the areas’ and say that nobody set them', async () => {
    const lines = ['"House 1, Road 34",Seef', '"House 2, Road 34",Juffair', '"House 3, Road 34",'].map(
      (one) => `${phone},${one}`,
    )
    const { body } = await send(['phone,address,area', ...lines])
    const pins = await shop.query(
      `select r.name, a.lat = 0 as is_empty, a.pin_source as source from addresses a
       left join areas r on (r.centre_lat, r.centre_lng) = (a.lat, a.lng) where a.user_id = $1 order by r.name desc nulls last`,
      [await idOf()],
    )
    expect(pins).toEqual([
      { name: 'Seef', is_empty: false, source: 'area' },
      { name: 'Juffair', is_empty: false, source: 'area' },
      { name: null, is_empty: true, source: null },
    ])
    expect((await undo(body.importId)).body).toMatchObject({ removed: 1, kept: [] })
    expect(await idOf()).toBe(0)
  })

  it('makes another saved address the default', async () => {
    const { id } = await makeUser(shop, { phone })
    const { importId } = await imported()
    await shop.query(`insert into addresses (user_id, address) values ($1, 'Work')`, [id])
    expect((await undo(importId)).body.restored).toBe(1)
    expect(await book(id)).toEqual([{ address: 'Work', lat: 0, is_default: true }])
  })

  it.each<[string, (id: number) => Promise<unknown>, string]>([
    ['ordered', (userId) => makeOrder(shop, { userId, vendorId }), 'ordered'],
    ['signed in', (id) => shop.query('update users set last_login_at = now() where id = $1', [id]), 'signed in'],
    ['changed the name', (id) => shop.query('update users set updated_at = now() where id = $1', [id]), 'Changed'],
    [
      'saved an address',
      (id) => shop.query(`insert into addresses (user_id, address) values ($1, 'x')`, [id]),
      'Changed',
    ],
    ['got a cart', (id) => shop.query('insert into carts (user_id) values ($1)', [id]), 'Changed'],
    ['got a note', (id) => admin.call(addCustomerNote, { params: { id: String(id) }, body: { body: 'x' } }), 'Changed'],
    ['got a tag', (id) => admin.call(tagCustomer, { params: { id: String(id) }, body: { tags: ['x'] } }), 'Changed'],
    ['was in another import', () => send([heading, `${phone},,,more,,,`]), 'Changed'],
    [
      'became staff',
      (id) => shop.query(`update users set role = 'driver', vendor_id = $2 where id = $1`, [id, vendorId]),
      'Changed',
    ],
  ])('keeps a new account whose owner %s, with the reason', async (_, use, reason) => {
    const { importId, userId } = await imported()
    await use(userId)
    const { body } = await undo(importId)
    expect([body.removed, places(body.kept)]).toEqual([0, [[2, 'phone']]])
    expect(body.kept[0]?.reason).toContain(reason)
    expect(await idOf()).toBe(userId)
    // What only the file has said is taken back.
    const [account] = await shop.query(
      `select u.name, marketing_consent, consent_source, consent_at, r.name as row_name, r.consent_words
       from users u join customer_import_rows r on r.user_id = u.id and r.import_id = $2 where u.id = $1`,
      [userId, importId],
    )
    expect(account).toEqual({
      name: null,
      marketing_consent: false,
      consent_source: null,
      consent_at: null,
      row_name: null,
      consent_words: null,
    })
  })

  it('leaves the answer that a customer with an order has given since, and takes back the name', async () => {
    const { id } = await makeUser(shop, { phone })
    const { importId } = await imported()
    await makeOrder(shop, { userId: id, vendorId })
    await shop.query(`update users set consent_source = 'profile', consent_at = now() where id = $1`, [id])
    expect(places((await undo(importId)).body.kept)).toEqual([[2, 'phone']])
    const [after] = await shop.query('select name, marketing_consent, consent_source from users where id = $1', [id])
    expect(after).toEqual({ name: null, marketing_consent: true, consent_source: 'profile' })
  })

  it('takes a known customer off the list of the vendor, unless the customer has ordered there', async () => {
    const other = newPhone()
    for (const each of [phone, other]) await makeUser(shop, { phone: each, name: 'Known' })
    const { body } = await send(['phone,tags', `${phone},x`, `${other},x`], `?vendorId=${vendorId}`)
    await makeOrder(shop, { userId: await idOf(other), vendorId })
    const undone = (await undo(body.importId)).body
    expect([undone.restored, places(undone.kept)]).toEqual([1, [[3, 'phone']]])
    const listed = await shop.query<{ user_id: number }>(
      'select user_id from customer_totals where vendor_id = $1 and user_id = any($2)',
      [vendorId, [await idOf(), await idOf(other)]],
    )
    expect(listed).toEqual([{ user_id: await idOf(other) }])
  })

  it('happens once, and of an unknown import not at all', async () => {
    const { importId } = await imported()
    const answers = await Promise.all([undo(importId), undo(importId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await undo(importId)).refusal.code).toBe('IMPORT_UNDONE')
    expect((await undo(999_999)).refusal.code).toBe('IMPORT_NOT_FOUND')
  })

  it('lets the same file be imported again', async () => {
    const { importId } = await imported()
    await undo(importId)
    const { body } = await send([heading, line()])
    expect([body.created, body.earlier]).toEqual([1, null])
  })

  it('waits for an order that is being placed, and then keeps its customer', async () => {
    const { importId, userId } = await imported()
    const client = await shop.app.pool.connect()
    await client.query('begin')
    await client.query('select id from users where id = $1 for no key update', [userId])
    const undoing = undo(importId)
    while ((await lockWaits(shop, '%from users where id = any%')) === 0)
      await new Promise((done) => setTimeout(done, 20))
    await client.query(
      `insert into orders (id, user_id, vendor_id, vendor_name, status, customer_name, phone, address, lat, lng,
         subtotal, delivery_fee, product_vat, total, promised_date)
       values ('RACEXXXXXXXXXXX1', $1, $2, 'V', 'new', 'Maryam', $3, 'Seef', 26.2, 50.5, 1000, 0, 0, 1000, current_date)`,
      [userId, vendorId, phone],
    )
    await client.query('commit')
    client.release()
    const { status, body } = await undoing
    expect([status, body.removed, places(body.kept)]).toEqual([200, 0, [[2, 'phone']]])
  })
})
