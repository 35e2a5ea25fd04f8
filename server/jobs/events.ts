import type { OrderStatus } from '@qatra/contract/orders/order-status'
import type { ConversationAction } from '@qatra/contract/whatsapp/inbox/inbox'

/** What `emit` adds to every event: what was changed, and by whom; null if by nobody. */
export interface Emitted<Id extends string | number = string | number> {
  id: Id
  by: number | null
}
type OrderEvent = Emitted<string>

interface OrderMoved extends OrderEvent {
  to: OrderStatus
  version: number
}

interface OrderEdited extends OrderEvent {
  editor: 'customer' | 'staff'
  version: number
  /** The number of the edit, from 1. */
  edit: number
}

interface AboutConversation {
  contactId: number
}

interface AboutCampaign {
  campaignId: string
}

/** An empty payload, to which a job adds the event's name. */
interface Nothing {
  id?: never
}

/** Changes that the history records and that no queue follows. */
type Unfollowed =
  | `api-key.${'created' | 'revoked'}`
  | `area.${'created' | 'updated' | 'deleted'}`
  | `block.${'imported' | 'deleted'}`
  | `bot-alias.${'created' | 'deleted'}`
  | `bot-answer.${'created' | 'updated' | 'deleted' | 'reset'}`
  | `bot-miss.${'dismissed' | 'restored'}`
  | 'business.updated'
  | `campaign.${'created' | 'updated' | 'deleted' | 'scheduled' | 'started' | 'paused' | 'resumed' | 'cancelled' | 'settled'}`
  | `bottle-type.${'created' | 'updated'}`
  | `canned-reply.${'created' | 'updated' | 'deleted'}`
  | `cash.${'closed' | 'reopened' | 'written-off'}`
  | `closure.${'created' | 'deleted'}`
  | 'connection.reset'
  | `conversation.${ConversationAction['act'] | 'labelled' | 'noted'}`
  | `customer.${'note-added' | 'note-removed' | 'tagged' | 'asked' | 'bottles-entered'}`
  | `customers.${'imported' | 'import-undone'}`
  | `holiday.${'created' | 'deleted'}`
  | `impersonation.${'started' | 'ended'}`
  | `invitation.${'accepted' | 'declined' | 'withdrawn'}`
  | `jobs.${'retried' | 'discarded'}`
  | 'legacy.retried'
  | `link.${'made' | 'revoked'}`
  | 'list.exported'
  | `order-view.${'created' | 'deleted'}`
  | `product.${'imported' | 'deleted'}`
  | 'settings.updated'
  | `template.${'created' | 'updated' | 'deleted'}`
  | `templates.${'submitted' | 'synced'}`
  | 'test-order.deleted'
  | `user.${'created' | 'updated' | 'erased' | 'owner-claimed' | 'role-changed' | 'signed-in' | 'signed-out'}`
  | `user.passkey-${'added' | 'removed' | 'renamed' | 'recovered'}`
  | `user.${'telegram-linked' | 'telegram-unlinked'}`
  | 'van.counted'
  | `webhook.${'replayed' | 'created' | 'updated' | 'deleted' | 'tested' | 'resent' | 'stopped'}`
  | `whatsapp.${'subscribed' | 'keys-changed'}`

/**
 * All events, with what their jobs contain: ids and plain values, no personal data. Jobs of an earlier version wait in
 * the queues after an upgrade, so a field is added, never renamed. Events with `id` and `by` are recorded in the history
 * by `emit`, the others are announced by `publish`.
 */
export interface Events
  extends Record<Unfollowed, Emitted>,
    Record<`order.${'noted' | 'day-confirmed'}`, OrderEvent>,
    Record<
      `visit.${'created' | 'requested' | 'updated' | 'done' | 'failed' | 'undone' | 'deleted'}`,
      Emitted & { vendorId: number; driverId: number | null; formerDriverId: number | null }
    >,
    Record<`vendor.${'created' | 'updated' | 'deleted' | 'areas'}`, Emitted & { vendorId: number }> {
  'account.alarm': Nothing
  /** The provider's news about the WhatsApp account. */
  'account.reported': {
    field: string
    /** The provider's name of the event. */
    name: string
    severity: 'info' | 'warning' | 'critical'
    tier: string | null
    text: string | null
    isFlagged: number | null
    webhookEventId: number
    at: string
  }
  /** `vendorId` null: of all vendors. `onBehalfOf`: whom the author impersonated. */
  'calendar.day-closed': { day: string; vendorId: number | null; by: number | null; onBehalfOf: number | null }
  'campaign.changed': AboutCampaign
  'campaign.stopped': AboutCampaign
  'connection.changed': Nothing
  'conversation.changed': AboutConversation
  /** The customer has waited longer than the office allows; once for each wait. */
  'conversation.late': AboutConversation
  'conversation.read': AboutConversation
  'conversation.waiting': AboutConversation
  'invitation.sent': Emitted & { invitationId: number }
  'link.opened': { linkId: number }
  'message.failed': { messageId: number }
  /** `isAwaited`: the customer waits for staff. `isForPerson`: a person could answer it. */
  'message.received': { messageId: number; contactId: number; isAwaited: boolean; isForPerson: boolean }
  'message.revoked': { messageId: number; contactId: number }
  'message.status-changed': { messageId: number; contactId: number | null; status: string }
  /** Somebody agreed to offers in the profile. */
  'offers.agreed': { userId: number }
  'order.address-changed': OrderEdited
  /** `attempts`: failed ones on all days. */
  'order.attempted': OrderEvent & { driverId: number | null; attempts: number }
  /** PO number or branch. */
  'order.buyer-changed': OrderEvent & { version: number }
  'order.call-requested': OrderEvent
  'order.cancelled': OrderMoved
  'order.confirmation-asked': OrderEvent & { reference: string; version: number }
  'order.driver-assigned': OrderEvent & { driverId: number; formerDriverId: number | null; version: number }
  'order.driver-left': OrderEvent & { driverId: null; formerDriverId: number; version: number }
  'order.driver-removed': OrderEvent & { driverId: null; formerDriverId: number | null; version: number }
  'order.items-changed': OrderEdited
  'order.payment-changed': OrderEvent & { version: number }
  'order.placed': OrderMoved
  /** `isFirstBad`: the first time that something of the order is rated as bad. */
  'order.rated': OrderEvent & { isFirstBad: boolean }
  'order.receipt-asked': { id: string; reference: string }
  'order.rescheduled': OrderMoved & { mover: 'customer' | 'staff' | 'closure' }
  'order.status-changed': OrderMoved
  'order.terms-agreed': OrderEvent
  'product.created': Emitted
  'product.updated': Emitted
  'telegram.group-lost': Nothing
  'template.changed': {
    providerId: string | null
    name: string
    language: string
    field: 'status' | 'quality' | 'category' | 'next-category'
    to: string
    reason: string | null
    at: string
  }
}

export type EventName = keyof Events
/** Names of events that `emit` records. */
export type EmittedName = { [Name in EventName]: Events[Name] extends Emitted ? Name : never }[EventName]

type ActionIn<Subject extends string, Name> = Name extends `${Subject}.${infer Action}` ? Action : never
/** `created`, `deleted` … of a subject: `area`. */
export type ActionOf<Subject extends string> = ActionIn<Subject, EmittedName>

/** The data of an event's job. */
export type EventJob<Name extends EventName> = { [One in Name]: { event: One } & Events[One] }[Name]

/** What filters and delays of an event are asked about, where it is more than its job contains. */
interface FilterInputs {
  'message.failed': { code: string | null }
  'message.received': { type: string; content: string; parts: { id?: string } }
  'message.status-changed': Events['message.status-changed'] & { sentBy: string }
}
export type FilterInput<Name extends EventName> = Name extends keyof FilterInputs ? FilterInputs[Name] : EventJob<Name>
