import * as z from 'zod/mini'
import { notificationTypes } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { idParams, instant, rowIdNumber, vendorFilter } from './ids.ts'
import { adminInvitation } from './invitations.ts'
import { page, pageQuery } from './page.ts'
import { permissions } from './permissions.ts'
import { phoneInput } from './phone.ts'
import { type Role, roles } from './roles.ts'
import { personName } from './text.ts'

/** Counting a list stops here: a total as large as this means "or more", and further pages are there all the same. */
export const MOST_COUNTED = 10_000

/** Roles that belong to one vendor. */
export const vendorRoles = ['vendor_sales', 'vendor_staff', 'vendor_admin', 'driver'] as const satisfies readonly Role[]
export const isVendorRole = (role: Role) => vendorRoles.some((each) => each === role)

/** Roles that a person of this role may give, and whose holders that person may change. */
export function rolesInGift(role: Role | null): readonly Role[] {
  if (role === 'super_admin') return roles
  return role === 'vendor_admin' ? ['vendor_sales', 'vendor_staff', 'driver'] : []
}

/** How long ago somebody was last there, in minutes; the border belongs to the nearer window. */
export const activityWindows = { online: 5, recent: 30, today: 1440 } as const
export const activities = ['online', 'recent', 'today', 'away'] as const
export type Activity = (typeof activities)[number]

/** @param lastActiveAt null for whoever never came */
export function activityAt(lastActiveAt: Date | null, now: Date): Activity {
  if (lastActiveAt === null) return 'away'
  const minutes = (now.getTime() - lastActiveAt.getTime()) / 60_000
  if (minutes <= activityWindows.online) return 'online'
  if (minutes <= activityWindows.recent) return 'recent'
  return minutes <= activityWindows.today ? 'today' : 'away'
}

export const adminUser = z.object({
  id: z.number(),
  phone: z.string(),
  name: z.nullable(z.string()),
  role: z.enum(roles),
  vendorId: z.nullable(z.number()),
  /** The person's own, beside those of the role. */
  permissions: z.array(z.string()),
  isVerified: z.boolean(),
  isActive: z.boolean(),
  notificationEnabled: z.boolean(),
  notificationTypes: z.array(z.string()),
  lastLoginAt: z.nullable(instant),
  lastActiveAt: z.nullable(instant),
  activity: z.enum(activities),
  createdBy: z.nullable(z.number()),
  createdAt: instant,
  updatedAt: instant,
  /** Orders in the person's hands as a driver that have not arrived yet. */
  openOrders: z.number(),
  /** What the asking person may do with this one. */
  can: z.object({
    edit: z.boolean(),
    changePermissions: z.boolean(),
    switchOff: z.boolean(),
    changeRole: z.boolean(),
    impersonate: z.boolean(),
    /** Roles that may be given, the present one among them. */
    roles: z.array(z.enum(roles)),
  }),
})
export type AdminUser = z.output<typeof adminUser>

const people = ['super_admin', 'vendor_admin'] as const satisfies readonly Role[]
const truth = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text: 'true' | 'false') => text === 'true'),
)

export const userSorts = ['name', '-createdAt', '-lastActiveAt', '-lastLoginAt'] as const

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  allow: people,
  permissions: ['users.read'],
  summary: 'People of the market, or of one’s own vendor',
  query: z.object({
    ...pageQuery.shape,
    /** Name or phone, whatever the spelling. */
    search: z.optional(z.string().check(z.maxLength(100))),
    role: z.optional(z.enum(roles)),
    vendorId: vendorFilter,
    /** Everybody seen within the window. */
    activity: z.optional(z.enum(['online', 'recent', 'today'])),
    isActive: z.optional(truth),
    /** Only those who work here. */
    staff: z.optional(truth),
    sort: z._default(z.enum(userSorts), '-lastActiveAt'),
  }),
  returns: page(adminUser),
})

export const getUser = endpoint({
  method: 'GET',
  path: '/api/admin/users/{id}',
  allow: people,
  permissions: ['users.read'],
  summary: 'One person',
  params: idParams,
  returns: adminUser,
  errors: ['USER_NOT_FOUND'],
})

const notificationList = z.array(z.enum(notificationTypes)).check(z.maxLength(notificationTypes.length))

export const createUser = endpoint({
  method: 'POST',
  path: '/api/admin/users',
  allow: people,
  permissions: ['users.write'],
  forbidWhileImpersonating: true,
  summary: 'Create a staff account (super admin) or an invitation (vendor admin)',
  body: z.object({
    phone: phoneInput,
    name: personName(1),
    role: z.enum(roles, 'validation.required'),
    /** Needed for the roles of a vendor; a vendor’s admin may leave it out. */
    vendorId: z.optional(z.nullable(rowIdNumber)),
    notificationTypes: z.optional(notificationList),
  }),
  /** `invited` for a vendor's admin. The response does not depend on whether the phone has an account. */
  returns: z.discriminatedUnion('outcome', [
    z.extend(adminUser, { outcome: z.literal('created') }),
    z.object({ outcome: z.literal('invited'), invitation: adminInvitation }),
  ]),
  /** PHONE_TAKEN carries `userId` where the asking person may change that one's role. */
  errors: ['PHONE_TAKEN', 'INVITATION_OPEN', 'TOO_MANY_REQUESTS'],
})

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/api/admin/users/{id}',
  allow: people,
  permissions: ['users.write'],
  summary: 'Change name, notifications, own permissions, or switch the account off and on',
  params: idParams,
  body: z.object({
    name: z.optional(personName(1)),
    isActive: z.optional(z.boolean()),
    /** A super admin's to give. */
    permissions: z.optional(z.array(z.enum(permissions)).check(z.maxLength(permissions.length))),
    notificationEnabled: z.optional(z.boolean()),
    notificationTypes: z.optional(notificationList),
    /** Not changed here: whoever sends another one is refused. */
    role: z.optional(z.unknown()),
    vendorId: z.optional(z.unknown()),
    phone: z.optional(z.unknown()),
  }),
  returns: adminUser,
  errors: ['USER_NOT_FOUND', 'LAST_SUPER_ADMIN', 'IMPERSONATING'],
})

export const changeRole = endpoint({
  method: 'PUT',
  path: '/api/admin/users/{id}/role',
  allow: people,
  permissions: ['users.write'],
  forbidWhileImpersonating: true,
  summary: 'Give another role; the person signs in anew',
  params: idParams,
  body: z.object({
    role: z.enum(roles, 'validation.required'),
    vendorId: z.optional(z.nullable(rowIdNumber)),
  }),
  returns: adminUser,
  errors: ['USER_NOT_FOUND', 'LAST_SUPER_ADMIN'],
})

export const removeVendorAccess = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/{id}/vendor-access',
  allow: people,
  permissions: ['users.write'],
  forbidWhileImpersonating: true,
  summary: 'Remove the staff role; unassigns the open orders of a driver',
  params: idParams,
  returns: adminUser,
  errors: ['USER_NOT_FOUND', 'LAST_SUPER_ADMIN'],
})
