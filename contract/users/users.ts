import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idParams, instant, rowIdNumber, vendorFilter } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { phoneInput } from '../lib/phone.ts'
import { customerName } from '../lib/text.ts'
import { notificationTypes } from './auth.ts'
import { adminInvitation } from './invitations.ts'
import {
  holds,
  type Preset,
  permissions,
  presetPermissions,
  presetRole,
  presets,
  type RoleChoice,
} from './permissions.ts'
import { type Role, roles } from './roles.ts'

/** Counting limit of lists: a total at this limit means "or more", and further pages still exist. */
export const MOST_COUNTED = 10_000

/** Roles that belong to one vendor. */
export const vendorRoles = ['vendor_sales', 'vendor_staff', 'vendor_admin', 'driver'] as const satisfies readonly Role[]
export const isVendorRole = (role: Role) => vendorRoles.some((each) => each === role)

/** Roles that a person of this role can assign, and whose holders that person can edit. */
export function rolesInGift(role: Role | null): readonly Role[] {
  if (role === 'super_admin') return roles
  return role === 'vendor_admin' ? ['vendor_sales', 'vendor_staff', 'driver'] : []
}

/**
 * Roles and presets that a person can assign: nobody gives a preset whose permissions the person lacks.
 */
export function choicesInGift(person: { role: Role; permissions: readonly string[] } | null): readonly RoleChoice[] {
  const gift = rolesInGift(person?.role ?? null)
  const isGiven = (preset: Preset) =>
    gift.includes(presetRole[preset]) && holds(presetPermissions[preset], person?.permissions ?? [])
  return [
    ...gift.map((role) => ({ role, preset: null })),
    ...presets.filter(isGiven).map((preset) => ({ role: presetRole[preset], preset })),
  ]
}

/** Maximum minutes since the last activity, inclusive. */
export const activityWindows = { online: 5, recent: 30, today: 1440 } as const
export const activities = ['online', 'recent', 'today', 'away'] as const
export type Activity = (typeof activities)[number]

/** @param lastActiveAt null if the person was never active */
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
  /** A named set of permissions in place of the role's. */
  preset: z.nullable(z.enum(presets)),
  vendorId: z.nullable(z.number()),
  /** Permissions of the person in addition to the role's. */
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
  /** Undelivered orders assigned to the person as a driver. */
  openOrders: z.number(),
  /** Actions on this person that are open to the caller. */
  can: z.object({
    edit: z.boolean(),
    changePermissions: z.boolean(),
    switchOff: z.boolean(),
    changeRole: z.boolean(),
    impersonate: z.boolean(),
    /** Roles that the caller can assign, including the current one. */
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
  summary: 'Accounts in the caller’s scope',
  query: z.object({
    ...pageQuery.shape,
    /** Name or phone, normalized before the comparison. */
    search: z.optional(z.string().check(z.maxLength(100))),
    role: z.optional(z.enum(roles)),
    vendorId: vendorFilter,
    /** People who were active within the window. */
    activity: z.optional(z.enum(['online', 'recent', 'today'])),
    isActive: z.optional(truth),
    /** Staff only. */
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
  summary: 'One account',
  params: idParams,
  returns: adminUser,
  errors: ['USER_NOT_FOUND'],
})

/** Only with the role of the preset. */
const chosenPreset = z._default(z.nullable(z.enum(presets)), null)
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
    name: customerName(1),
    role: z.enum(roles, 'validation.required'),
    preset: chosenPreset,
    /** Required for roles of a vendor; a vendor admin can omit it. */
    vendorId: z.optional(z.nullable(rowIdNumber)),
    notificationTypes: z.optional(notificationList),
  }),
  /** `invited` for a vendor's admin. The response does not depend on whether the phone has an account. */
  returns: z.discriminatedUnion('outcome', [
    z.extend(adminUser, { outcome: z.literal('created') }),
    z.object({ outcome: z.literal('invited'), invitation: adminInvitation }),
  ]),
  /** PHONE_TAKEN contains `userId` if the caller can change the role of that person. */
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
    name: z.optional(customerName(1)),
    isActive: z.optional(z.boolean()),
    /** Only super admins can grant them. */
    permissions: z.optional(z.array(z.enum(permissions)).check(z.maxLength(permissions.length))),
    notificationEnabled: z.optional(z.boolean()),
    notificationTypes: z.optional(notificationList),
    /** Not editable here: a request that contains another role is rejected. */
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
  summary: 'Change the role; ends the person’s sessions',
  params: idParams,
  body: z.object({
    role: z.enum(roles, 'validation.required'),
    preset: chosenPreset,
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
