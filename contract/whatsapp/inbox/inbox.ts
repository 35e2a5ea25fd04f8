import * as z from 'zod/mini'
import { contactBottles } from '../../bottles-admin.ts'
import { endpoint } from '../../endpoint.ts'
import { idParams, instant, rowIdNumber } from '../../lib/ids.ts'
import { langs } from '../../lib/lang.ts'
import { page, pageQuery, wholeNumberQuery } from '../../lib/page.ts'
import { phoneInput } from '../../lib/phone.ts'
import { freeText } from '../../lib/text.ts'
import { orderStatuses } from '../../orders/order-status.ts'
import { referral } from '../../users/referral.ts'
import { mayManage, mayRead, mayReply } from '../access.ts'
import { message, messageStatuses, person, senders } from './message.ts'
import { replyBody, templateChoice } from './reply.ts'

export const LONGEST_NOTE = 2000
export const MOST_PAUSE_HOURS = 72
/** Conversations counted beyond the current page. A total at this limit means "or more". */
export const CONVERSATIONS_COUNTED_AHEAD = 200

const lastMessage = z.object({
  id: z.number(),
  direction: z.enum(['incoming', 'outgoing']),
  type: z.string(),
  text: z.string(),
  status: z.enum(messageStatuses),
  by: z.enum(senders),
  at: instant,
})

const block = z.object({ at: instant, by: z.nullable(person), reason: z.nullable(z.string()), mayEnd: z.boolean() })

/** A conversation in the list. */
export const conversation = z.object({
  contactId: z.number(),
  /** Null for accounts that hide their phone. */
  phone: z.nullable(z.string()),
  businessScopedId: z.nullable(z.string()),
  name: z.nullable(z.string()),
  language: z.nullable(z.enum(langs)),
  /** The last message; the customer's own while the customer waits for staff. */
  last: z.nullable(lastMessage),
  lastActivity: instant,
  /** Messages for staff that no one has read; those that the bot answers are not counted. */
  unreadCount: z.number(),
  assignedTo: z.nullable(person),
  /** End of the bot's pause while staff answer; null if the bot answers. */
  pausedUntil: z.nullable(instant),
  pausedBy: z.nullable(person),
  /** Time since which the customer has waited for staff; null for a conversation that is done. */
  waitingSince: z.nullable(instant),
  waitingReason: z.nullable(z.string()),
  /** The order that the customer complains about. */
  waitingOrderId: z.nullable(z.string()),
  /** Of a customer who waits: that order, else the latest one on its way, if the caller manages it. */
  orderId: z.nullable(z.string()),
  /** End of the period in which free-form messages are accepted; null if the customer never wrote. */
  windowEndsAt: z.nullable(instant),
  isWindowOpen: z.boolean(),
  optedOutAt: z.nullable(instant),
  /** Staff have put it aside until then. */
  snoozedUntil: z.nullable(instant),
  /** Done until the customer writes again. */
  doneAt: z.nullable(instant),
  labels: z.array(z.string()),
  /** The caller gets neither sound nor push for it. */
  isMuted: z.boolean(),
  /** Waits for none of the caller's, and for nobody if all vendors blocked it. Only who sees the person sees the reason. */
  blocked: z.nullable(block),
})
export type Conversation = z.output<typeof conversation>

export const conversationViews = [
  'waiting',
  'mine',
  'all',
  'done',
  'unread',
  'snoozed',
  'unassigned',
  'person',
  'bot',
  'opted-out',
  'blocked',
] as const
export type ConversationView = (typeof conversationViews)[number]

const BASE = '/api/admin/whatsapp/conversations'
/** A contact's id or its phone. */
export const contactParams = z.object({ contact: z.string().check(z.maxLength(40)) })

export const listConversations = endpoint({
  method: 'GET',
  path: BASE,
  ...mayRead,
  summary: 'Conversations, the latest first; those that wait with the oldest first',
  query: z.extend(pageQuery, {
    view: z._default(z.enum(conversationViews), 'all'),
    /** Name, phone or text, normalized before the comparison; or the id of an order. Finds the latest few hundred. */
    search: z.optional(z.string().check(z.maxLength(100))),
    sort: z._default(z.enum(['latest', 'unread']), 'latest'),
  }),
  returns: z.extend(page(conversation), {
    /** Of all conversations that the person reaches; `waiting`, and `late` of them, without those that others have. */
    counts: z.object({ unread: z.number(), waiting: z.number(), mine: z.number(), late: z.number() }),
    /** Minutes of waiting after which a customer is late. */
    waitMinutes: z.number(),
  }),
})

export const listMessages = endpoint({
  method: 'GET',
  path: `${BASE}/{contact}/messages`,
  ...mayRead,
  summary: 'Messages of a conversation, newest first; `before` an id returns older ones',
  params: contactParams,
  query: z.extend(pageQuery, { before: z.optional(wholeNumberQuery(1, 2_147_483_647)) }),
  returns: page(message),
  errors: ['CONTACT_NOT_FOUND'],
})

export const note = z.object({ id: z.number(), body: z.string(), by: z.nullable(person), at: instant })
export type Note = z.output<typeof note>

export const conversationActions = [
  'taken-over',
  'handed-back',
  'cart-sent',
  'cart-changed',
  'assigned',
  'released',
  'resolved',
  'reopened',
  'snoozed',
  'opted-out',
  'opted-in',
  'blocked',
  'unblocked',
  'exported',
] as const

/** An action on a conversation, from its history. */
export const conversationAction = z.object({
  id: z.number(),
  act: z.enum(conversationActions),
  by: z.nullable(person),
  /** The new assignee. */
  to: z.nullable(person),
  at: instant,
})
export type ConversationAction = z.output<typeof conversationAction>

export const contactOrder = z.object({
  id: z.string(),
  status: z.enum(orderStatuses),
  vendorId: z.number(),
  vendorName: z.string(),
  vendorNameAr: z.nullable(z.string()),
  driverName: z.nullable(z.string()),
  /** BHD */
  total: z.number(),
  promisedDate: z.string(),
  areaName: z.nullable(z.string()),
  areaNameAr: z.nullable(z.string()),
  createdAt: instant,
  /** The first items only. */
  items: z.array(
    z.object({
      name: z.string(),
      nameAr: z.nullable(z.string()),
      size: z.nullable(z.string()),
      imageUrl: z.nullable(z.string()),
      quantity: z.number(),
      inventoryUnit: z.nullable(z.string()),
      inventoryUnitAr: z.nullable(z.string()),
      unitsPerInventoryUnit: z.number(),
    }),
  ),
  itemCount: z.number(),
})
export type ContactOrder = z.output<typeof contactOrder>

export const conversationDetail = z.extend(conversation, {
  account: z.nullable(
    z.object({
      id: z.number(),
      name: z.nullable(z.string()),
      orderCount: z.number(),
      /** BHD */
      spend: z.number(),
      marketingConsent: z.boolean(),
      consentAt: z.nullable(instant),
    }),
  ),
  optOutSource: z.nullable(z.string()),
  /** The last ad or post that the customer came from. */
  referral: z.nullable(z.extend(referral, { at: instant })),
  /** Newest first. */
  orders: z.array(contactOrder),
  /** By vendor and type, of the vendor of the staff alone. */
  bottles: z.array(contactBottles),
  /** Newest first; not visible to the customer. */
  notes: z.array(note),
  acts: z.array(conversationAction),
})
export type ConversationDetail = z.output<typeof conversationDetail>

export const getConversation = endpoint({
  method: 'GET',
  path: `${BASE}/{contact}`,
  ...mayRead,
  summary: 'One conversation with its contact, orders, bottles, notes and history',
  params: contactParams,
  returns: conversationDetail,
  errors: ['CONTACT_NOT_FOUND'],
})

export const sendReply = endpoint({
  method: 'POST',
  path: `${BASE}/{contact}/messages`,
  ...mayReply,
  summary:
    'Reply within 24 hours of the customer’s last message with text, an uploaded file, a place or a reaction, else with a template; takes an Idempotency-Key',
  params: contactParams,
  body: replyBody,
  returns: message,
  errors: [
    'CONTACT_NOT_FOUND',
    'SERVICE_WINDOW_CLOSED',
    'MESSAGE_REFUSED',
    'TEMPLATE_NOT_AVAILABLE',
    'MESSAGE_NOT_FOUND',
    'FILE_GONE',
    'IDEMPOTENCY_KEY_REUSED',
    'CONVERSATION_ANSWERED',
  ],
})

export const startConversation = endpoint({
  method: 'POST',
  path: BASE,
  ...mayManage,
  summary: 'Start a conversation with a number, by template only; takes an Idempotency-Key',
  body: z.object({ phone: phoneInput, template: templateChoice }),
  returns: conversation,
  errors: [
    'CONTACT_OPTED_OUT',
    'PHONE_NOT_REACHED',
    'MESSAGE_REFUSED',
    'TEMPLATE_NOT_AVAILABLE',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

export const getMessagePicture = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/pictures/{id}',
  ...mayRead,
  summary: 'A customer’s picture, re-encoded, by the id of its message',
  params: idParams,
  produces: 'image/webp',
  returns: z.unknown(),
  errors: ['MESSAGE_NOT_FOUND'],
})

export const retryMessage = endpoint({
  method: 'POST',
  path: `${BASE}/{contact}/messages/{id}/retry`,
  ...mayReply,
  summary: 'Send a failed message again; repeated requests send it once',
  params: z.extend(contactParams, { id: z.string().check(z.maxLength(10)) }),
  returns: message,
  errors: ['CONTACT_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'MESSAGE_NOT_FAILED', 'SERVICE_WINDOW_CLOSED'],
})

export const readConversation = endpoint({
  method: 'POST',
  path: `${BASE}/{contact}/read`,
  ...mayReply,
  summary: 'Mark incoming messages as read, up to the last one seen',
  params: contactParams,
  body: z.optional(z.object({ upTo: z.optional(rowIdNumber) })),
  returns: z.object({ unreadCount: z.number() }),
  errors: ['CONTACT_NOT_FOUND'],
})

export const addNote = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/conversations/{contact}/notes',
  ...mayReply,
  summary: 'Add an internal note to a conversation',
  params: contactParams,
  body: z.object({ body: freeText(LONGEST_NOTE).check(z.minLength(1, 'validation.text')) }),
  returns: note,
  errors: ['CONTACT_NOT_FOUND'],
})
