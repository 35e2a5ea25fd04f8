import { getAdminOrder } from '@qatra/contract/orders/admin'
import { getMe } from '@qatra/contract/users/auth'
import { presetPermissions } from '@qatra/contract/users/permissions'
import { changeRole, updateUser } from '@qatra/contract/users/users'
import { listConversations } from '@qatra/contract/whatsapp/inbox/inbox'
import { expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'

const shop = await startShop({ role: 'web' })

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

it('gives an agent the permissions of the preset alone, given by one who holds them, until the next role', async () => {
  const owner = await makeVisitor(shop, { role: 'super_admin' })
  const boss = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
  const staff = await makeUser(shop, { role: 'vendor_staff', vendorId: 1 })
  const params = { id: String(staff.id) }
  const body = { role: 'vendor_staff', preset: 'agent' } as const
  // Nobody gives what they lack: a vendor's admin reads no conversations without a grant.
  expect((await boss.call(changeRole, { params, body })).status).toBe(403)
  await owner.call(updateUser, {
    params: { id: String(boss.id) },
    body: { permissions: ['whatsapp.read', 'whatsapp.reply'] },
  })
  expect((await boss.call(changeRole, { params, body })).body.preset).toBe('agent')
  expect((await boss.call(changeRole, { params, body: { ...body, role: 'driver' } })).status).toBe(403)

  const agent = await shop.visitor().signInAs(staff.phone)
  const { body: self } = await agent.call(getMe)
  expect([self.preset, [...self.permissions].sort()]).toEqual(['agent', [...presetPermissions.agent].sort()])
  const order = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 1, status: 'new' })
  const { body: seen } = await agent.call(getAdminOrder, { params: { id: order } })
  expect([seen.id, seen.can.changeStatus]).toEqual([order, []])
  const foreign = await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: 2, status: 'new' })
  expect((await agent.call(getAdminOrder, { params: { id: foreign } })).status).toBe(404)
  expect((await agent.call(listConversations)).status).toBe(200)
  for (const path of ['/api/admin/dashboard', '/api/admin/drivers', '/api/admin/users'])
    expect([path, (await agent.send('GET', path)).status]).toEqual([path, 403])
  const permissions = { permissions: ['orders.refund' as const] }
  expect((await owner.call(updateUser, { params, body: permissions })).status).toBe(422)
  expect((await owner.call(changeRole, { params, body: { role: 'vendor_staff', vendorId: 1 } })).body.preset).toBeNull()
})
