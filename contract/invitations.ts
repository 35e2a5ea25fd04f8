import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { done, idParams, instant, vendorFilter } from './ids.ts'
import { page, pageQuery } from './page.ts'
import { type Role, roles } from './roles.ts'

/** How long an invitation can be accepted, counted from its last message. */
export const INVITATION_DAYS = 14
/** New invitations of one vendor within 24 hours. */
export const INVITATIONS_A_DAY = 20
/** Messages for one invitation, and how far apart they are. */
export const INVITATION_MESSAGES = 3
export const INVITATION_RESEND_MINUTES = 10

export const invitationStates = ['open', 'expired', 'accepted', 'declined', 'withdrawn'] as const

/** As the office of the vendor that invites sees it. It says nothing of an account that the phone may have. */
export const officeInvitation = z.object({
  id: z.number(),
  phone: z.string(),
  name: z.string(),
  role: z.enum(roles),
  vendorId: z.number(),
  state: z.enum(invitationStates),
  invitedBy: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  createdAt: instant,
  sentAt: instant,
  expiresAt: instant,
  closedAt: z.nullable(instant),
  can: z.object({ resend: z.boolean(), withdraw: z.boolean() }),
})
export type OfficeInvitation = z.output<typeof officeInvitation>

const inviters = ['super_admin', 'vendor_admin'] as const satisfies readonly Role[]

export const listOfficeInvitations = endpoint({
  method: 'GET',
  path: '/api/admin/invitations',
  allow: inviters,
  needs: ['users.read'],
  summary: 'Invitations to work for a vendor, newest first',
  query: z.extend(pageQuery, { vendorId: vendorFilter }),
  returns: page(officeInvitation),
})

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/admin/invitations/{id}/resend',
  allow: inviters,
  needs: ['users.write'],
  isPersonal: true,
  summary: 'Send the message again and restart the 14 days',
  params: idParams,
  returns: officeInvitation,
  fails: ['INVITATION_NOT_FOUND', 'INVITATION_CLOSED', 'TOO_MANY_REQUESTS'],
})

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/api/admin/invitations/{id}',
  allow: inviters,
  needs: ['users.write'],
  isPersonal: true,
  summary: 'Withdraw an invitation that nobody has answered',
  params: idParams,
  returns: officeInvitation,
  fails: ['INVITATION_NOT_FOUND', 'INVITATION_CLOSED'],
})

/** As the invited person sees it. */
export const invitation = z.object({
  id: z.number(),
  vendorName: z.string(),
  vendorNameAr: z.nullable(z.string()),
  role: z.enum(roles),
  invitedBy: z.nullable(z.string()),
  expiresAt: instant,
  /** Why it cannot be accepted as things are: the person works already, or runs the market. */
  obstacle: z.nullable(z.enum(['WORKS_ELSEWHERE', 'SUPER_ADMIN_STAYS'])),
})
export type Invitation = z.output<typeof invitation>

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/auth/invitations',
  allow: 'signed-in',
  summary: 'Open invitations to work for a vendor, sent to one’s own phone',
  returns: z.array(invitation),
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/auth/invitations/{id}/accept',
  allow: 'signed-in',
  isPersonal: true,
  summary: 'Work for the vendor from now on; the person is signed out and signs in as staff',
  params: idParams,
  body: z.object({
    /** Required when the person already has a staff role: accepting ends that role. */
    leave: z._default(z.boolean(), false),
  }),
  returns: done,
  fails: ['INVITATION_NOT_FOUND', 'WORKS_ELSEWHERE', 'SUPER_ADMIN_STAYS'],
})

export const declineInvitation = endpoint({
  method: 'POST',
  path: '/api/auth/invitations/{id}/decline',
  allow: 'signed-in',
  isPersonal: true,
  summary: 'Decline an invitation; the vendor sees the state without a reason',
  params: idParams,
  returns: done,
  fails: ['INVITATION_NOT_FOUND'],
})
