import { listAudit } from '@qatra/contract/audit'
import { addBottleEntry, exportBottles, listBottleEntries, listBottles } from '@qatra/contract/bottles-admin'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { writeVan } from '@qatra/contract/van'
import { previewCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { bottlesOf } from '../test/fixtures/bottles.ts'
import { makeBottleType, makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

const shop = await startShop({ role: 'web' })
type Entry = Parameters<typeof entry>[1]

/** A vendor of bottles with its people and a customer who ordered there. */
async function company() {
  const vendorId = await makeVendor(shop)
  await makeProduct(shop, vendorId)
  const typeId = await makeBottleType(shop, vendorId)
  const owner = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
  const { id: customerId } = await makeUser(shop)
  await makeOrder(shop, { userId: customerId, vendorId })
  return { vendorId, typeId, owner, customerId }
}
type Company = Awaited<ReturnType<typeof company>>
const entry = (
  { owner, customerId, typeId }: Pick<Company, 'owner' | 'customerId' | 'typeId'>,
  body: {
    kind: 'opening' | 'returned' | 'lost' | 'correction'
    count: number
    deposit?: number
    key?: string
    addressId?: number
  },
) =>
  owner.call(addBottleEntry, {
    body: { customerId, typeId, reason: 'By phone', key: crypto.randomUUID(), ...body },
  })
const entered = async (home: Company, body: Entry) => {
  const answer = await entry(home, body)
  expect(answer.status).toBe(200)
  return answer.body
}
const rowsOf = async ({ owner }: Pick<Company, 'owner'>, query: Record<string, string> = {}) =>
  (await owner.call(listBottles, { query: { figures: 'true', ...query } })).body
/** The balance is the sum of the entries. */
async function addsUp({ customerId }: Company) {
  const { balances, entries } = await bottlesOf(shop, customerId)
  expect(balances).toEqual(entries)
}

describe('bottles that the office enters', () => {
  it('change balance, deposit and credit, and are recorded with who and why', async () => {
    const home = await company()
    await shop.query('update vendors set vat_number = $2 where id = $1', [home.vendorId, '220004418700002'])
    expect(await entered(home, { kind: 'opening', count: 6, deposit: 12 })).toMatchObject({
      entry: { kind: 'opening', count: 6, deposit: 12, vat: 0, after: 6, reason: 'By phone', orderId: null },
      balance: { count: 6, depositHeld: 12, credit: 0 },
    })
    const back = await entered(home, { kind: 'returned', count: 1 })
    expect(back).toMatchObject({ entry: { count: -1, deposit: 0 }, balance: { count: 5, depositHeld: 12, credit: 2 } })
    const fixed = await entered(home, { kind: 'correction', count: -1 })
    expect(fixed).toMatchObject({ balance: { count: 4, depositHeld: 12, credit: 4 } })
    // 4.000 BHD contain 0.364 of VAT.
    expect(await entered(home, { kind: 'lost', count: 2 })).toMatchObject({
      entry: { kind: 'lost', count: -2, deposit: -4, vat: 0.364, after: 2 },
      balance: { count: 2, depositHeld: 8, credit: 4 },
    })
    const { body } = await home.owner.call(listBottleEntries, {
      query: { customerId: String(home.customerId), typeId: String(home.typeId) },
    })
    expect(body.items.map(({ kind, after }) => [kind, after])).toEqual([
      ['lost', 2],
      ['correction', 4],
      ['returned', 5],
      ['opening', 6],
    ])
    // One of the two is found again: half of what they left returns; more than were lost are refused.
    expect(await entered(home, { kind: 'lost', count: -1 })).toMatchObject({
      entry: { kind: 'lost', count: 1, deposit: 2, vat: -0.182, after: 3 },
      balance: { count: 3, depositHeld: 10, credit: 4 },
    })
    expect((await entry(home, { kind: 'lost', count: -2 })).status).toBe(422)
    await entered(home, { kind: 'lost', count: 2 })
    await addsUp(home)
    const audit = await home.owner.call(listAudit, { query: { resource: 'customer', limit: 1 } })
    expect(audit.body.items[0]).toMatchObject({
      action: 'bottles-entered',
      changes: expect.arrayContaining([
        { field: 'bottleEntry', from: null, to: 'lost' },
        { field: 'count', from: null, to: -2 },
      ]),
    })
  })

  it('may come back beyond the balance; lost ones forfeit no deposit that nobody paid', async () => {
    const home = await company()
    expect(await entered(home, { kind: 'returned', count: 3 })).toMatchObject({
      balance: { count: -3, depositHeld: 0, credit: 6 },
    })
    expect((await rowsOf(home)).items).toMatchObject([{ count: -3, credit: 6 }])
    expect(await entered(home, { kind: 'lost', count: 1 })).toMatchObject({
      entry: { deposit: 0, vat: 0 },
      balance: { count: -4, depositHeld: 0 },
    })
    await addsUp(home)
  })

  it('are written once for a key, also by requests at once, and another entry with it is refused', async () => {
    const home = await company()
    await entered(home, { kind: 'opening', count: 9, deposit: 18 })
    const lost = { kind: 'lost', count: 2, key: 'phone-1:lost' } as const
    const answers = await Promise.all([1, 2, 3, 4].map(() => entered(home, lost)))
    expect(new Set(answers.map(({ entry: { id } }) => id)).size).toBe(1)
    const audit = await home.owner.call(listAudit, { query: { resource: 'customer', limit: 10 } })
    expect(audit.body.items).toHaveLength(2)
    expect(answers.at(-1)?.balance).toEqual({ count: 7, depositHeld: 14, credit: 0 })
    const other = await entry(home, { ...lost, count: 3 })
    expect([other.status, other.body]).toMatchObject([422, { code: 'IDEMPOTENCY_KEY_REUSED' }])
    // Each of these takes its own deposit, and none more than there is.
    await Promise.all([1, 2, 3, 4].map(() => entered(home, { kind: 'lost', count: 2 })))
    expect((await rowsOf(home)).items).toMatchObject([{ count: -1, depositHeld: 0 }])
    await addsUp(home)
  })

  it.each([
    ['a negative count', { kind: 'returned', count: -1 }],
    ['none', { kind: 'correction', count: 0 }],
    ['a deposit of bottles that come back', { kind: 'returned', count: 1, deposit: 2 }],
    ['an address that the vendor does not know', { kind: 'opening', count: 1, addressId: 2_000_000_000 }],
  ] satisfies [string, Entry][])('are refused with %s', async (_, body) => {
    const home = await company()
    expect((await entry(home, body)).status).toBe(422)
    expect((await rowsOf(home)).items).toEqual([])
  })

  it('are refused for another vendor’s type and customer', async () => {
    const [home, other] = [await company(), await company()]
    expect((await entry({ ...home, typeId: other.typeId }, { kind: 'opening', count: 1 })).status).toBe(404)
    expect((await entry({ ...home, customerId: other.customerId }, { kind: 'opening', count: 1 })).status).toBe(404)
  })

  it('need a permission where they are lost or corrected', async () => {
    const home = await company()
    const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: home.vendorId })
    const by = async (kind: Entry['kind']) => (await entry({ ...home, owner: staff }, { kind, count: 1 })).status
    expect([await by('returned'), await by('opening'), await by('lost'), await by('correction')]).toEqual([
      200, 200, 403, 403,
    ])
    await shop.query(`update users set permissions = array_append(permissions, 'bottles.write-off') where id = $1`, [
      staff.id,
    ])
    expect([await by('lost'), await by('correction')]).toEqual([200, 200])
  })
})

describe('the list of bottles', () => {
  it('has rows by address with what is held and when it moved, their sums, and those of the vendor', async () => {
    const home = await company()
    await shop.query(`update customer_totals set last_order_at = now() - interval '61 days' where user_id = $1`, [
      home.customerId,
    ])
    await entered(home, { kind: 'opening', count: 6, deposit: 4 })
    const fresh = await makeVisitor(shop)
    const id = await makeOrder(shop, {
      userId: fresh.id,
      vendorId: home.vendorId,
      status: 'shipped',
      bottles: { typeId: home.typeId, deposit: 2000, quantity: 3, empties: 0 },
    })
    await home.owner.call(changeOrderStatus, { params: { id }, body: { status: 'delivered' } })
    const all = await rowsOf(home)
    expect(all).toMatchObject({
      total: 2,
      sums: { bottles: 9, deposits: 10 },
      figures: {
        bottles: 9,
        customers: 2,
        deposits: 10,
        idleBottles: 6,
        unsecuredBottles: 0,
        rows: { all: 2, many: 1, idle: 1, unsecured: 0 },
      },
      items: [
        { customerId: home.customerId, count: 6, depositHeld: 4, credit: -8, lastDeliveryAt: null },
        { customerId: fresh.id, count: 3, depositHeld: 6, credit: 0, address: 'Seef' },
      ],
    })
    expect(bahrainDate(new Date(all.items[1]?.lastDeliveryAt ?? 0))).toBe(bahrainDate(new Date()))
    const filters: Record<string, string>[] = [
      { minCount: '5' },
      { idleDays: '60' },
      { customerId: String(home.customerId) },
    ]
    for (const query of filters)
      expect(await rowsOf(home, query)).toMatchObject({ total: 1, sums: { bottles: 6 }, figures: { bottles: 9 } })
    expect(await rowsOf(home, { idleDays: '90' })).toMatchObject({
      total: 0,
      items: [],
      sums: { bottles: 0, deposits: 0 },
    })
    expect(await rowsOf(home, { search: fresh.phone.slice(-6) })).toMatchObject({ total: 1, sums: { bottles: 3 } })
    expect(await rowsOf(home, { limit: '1', page: '2' })).toMatchObject({ total: 2, items: [{ customerId: fresh.id }] })
  })

  it('counts all addresses of a customer for the least number, and finds areas; a campaign finds the same people', async () => {
    const home = await company()
    const [area] = await shop.query<{ id: number; name: string }>('select id, name from areas order by id limit 1')
    const [split, small, other] = await Promise.all([1, 2, 3].map(() => makeUser(shop)))
    if (!split || !small || !other || !area) throw new Error('They are made')
    const address = async (userId: number) => {
      const [row] = await shop.query<{ id: number }>(
        `insert into addresses (user_id, address, lat, lng) values ($1, 'Seef', 26, 50) returning id`,
        [userId],
      )
      return row?.id ?? 0
    }
    for (const { id } of [split, small, other])
      await shop.query('insert into customer_totals (user_id, vendor_id) values ($1, $2)', [id, home.vendorId])
    const of = ({ id: customerId }: { id: number }) => ({ ...home, customerId })
    const add = async (who: { id: number }, count: number, addressId?: number) =>
      entered(of(who), { kind: 'opening', count, ...(addressId && { addressId }) })
    const orderId = await makeOrder(shop, { userId: split.id, vendorId: home.vendorId })
    await shop.query('update orders set area_id = $2, area_name = $3 where id = $1', [orderId, area.id, area.name])
    await add(split, 3)
    await add(split, 2, await address(split.id))
    await add(small, 4)
    await add(other, 6)
    await shop.query(`update customer_totals set last_order_at = now() where user_id = $1 and vendor_id > 0`, [
      other.id,
    ])
    await shop.query(
      `update customer_totals set last_order_at = now() - interval '70 days' where user_id = $1 and vendor_id > 0`,
      [split.id],
    )
    const all = await rowsOf(home)
    expect(all).toMatchObject({
      total: 4,
      sums: { bottles: 15 },
      figures: { customers: 3, rows: { many: 3, idle: 3 } },
    })
    const many = await rowsOf(home, { minCount: '5' })
    expect(many).toMatchObject({ total: 3, sums: { bottles: 11 } })
    expect(many.items.map(({ customerId, count }) => [customerId, count])).toEqual([
      [other.id, 6],
      [split.id, 3],
      [split.id, 2],
    ])
    expect(await rowsOf(home, { minCount: '5', idleDays: '60' })).toMatchObject({ total: 2, sums: { bottles: 5 } })
    expect(await rowsOf(home, { search: area.name })).toMatchObject({ total: 2, sums: { bottles: 5 } })
    const file = await home.owner.call(exportBottles, { query: { minCount: '4', idleDays: '60', lang: 'en' } })
    expect(String(file.body).trimEnd().split('\r\n')).toHaveLength(4)

    const holders = [split, small, other].map(({ phone }) => phone)
    await shop.query('update users set marketing_consent = true, consent_at = now() where phone = any($1)', [holders])
    const boss = await shop.visitor().signInAs('+97336000001')
    const found = async (more: object) => {
      const audience = { vendorIds: [home.vendorId], notOrderedForDays: 60, ...more }
      const about = { name: 'Collect', templateName: 'water_reminder', language: 'ar', audience, people: { limit: 9 } }
      const { people } = (await boss.call(previewCampaign, { body: about as never })).body
      return people?.items.map(({ phone }) => phone).sort()
    }
    expect(await found({ minBottles: 4 })).toEqual([split.phone, small.phone].sort())
    expect(await found({ minBottles: 5 })).toEqual([split.phone])
  })

  it('says what is on the vans of the vendor today', async () => {
    const home = await company()
    expect((await rowsOf(home)).figures?.onVans).toEqual({ full: 0, empty: 0 })
    const driver = await makeVisitor(shop, { role: 'driver', vendorId: home.vendorId })
    const load = { date: bahrainDate(new Date()), kind: 'loaded', typeId: home.typeId, full: 40, empty: 2 } as const
    const params = { id: String(driver.id) }
    const { status } = await driver.call(writeVan, { params, body: { ...load, key: crypto.randomUUID() } })
    expect(status).toBe(200)
    const id = await makeOrder(shop, {
      userId: home.customerId,
      vendorId: home.vendorId,
      assignedDriverId: driver.id,
      status: 'shipped',
      bottles: { typeId: home.typeId, deposit: 2000, quantity: 3, empties: 1 },
    })
    await driver.call(changeOrderStatus, { params: { id }, body: { status: 'delivered' } })
    expect((await rowsOf(home)).figures?.onVans).toEqual({ full: 37, empty: 3 })
    const boss = await shop.visitor().signInAs('+97336000001')
    expect((await boss.call(listBottles, { query: { figures: 'true' } })).body.figures?.onVans).toBe(null)
  })

  it('is of one vendor, and a file of it makes no formula of a name', async () => {
    const [home, other] = [await company(), await company()]
    await entered(home, { kind: 'opening', count: 2 })
    expect((await rowsOf(other)).items).toEqual([])
    expect((await other.owner.call(listBottles, { query: { vendorId: String(home.vendorId) } })).status).toBe(403)
    await shop.query(`update orders set customer_name = '=cmd()' where user_id = $1`, [home.customerId])
    await shop.query(`update users set name = '=cmd()' where id = $1`, [home.customerId])
    const { body } = await home.owner.call(exportBottles, { query: { lang: 'en' } })
    expect(String(body)).toMatch(/'=cmd\(\),\d{11},Seef,Gallon \d+,2,0\.000,-4\.000,/)
  })
})
