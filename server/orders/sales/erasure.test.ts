import { eraseAccount } from '@qatra/contract/users/auth'
import { expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { newPhone, signInByCode, until } from '../../test/fixtures/codes.ts'
import { openSalesDesk } from '../../test/fixtures/sales-desk.ts'
import { lockWaits } from '../../test/lock-waits.ts'

const shop = await startShop({ databasePoolSize: 10 })
const { water, saleInput, sell } = await openSalesDesk(shop)

it('erasing a customer erases phone orders with the reasons of their prices', async () => {
  const phone = newPhone()
  const items = [{ productId: water, quantity: 2, customPrice: 1, reason: 'Zanzibar, the neighbour' }]
  const { body } = await sell(saleInput({ phone, customerName: 'Zanzibar Canary', items }))
  const customer = await signInByCode(shop, phone)
  expect((await customer.call(eraseAccount)).status).toBe(200)
  for (const table of [
    'orders',
    'order_items',
    'order_audit_history',
    'users',
    'audit_log',
    'order_keys',
    'receipts',
    'credit_notes',
  ]) {
    const found = await shop.query(`select 1 from ${table} t where t::text ilike any($1)`, [
      [`%${phone}%`, '%Zanzibar%'],
    ])
    expect([table, found]).toEqual([table, []])
  }
  expect(
    await shop.query(
      'select total, price_reason from orders o join order_items i on i.order_id = o.id where o.id = $1',
      [body.id],
    ),
  ).toEqual([{ total: Math.round(body.total * 1000), price_reason: null }])
})

it('an order placed during an erasure is erased, and one placed after it creates a new account', async () => {
  const phone = newPhone()
  const customer = await signInByCode(shop, phone)
  const [before] = await shop.query<{ id: number }>('select id from users where phone = $1', [phone])
  const holding = await shop.app.pool.connect()
  await holding.query('begin')
  // The sale has locked the customer when it writes the order.
  await holding.query('lock table orders in share mode')
  const selling = sell(saleInput({ phone, customerName: 'Zanzibar Canary' }))
  await until('the sale to wait', async () => (await lockWaits(shop, '%order_audit_history%')) > 0)
  const leaving = customer.call(eraseAccount)
  await until('the erasure to wait', async () => (await lockWaits(shop, '%from "users"%for no key update%')) > 0)
  await holding.query('commit')
  holding.release()
  expect((await selling).status).toBe(200)
  expect((await leaving).status).toBe(200)
  const orders = await shop.query('select customer_name from orders where user_id = $1', [before?.id])
  expect(orders).toEqual([{ customer_name: '—' }])
  const { body } = await sell(saleInput({ phone }))
  expect(body.userId).not.toBe(before?.id)
})
