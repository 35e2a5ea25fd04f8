export const roles = ['customer', 'vendor_sales', 'vendor_staff', 'vendor_admin', 'driver', 'super_admin'] as const
export type Role = (typeof roles)[number]

/** Role groups of the admin area. */
export const guards = {
  staff: ['super_admin', 'vendor_admin', 'vendor_sales', 'vendor_staff', 'driver'],
  admin: ['super_admin', 'vendor_admin', 'vendor_staff'],
  super: ['super_admin'],
} as const satisfies Record<string, readonly Role[]>
export type Guard = keyof typeof guards

/** Roles that place orders by phone, with `sales.place`: by role, or for vendor staff by a grant. */
export const sellers = [
  'vendor_sales',
  'vendor_staff',
  'vendor_admin',
  'super_admin',
] as const satisfies readonly Role[]

/** Callers that an endpoint admits. Policies decide about rows and actions. */
export type Allow = 'anyone' | 'signed-in' | Guard | readonly Role[]

export const isStaff = (role: Role) => role !== 'customer'

/** Roles admitted by `allow`; null if no account is required. */
export function rolesAllowed(allow: Allow): readonly Role[] | null {
  if (allow === 'anyone') return null
  if (allow === 'signed-in') return roles
  return typeof allow === 'string' ? guards[allow] : allow
}

export const isRoleAllowed = (allow: Allow, role: Role | null) => {
  const allowed = rolesAllowed(allow)
  return allowed === null || (role !== null && allowed.includes(role))
}
