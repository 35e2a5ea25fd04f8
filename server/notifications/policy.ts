import { isCarriedTo, type Kind, kinds, notificationKinds } from '@qatra/contract/notifications/kinds'
import type { Actor, ActorUser } from '@qatra/contract/users/actor'
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { inReach, isInReach } from '../conversations/policy.ts'
import { contacts } from '../conversations/tables.ts'
import { notifications } from './tables.ts'

/** Fields that decide who receives an event. */
export interface Reach {
  kind: Kind
  vendorId: number | null
  driverId: number | null
  formerDriverId: number | null
  agentId: number | null
  /** Contact of a conversation, and the vendors of the contact. */
  contactId: number | null
  vendorIds: readonly number[]
}

const conversationKinds = kinds.filter((kind) => notificationKinds[kind].stream === 'messages')

/**
 * Whether the event is in the person's scope: their current vendor; for drivers and sales only their own orders.
 * Conversations follow their own policy.
 */
export function reaches(
  user: Pick<ActorUser, 'id' | 'role' | 'vendorId' | 'permissions'>,
  { contactId, vendorIds, ...event }: Reach,
): boolean {
  if (!isCarriedTo(event.kind, user)) return false
  if (user.role === 'super_admin') return true
  if (conversationKinds.includes(event.kind)) return contactId !== null && isInReach(user, vendorIds)
  if (user.vendorId === null || event.vendorId !== user.vendorId) return false
  switch (user.role) {
    case 'vendor_admin':
    case 'vendor_staff':
      return true
    case 'vendor_sales':
      return event.agentId === user.id
    case 'driver':
      return event.driverId === user.id || event.formerDriverId === user.id
    default:
      return false
  }
}

/** The same as a condition on rows. */
export function visibleTo({ user }: Actor): SQL {
  if (!user) return sql`false`
  const carried = inArray(
    notifications.kind,
    kinds.filter((kind) => isCarriedTo(kind, user)),
  )
  const reachedConversation = sql`exists (select from ${contacts}
    where ${contacts.id} = ${notifications.contactId} and ${inReach({ user })})`
  const isOfConversation = inArray(notifications.kind, conversationKinds)
  return and(carried, or(inScope(user), and(isOfConversation, reachedConversation))) ?? sql`false`
}

function inScope(user: ActorUser): SQL | undefined {
  if (user.role === 'super_admin') return sql`true`
  if (user.vendorId === null) return sql`false`
  const ofVendor = eq(notifications.vendorId, user.vendorId)
  switch (user.role) {
    case 'vendor_admin':
    case 'vendor_staff':
      return ofVendor
    case 'vendor_sales':
      return and(ofVendor, eq(notifications.agentId, user.id))
    case 'driver':
      return and(ofVendor, or(eq(notifications.driverId, user.id), eq(notifications.formerDriverId, user.id)))
    default:
      return sql`false`
  }
}
