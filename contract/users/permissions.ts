import { type Allow, isRoleAllowed, type Role } from './roles.ts'

/**
 * Permissions of the admin area that a role's guard does not include. An endpoint names those it needs, all of them.
 */
export const permissions = [
  'orders.read',
  'orders.status',
  'orders.assign',
  'orders.payment',
  'orders.refund',
  'orders.confirm',
  'orders.export',
  'drivers.read',
  'drivers.run',
  'drivers.cash',
  'products.read',
  'products.write',
  'bottles.write-off',
  'vendors.read',
  'vendors.write',
  'vendors.control',
  'vendors.business',
  'areas.read',
  'areas.write',
  'calendar.read',
  'calendar.closures',
  'calendar.holidays',
  'users.read',
  'users.write',
  'customers.read',
  'customers.write',
  'customers.import',
  'users.impersonate',
  'audit.read',
  'dashboard.read',
  'sales.place',
  'sales.custom-price',
  'sales.ignore-coverage',
  'events.read',
  'links.read',
  'whatsapp.read',
  'whatsapp.reply',
  'whatsapp.write',
  'whatsapp.connect',
  'campaigns.read',
  'campaigns.write',
  'links.write',
  'jobs.read',
  'jobs.write',
  'legacy.read',
  'legacy.write',
  'settings.read',
  'settings.write',
  'integrations.write',
] as const
export type Permission = (typeof permissions)[number]

const orderDesk = [
  'orders.read',
  'orders.status',
  'orders.assign',
  'orders.payment',
  'orders.confirm',
  'orders.export',
] as const
const shopkeeping = [
  'drivers.read',
  'drivers.run',
  'drivers.cash',
  'products.read',
  'products.write',
  'vendors.read',
  'vendors.control',
  'areas.read',
  'calendar.read',
  'calendar.closures',
  'customers.read',
  'customers.write',
  'dashboard.read',
  'events.read',
] as const

/**
 * Permissions per role. `user_roles` stores a copy for readers of the database; a person's own permissions are added.
 * Policies decide which rows an action applies to.
 */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  customer: [],
  vendor_sales: ['orders.read', 'sales.place', 'sales.custom-price', 'events.read'],
  vendor_staff: [...orderDesk, ...shopkeeping],
  vendor_admin: [
    ...orderDesk,
    ...shopkeeping,
    'users.read',
    'users.write',
    'vendors.business',
    'orders.refund',
    'bottles.write-off',
    'audit.read',
    'sales.place',
    'sales.custom-price',
    'sales.ignore-coverage',
    'integrations.write',
  ],
  driver: ['orders.read', 'orders.status', 'drivers.run', 'drivers.cash', 'events.read'],
  super_admin: permissions,
}

/** Permissions that are granted together, so that staff also answer the vendor's customers and order for them. */
export const agentGrants = ['whatsapp.read', 'whatsapp.reply', 'sales.place'] as const

/**
 * Named sets that take the place of a role's permissions, while rows and guards stay those of the role. An agent answers
 * the vendor's customers, orders for them and sees their orders and addresses, and nothing else.
 */
export const presets = ['agent'] as const
export type Preset = (typeof presets)[number]
export const presetRole = { agent: 'vendor_staff' } as const satisfies Record<Preset, Role>
export const presetPermissions = {
  agent: ['orders.read', 'customers.read', 'events.read', ...agentGrants],
} as const satisfies Record<Preset, readonly Permission[]>

export interface RoleChoice {
  role: Role
  preset: Preset | null
}

/** The name of what was chosen. */
export const choiceName = ({ role, preset }: RoleChoice): Role | Preset => preset ?? role

/** What the role or the preset includes, without the person's own permissions. */
export const includedPermissions = ({ role, preset }: RoleChoice): readonly Permission[] =>
  preset === null ? rolePermissions[role] : presetPermissions[preset]

/**
 * Permissions a super admin can grant to one person in addition to the role: those that the role lacks and that have an
 * effect for it. Role checks or policies override all others. `permissions.test.ts` of the matrix calls every endpoint with and
 * without each permission.
 */
export const grantablePermissions = {
  customer: [],
  vendor_sales: ['orders.export', 'sales.ignore-coverage'],
  vendor_staff: [...agentGrants, 'orders.refund', 'bottles.write-off'],
  vendor_admin: ['whatsapp.read', 'whatsapp.reply'],
  driver: ['orders.export'],
  super_admin: [],
} as const satisfies Readonly<Record<Role, readonly Permission[]>>
export type GrantablePermission = (typeof grantablePermissions)[Role][number]

/** A preset is exactly its set: nothing is added to it. */
export const isGrantable = ({ role, preset }: RoleChoice, permission: string): permission is GrantablePermission =>
  preset === null && grantablePermissions[role].some((each) => each === permission)

/** The prefix of a permission's name: the section of the admin area it belongs to. */
export type PermissionGroup = GrantablePermission extends `${infer Group}.${string}` ? Group : never

/** Grantable permissions of a role, grouped by prefix, in the order of the table. */
export function grantableGroups(role: Role) {
  const groups = new Map<PermissionGroup, GrantablePermission[]>()
  for (const permission of grantablePermissions[role]) {
    const group = permission.split('.', 1)[0] as PermissionGroup // the type is the same prefix
    groups.set(group, [...(groups.get(group) ?? []), permission])
  }
  return [...groups].map(([group, ofGroup]) => ({ group, permissions: ofGroup }))
}

/** Whether `held` contains all of `needed`. */
export const holds = (needed: readonly Permission[], held: readonly string[]) =>
  needed.every((permission) => held.includes(permission))

/** Whether the user has a role that is allowed and all of the permissions; null is a visitor. */
export function isAuthorized(
  { allow, permissions: needed = [] }: { allow: Allow; permissions?: readonly Permission[] | undefined },
  user: { role: Role; permissions: readonly string[] } | null,
): boolean {
  if (!isRoleAllowed(allow, user?.role ?? null)) return false
  return needed.length === 0 || (user !== null && holds(needed, user.permissions))
}
