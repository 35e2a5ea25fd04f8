import { readDashboard } from '@qatra/contract/dashboard/dashboard'
import { assignDriver, changeOrderStatus, listOrders } from '@qatra/contract/orders/admin'
import { saveSettings } from '@qatra/contract/settings/settings'
import {
  deleteTestOrder,
  getSetup,
  getShippedAreas,
  installAreas,
  placeTestOrder,
} from '@qatra/contract/settings/setup'
import { undoCustomerImport } from '@qatra/contract/users/customers-import'
import { updateVendor } from '@qatra/contract/vendors/admin'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../database/transaction.ts'
import { addToOutbox } from '../legacy-sync/commands.ts'
import { startShop } from '../test/app.ts'
import { customerFiles } from '../test/fixtures/customer-files.ts'
import { makeArea, makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { managedPdf } from '../test/fixtures/pdf.ts'

const shop = await startShop({ databasePoolSize: 10 })
const market = await makeVisitor(shop, { role: 'super_admin' })
const pdf = managedPdf(shop, market)

/** Tables that an order writes, without the audit log, which keeps the deletion. */
const written = [
  'orders',
  'order_items',
  'order_audit_history',
  'ledger_entries',
  'delivery_attempts',
  'receipts',
  'credit_notes',
]
// Messages, which stay, have notifications too.
const ofOrders = 'where order_id is not null'
async function stateOf(vendorId: number) {
  const parts = [...written, 'notifications', 'legacy_outbox', 'order_keys', 'driver_runs'].map(
    (name) =>
      `select '${name}' as name, count(*)::int as rows from ${name} ${name === 'notifications' ? ofOrders : ''}`,
  )
  const counts = await shop.query(parts.join(' union all '))
  const totals = await shop.query('select * from customer_totals where user_id = $1 order by vendor_id', [market.id])
  const query = { period: 'today' as const, vendorId: String(vendorId) }
  const { now: _, span: __, spanBefore: ___, ...figures } = (await market.call(readDashboard, { query })).body
  return { counts, totals: totals.filter((row) => row['order_count'] !== 0), figures }
}

/** A vendor with a product, an area and a driver. */
async function makeSeller() {
  const vendorId = await makeVendor(shop)
  await makeProduct(shop, vendorId)
  await makeArea(shop, [vendorId])
  const driver = await makeVisitor(shop, { role: 'driver', vendorId })
  return { vendorId, driver }
}
const placed = async (vendorId: number) => (await market.call(placeTestOrder, { body: { vendorId } })).body.id
const stillThere = (id: string) => shop.query('select 1 from orders where id = $1', [id])

describe('a test order', () => {
  it('is marked, goes through delivery like any order, and leaves nothing behind', async () => {
    const { vendorId, driver } = await makeSeller()
    const before = await stateOf(vendorId)
    const id = await placed(vendorId)
    const params = { id }
    const { body: list } = await market.call(listOrders, { query: { vendorId: String(vendorId) } })
    expect(list.items).toMatchObject([{ id, customerName: 'طلب تجريبي', phone: market.phone }])
    expect((await market.call(assignDriver, { params, body: { driverId: driver.id } })).status).toBe(200)
    expect((await driver.call(changeOrderStatus, { params, body: { status: 'shipped' } })).status).toBe(200)
    expect((await driver.call(changeOrderStatus, { params, body: { status: 'delivered' } })).status).toBe(200)
    expect(await shop.query('select kind from ledger_entries where order_id = $1', [id])).toEqual([
      { kind: 'delivered' },
      { kind: 'collected' },
    ])
    expect((await stateOf(vendorId)).figures).not.toEqual(before.figures)
    expect((await pdf(id)).headers['content-disposition']).toContain(`delivery-note-${id}.pdf`)
    await expect.poll(() => shop.query('select 1 from notifications where order_id = $1', [id])).not.toHaveLength(0)

    expect((await market.call(deleteTestOrder)).body).toEqual({ deleted: 1 })
    expect(await shop.query('select id, kind from notifications where order_id = $1', [id])).toEqual([])
    expect(await stateOf(vendorId)).toEqual(before)
    expect((await market.call(deleteTestOrder)).body).toEqual({ deleted: 0 })
  })

  it('exists once, however many requests place it at the same time', async () => {
    const { vendorId } = await makeSeller()
    const ids = await Promise.all(Array.from({ length: 10 }, () => placed(vendorId)))
    expect(new Set(ids).size).toBe(1)
    const deleted = await Promise.all(Array.from({ length: 5 }, () => market.call(deleteTestOrder)))
    expect(deleted.map(({ body }) => body.deleted).sort()).toEqual([0, 0, 0, 0, 1])
  })

  it('is not sent to the older system', async () => {
    const { vendorId } = await makeSeller()
    const id = await placed(vendorId)
    await inTransaction(shop.app.pool, (db) => addToOutbox({ db }, id, 'order.placed'))
    expect(await shop.query('select 1 from legacy_outbox where order_id = $1', [id])).toEqual([])
    await market.call(deleteTestOrder)
  })

  it('needs a known vendor with a product and an area', async () => {
    const refused = async (vendorId: number) => {
      const { status, refusal } = await market.call(placeTestOrder, { body: { vendorId } })
      return [status, refusal.code]
    }
    const vendorId = await makeVendor(shop)
    expect(await refused(2_000_000_000)).toEqual([404, 'VENDOR_NOT_FOUND'])
    expect(await refused(vendorId)).toEqual([422, 'ORDER_EMPTY'])
    await makeProduct(shop, vendorId)
    expect(await refused(vendorId)).toEqual([422, 'VENDOR_DOES_NOT_DELIVER'])
  })

  it('is the only order whose rows can be deleted, and no order becomes one', async () => {
    const id = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1 })
    await shop.query(`insert into order_audit_history (order_id, action) values ($1, 'created')`, [id])
    await expect(shop.query('delete from order_audit_history where order_id = $1', [id])).rejects.toThrow(
      'never changed',
    )
    await expect(shop.query('update orders set is_test = true where id = $1', [id])).rejects.toThrow('never changed')
    await market.call(deleteTestOrder)
    expect(await stillThere(id)).toHaveLength(1)
  })
})

describe('the checklist of an empty installation', () => {
  it('becomes done step by step, each by what is stored', async () => {
    const empty = await startShop({ seedDemo: false })
    await empty.query('truncate orders, products, vendors, areas, settings, users cascade')
    await empty.query('truncate staff_invitations')
    await empty.query(`delete from holidays where vendor_id is not null`)
    await empty.catalogue.reload()
    const owner = await makeVisitor(empty, { role: 'super_admin' })
    const done = async () => (await owner.call(getSetup)).body.flatMap((item) => (item.done ? [item.key] : []))
    expect(await done()).toEqual(['account'])

    const { count } = (await owner.call(getShippedAreas)).body
    const answers = await Promise.all([owner.call(installAreas), owner.call(installAreas)])
    expect(answers.map(({ body }) => body.created).sort()).toEqual([0, count])
    expect((await owner.call(getSetup)).body).toContainEqual(expect.objectContaining({ key: 'areas', count }))
    expect(await done()).toEqual(['account', 'areas'])

    const company = { name: 'Q', nameAr: 'ق', address: 'A', addressAr: 'ع', crNumber: '1-1' }
    const body = { company, support: { phone: '36001000' }, social: {}, apps: {} }
    expect((await owner.call(saveSettings, { body })).status).toBe(200)
    expect(await done()).toEqual(['account', 'areas', 'company'])

    const vendorId = await makeVendor(empty)
    await makeProduct(empty, vendorId)
    expect(await done()).not.toContain('vendor')
    await empty.query('insert into vendor_delivery_areas select $1, id from areas', [vendorId])
    await empty.catalogue.reload()
    expect(await done()).toEqual(['account', 'areas', 'company', 'vendor'])

    // No cut-off is a choice, too, and is recorded.
    await owner.call(updateVendor, { params: { id: String(vendorId) }, body: { cutOff: null } })
    const [entry] = await empty.query(
      `select new_values from audit_log where resource = 'vendor' order by id desc limit 1`,
    )
    expect(entry).toEqual({ new_values: { daysChosen: true } })
    await makeUser(empty, { role: 'driver', vendorId })
    expect(await done()).toEqual(['account', 'areas', 'company', 'vendor', 'days', 'people'])

    const { importId } = (await customerFiles(owner)(['phone,name', '36001234,Noura'])).body
    expect(await done()).toContain('customers')
    await owner.call(undoCustomerImport, { params: { importId: String(importId) } })
    expect(await done()).not.toContain('customers')

    expect((await owner.call(placeTestOrder, { body: { vendorId } })).status).toBe(200)
    expect(await done()).not.toContain('testOrder')
    await owner.call(deleteTestOrder)
    expect(await done()).toContain('testOrder')
  })
})
