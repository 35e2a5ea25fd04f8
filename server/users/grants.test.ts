import { changeRole, updateUser } from '@qatra/contract/users/users'
import { expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeUser, makeVisitor } from '../test/fixtures/make.ts'

const shop = await startShop()

it('refuses permissions without effect for the role, in both languages, and changes nothing', async () => {
  const admin = await makeVisitor(shop, { role: 'super_admin' })
  const { id } = await makeUser(shop, { role: 'vendor_sales', vendorId: 1 })
  // Already in the role, blocked by the role check, blocked by the policy; one is grantable.
  const body = { name: 'Ali', permissions: ['sales.place', 'orders.export', 'users.read', 'drivers.run'] }
  const words = { en: 'Opens nothing for this role', ar: 'هذه الصلاحية لا تفتح شيئًا لهذا الدور' }
  for (const lang of ['en', 'ar'] as const) {
    admin.cookies.set('lang', lang)
    const answer = await admin.send('PATCH', `/api/admin/users/${id}`, { body })
    expect([answer.status, answer.refusal.code]).toEqual([422, 'INVALID_BODY'])
    expect(answer.refusal.details.fields).toEqual(
      Object.fromEntries([0, 2, 3].map((i) => [`permissions.${i}`, words[lang]])),
    )
  }
  const [row] = await shop.query('select name, permissions from users where id = $1', [id])
  expect(row).toEqual({ name: null, permissions: [] })
})

it('lets a super admin alone grant to place orders, also against an admin who holds it', async () => {
  const owner = await makeVisitor(shop, { role: 'super_admin' })
  const boss = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
  const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: 1 })
  const params = { id: String(staff.id) }
  const body = { permissions: ['sales.place' as const] }
  for (const person of [boss, staff]) expect((await person.call(updateUser, { params, body })).status).toBe(403)
  expect((await owner.call(updateUser, { params, body })).body.permissions).toEqual(['sales.place'])
  // A new role or vendor ends the grant.
  await owner.call(changeRole, { params, body: { role: 'vendor_staff', vendorId: 2 } })
  expect(await shop.query('select permissions from users where id = $1', [staff.id])).toEqual([{ permissions: [] }])
})

it('drops stored permissions without effect on the next change, with an audit entry', async () => {
  const vendors = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
  const { id } = await makeUser(shop, { role: 'vendor_sales', vendorId: 1 })
  await shop.query(`update users set permissions = '{whatsapp.read,orders.export}' where id = $1`, [id])
  const { body } = await vendors.call(updateUser, { params: { id: String(id) }, body: { name: 'Ali' } })
  expect(body.permissions).toEqual(['orders.export'])
  const [entry] = await shop.query(
    `select old_values, new_values from audit_log where resource = 'user' and resource_id = $1`,
    [String(id)],
  )
  expect(entry).toEqual({
    old_values: { name: null, permissions: ['whatsapp.read', 'orders.export'] },
    new_values: { name: 'changed', permissions: ['orders.export'] },
  })
})
