import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { done, idParams, instant, vendorFilter } from '../lib/ids.ts'
import { page, pageQuery } from '../lib/page.ts'
import { presets } from './permissions.ts'
import { type Role, roles } from './roles.ts'

/** Days an invitation stays open after its last message. */
export const INVITATION_DAYS = 14
/** Limit of new invitations per vendor within 24 hours. */
export const INVITATIONS_A_DAY = 20
/** Limit of messages per invitation, and the minimum time between two. */
export const INVITATION_MESSAGES = 3
export const INVITATION_RESEND_MINUTES = 10

export const invitationStates = ['open', 'expired', 'accepted', 'declined', 'withdrawn'] as const

/** The inviting vendor's view. It does not reveal whether the phone has an account. */
export const adminInvitation = z.object({
  id: z.number(),
  phone: z.string(),
  name: z.string(),
  role: z.enum(roles),
  preset: z.nullable(z.enum(presets)),
  vendorId: z.number(),
  state: z.enum(invitationStates),
  invitedBy: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  createdAt: instant,
  sentAt: instant,
  expiresAt: instant,
  closedAt: z.nullable(instant),
  can: z.object({ resend: z.boolean(), withdraw: z.boolean() }),
})
export type AdminInvitation = z.output<typeof adminInvitation>

const inviters = ['super_admin', 'vendor_admin'] as const satisfies readonly Role[]

export const listAdminInvitations = endpoint({
  method: 'GET',
  path: '/api/admin/invitations',
  allow: inviters,
  permissions: ['users.read'],
  summary: 'Invitations to work for a vendor, newest first',
  query: z.extend(pageQuery, { vendorId: vendorFilter }),
  returns: page(adminInvitation),
})

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/admin/invitations/{id}/resend',
  allow: inviters,
  permissions: ['users.write'],
  forbidWhileImpersonating: true,
  summary: 'Send the message again and restart the 14 days',
  params: idParams,
  returns: adminInvitation,
  errors: ['INVITATION_NOT_FOUND', 'INVITATION_CLOSED', 'TOO_MANY_REQUESTS'],
})

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/api/admin/invitations/{id}',
  allow: inviters,
  permissions: ['users.write'],
  forbidWhileImpersonating: true,
  summary: 'Withdraw an open invitation',
  params: idParams,
  returns: adminInvitation,
  errors: ['INVITATION_NOT_FOUND', 'INVITATION_CLOSED'],
})

/** The invited person's view. */
export const invitation = z.object({
  id: z.number(),
  vendorName: z.string(),
  vendorNameAr: z.nullable(z.string()),
  role: z.enum(roles),
  preset: z.nullable(z.enum(presets)),
  invitedBy: z.nullable(z.string()),
  expiresAt: instant,
  /** Why the invitation cannot be accepted now: the person already works for a vendor, or is a super admin. */
  obstacle: z.nullable(z.enum(['WORKS_ELSEWHERE', 'SUPER_ADMIN_STAYS'])),
})
export type Invitation = z.output<typeof invitation>

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/auth/invitations',
  allow: 'signed-in',
  summary: 'Open invitations sent to the caller’s phone',
  returns: z.array(invitation),
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/auth/invitations/{id}/accept',
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Accept an invitation: changes the role and ends the session, so that the person signs in as staff',
  params: idParams,
  body: z.object({
    /** Required when the person already has a staff role: accepting ends that role. */
    leave: z._default(z.boolean(), false),
  }),
  returns: done,
  errors: ['INVITATION_NOT_FOUND', 'WORKS_ELSEWHERE', 'SUPER_ADMIN_STAYS'],
})

export const declineInvitation = endpoint({
  method: 'POST',
  path: '/api/auth/invitations/{id}/decline',
  allow: 'signed-in',
  forbidWhileImpersonating: true,
  summary: 'Decline an invitation; the vendor sees the state without a reason',
  params: idParams,
  returns: done,
  errors: ['INVITATION_NOT_FOUND'],
})
