import { type Permission, permissionPresets } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import type { TestShop } from './app.ts'
import { makeOrder, makeUser, makeVisitor } from './make.ts'
import type { Visitor } from './visitor.ts'

/** All identities of the tests. Own and other vendor are the first and second of the demo. */
export const identities = {
  anonymous: null,
  customer: { role: 'customer', vendorId: null },
  vendor_sales: { role: 'vendor_sales', vendorId: 1 },
  vendor_staff: { role: 'vendor_staff', vendorId: 1 },
  vendor_admin: { role: 'vendor_admin', vendorId: 1 },
  other_vendor_admin: { role: 'vendor_admin', vendorId: 2 },
  agent: { role: 'vendor_staff', vendorId: 1, permissions: permissionPresets.agent },
  other_agent: { role: 'vendor_staff', vendorId: 2, permissions: permissionPresets.agent },
  driver: { role: 'driver', vendorId: 1 },
  super_admin: { role: 'super_admin', vendorId: null },
} as const satisfies Record<string, { role: Role; vendorId: number | null; permissions?: readonly Permission[] } | null>
export type Identity = keyof typeof identities
/** Permissions in addition to the role. */
export const ownPermissions = (who: Identity): readonly Permission[] => {
  const kind = identities[who]
  return kind && 'permissions' in kind ? kind.permissions : []
}
export const everybody = Object.keys(identities) as Identity[] // the keys of the record above

export interface Person extends Visitor {
  who: Identity
  role: Role | null
  userId: number | null
}

/** Creates a new person of this identity. */
export async function meet(shop: TestShop, who: Identity): Promise<Person> {
  const kind = identities[who]
  if (!kind) return Object.assign(shop.visitor(), { who, role: null, userId: null })
  const { role, vendorId } = kind
  const visitor = await makeVisitor(shop, vendorId === null ? { role } : { role, vendorId })
  const own = ownPermissions(who)
  if (own.length > 0) await shop.query('update users set permissions = $2 where id = $1', [visitor.id, own])
  return Object.assign(visitor, { who, role, userId: visitor.id })
}

/** The order of another customer. */
export async function strangersOrder(shop: TestShop, status = 'new') {
  const { id } = await makeUser(shop)
  return makeOrder(shop, { userId: id, vendorId: 1, status })
}

export async function productOf(shop: TestShop, vendorId: number): Promise<number> {
  const [row] = await shop.query<{ id: number }>(
    'select id from products where vendor_id = $1 and is_active and deleted_at is null order by id limit 1',
    [vendorId],
  )
  if (!row) throw new Error(`Vendor ${vendorId} sells nothing`)
  return row.id
}

/** Adds an item to the visitor's cart. */
export async function itemOf(shop: TestShop, visitor: Visitor): Promise<number> {
  const productId = await productOf(shop, 1)
  const { body } = await visitor.send('POST', '/api/cart/add', { body: { productId, quantity: 1 } })
  const [item] = (body as { items: { id: number }[] }).items
  if (!item) throw new Error('Nothing was put into the cart')
  return item.id
}
