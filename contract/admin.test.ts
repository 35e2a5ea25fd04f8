import { describe, expect, it } from 'vitest'
import { adminPageAt, adminPages, firstAdminPage, mayOpen, navigationOf } from './admin.ts'
import { isAdminPath } from './admin-path.ts'
import { agentGrants, presetPermissions, rolePermissions } from './users/permissions.ts'
import { guards, type Role, roles } from './users/roles.ts'

const as = (role: Role) => ({ role, permissions: rolePermissions[role] })

describe('pages of the admin area', () => {
  it('start at the first page of each role; customers have none', () => {
    expect(Object.fromEntries(roles.map((role) => [role, firstAdminPage(as(role))]))).toEqual({
      customer: null,
      vendor_sales: '/admin/sales/place-order',
      vendor_staff: '/admin/dashboard',
      vendor_admin: '/admin/dashboard',
      driver: '/admin/run',
      super_admin: '/admin/dashboard',
    })
  })

  it('keep their order for staff who were granted to place orders, with the entries added', () => {
    const staff = as('vendor_staff')
    const granted = { ...staff, permissions: [...staff.permissions, ...agentGrants] }
    expect(firstAdminPage(granted)).toBe('/admin/dashboard')
    const added = navigationOf(granted).filter((page) => !navigationOf(staff).includes(page))
    expect(added.map(({ path }) => path)).toEqual(['/admin/sales/place-order', '/admin/sales', '/admin/whatsapp'])
  })

  it('are for an agent the conversations, orders, customers and placing of orders', () => {
    const agent = { role: 'vendor_staff' as const, permissions: presetPermissions.agent }
    expect(navigationOf(agent).map(({ path }) => path)).toEqual([
      '/admin/orders',
      '/admin/sales/place-order',
      '/admin/sales',
      '/admin/customers',
      '/admin/whatsapp',
    ])
  })

  it("are closed to callers who are not staff; a super admin can open all except the driver's", () => {
    for (const { path } of adminPages) {
      const address = path.replace(/\$\w+/g, '7')
      expect([path, mayOpen(address, null), mayOpen(address, as('customer'))]).toEqual([path, false, false])
      expect([path, mayOpen(address, as('super_admin'))]).toEqual([path, path !== '/admin/run'])
    }
  })

  it('admit the roles listed here', () => {
    const open = (path: string) => guards.staff.filter((role) => mayOpen(path, as(role))).sort()
    expect(open('/admin/orders')).toEqual([...guards.staff].sort())
    for (const path of ['/admin/dashboard', '/admin/products', '/admin/customers', '/admin/vendor-control'])
      expect([path, open(path)]).toEqual([path, [...guards.admin].sort()])
    expect(open('/admin/sales/place-order')).toEqual(['super_admin', 'vendor_admin', 'vendor_sales'])
    const staff = as('vendor_staff')
    expect(mayOpen('/admin/sales/place-order', { ...staff, permissions: [...staff.permissions, 'sales.place'] })).toBe(
      true,
    )
    expect(open('/admin/users')).toEqual(['super_admin', 'vendor_admin'])
    expect(open('/admin/vendors')).toEqual(['super_admin'])
  })

  it('require every permission in addition to the role', () => {
    const { permissions } = as('vendor_admin')
    const without = permissions.filter((one) => one !== 'users.read')
    expect(mayOpen('/admin/users', { role: 'vendor_admin', permissions: without })).toBe(false)
    expect(mayOpen('/admin/users', { role: 'vendor_staff', permissions: [...without, 'users.read'] })).toBe(false)
  })

  it('are under /admin, and nothing else is', () => {
    expect(['/admin', '/admin/', '/admin/orders', '/admin/nothing'].map(isAdminPath)).toEqual(Array(4).fill(true))
    expect(['/', '/administration', '/orders/admin', '/api/admin/orders', ''].map(isAdminPath)).toEqual(
      Array(5).fill(false),
    )
  })

  it('are found by address, literal segments before parameters', () => {
    expect(adminPageAt('/admin/products/new')?.path).toBe('/admin/products/new')
    expect(adminPageAt('/admin/products/12')?.path).toBe('/admin/products/$id')
    expect(adminPageAt('/admin/orders/')?.path).toBe('/admin/orders')
    for (const path of [
      '/admin',
      '/admin/',
      '/admin/nothing',
      '/admin/orders/1/2',
      '/administration',
      '/admin//orders',
    ])
      expect([path, adminPageAt(path)]).toEqual([path, null])
  })

  it("have unique shortcut keys within each person's navigation", () => {
    for (const role of roles) {
      const keys = navigationOf(as(role)).map(({ nav }) => nav?.key)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })
})
