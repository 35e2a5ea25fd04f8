import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idParams, instant, rowIdNumber } from './ids.ts'
import { langs } from './lang.ts'
import { orderStatuses } from './order-status.ts'
import { page, pageQuery, wholeNumberQuery } from './page.ts'
import { phoneInput } from './phone.ts'
import { freeText } from './text.ts'
import { message, messageStatuses, person, senders } from './whatsapp-message.ts'

/** Maximum text length of WhatsApp. */
export const LONGEST_MESSAGE = 4096
export const LONGEST_NOTE = 2000
export const MOST_PAUSE_HOURS = 72

const lastMessage = z.object({
  id: z.number(),
  direction: z.enum(['incoming', 'outgoing']),
  type: z.string(),
  text: z.string(),
  status: z.enum(messageStatuses),
  by: z.enum(senders),
  at: instant,
})

/** A conversation in the list. */
export const conversation = z.object({
  contactId: z.number(),
  /** Null for accounts that hide their phone. */
  phone: z.nullable(z.string()),
  businessScopedId: z.nullable(z.string()),
  name: z.nullable(z.string()),
  language: z.nullable(z.enum(langs)),
  last: z.nullable(lastMessage),
  lastActivity: instant,
  unreadCount: z.number(),
  assignedTo: z.nullable(person),
  /** End of the bot's pause while staff answer; null if the bot answers. */
  pausedUntil: z.nullable(instant),
  pausedBy: z.nullable(person),
  /** Time since which the customer has waited for staff. */
  waitingSince: z.nullable(instant),
  waitingReason: z.nullable(z.string()),
  /** End of the period in which free-form messages are accepted; null if the customer never wrote. */
  windowEndsAt: z.nullable(instant),
  isWindowOpen: z.boolean(),
  optedOutAt: z.nullable(instant),
})
export type Conversation = z.output<typeof conversation>

export const conversationViews = [
  'all',
  'unread',
  'waiting',
  'mine',
  'unassigned',
  'person',
  'bot',
  'opted-out',
] as const
export type ConversationView = (typeof conversationViews)[number]

const admin = { allow: 'super', permissions: ['whatsapp.read'] } as const
const writing = { allow: 'super', permissions: ['whatsapp.read', 'whatsapp.write'] } as const
const BASE = '/api/admin/whatsapp/conversations'
/** A contact's id or its phone. */
const contactParams = z.object({ contact: z.string().check(z.maxLength(40)) })

export const listConversations = endpoint({
  method: 'GET',
  path: BASE,
  ...admin,
  summary: 'Conversations, the latest first',
  query: z.extend(pageQuery, {
    view: z._default(z.enum(conversationViews), 'all'),
    /** Name, phone or text, normalized before the comparison; or the id of an order. */
    search: z.optional(z.string().check(z.maxLength(100))),
    sort: z._default(z.enum(['latest', 'unread']), 'latest'),
  }),
  returns: z.extend(page(conversation), {
    /** Counts over all conversations, independent of the filters. */
    counts: z.object({ unread: z.number(), waiting: z.number(), mine: z.number() }),
    now: instant,
  }),
})

export const listMessages = endpoint({
  method: 'GET',
  path: `${BASE}/{contact}/messages`,
  ...admin,
  summary: 'Messages of a conversation, newest first; `before` an id returns older ones',
  params: contactParams,
  query: z.extend(pageQuery, { before: z.optional(wholeNumberQuery(1, 2_147_483_647)) }),
  returns: page(message),
  errors: ['CONTACT_NOT_FOUND'],
})

export const note = z.object({ id: z.number(), body: z.string(), by: z.nullable(person), at: instant })
export type Note = z.output<typeof note>

/** An action on a conversation, from its history. */
export const conversationAct = z.object({
  id: z.number(),
  act: z.enum(['taken-over', 'handed-back', 'assigned', 'released', 'opted-out', 'opted-in']),
  by: z.nullable(person),
  /** The new assignee. */
  to: z.nullable(person),
  at: instant,
})
export type ConversationAct = z.output<typeof conversationAct>

export const orderBeside = z.object({
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
    }),
  ),
  itemCount: z.number(),
})
export type OrderBeside = z.output<typeof orderBeside>

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
  /** Newest first. */
  orders: z.array(orderBeside),
  /** Newest first; not visible to the customer. */
  notes: z.array(note),
  acts: z.array(conversationAct),
  now: instant,
})
export type ConversationDetail = z.output<typeof conversationDetail>

export const getConversation = endpoint({
  method: 'GET',
  path: `${BASE}/{contact}`,
  ...admin,
  summary: 'One conversation with its contact, orders, notes and history',
  params: contactParams,
  returns: conversationDetail,
  errors: ['CONTACT_NOT_FOUND'],
})

const templateChoice = z.object({
  name: z.string().check(z.minLength(1, 'validation.required'), z.maxLength(512)),
  language: z.string().check(z.minLength(2, 'validation.required'), z.maxLength(10)),
  /** Values of the body in order, then of the header and buttons, in the order of the template list. */
  variables: z._default(z.array(freeText(1024)).check(z.maxLength(30)), []),
})

export const sendReply = endpoint({
  method: 'POST',
  path: `${BASE}/{contact}/messages`,
  ...writing,
  summary:
    'Reply with text within 24 hours of the customer’s last message, else with a template; takes an Idempotency-Key',
  params: contactParams,
  body: z
    .object({
      body: z.optional(freeText(LONGEST_MESSAGE).check(z.minLength(1, 'validation.text'))),
      template: z.optional(templateChoice),
    })
    .check(
      z.refine(({ body, template }) => (body === undefined) !== (template === undefined), {
        path: ['body'],
        message: 'validation.required',
      }),
    ),
  returns: message,
  errors: [
    'CONTACT_NOT_FOUND',
    'SERVICE_WINDOW_CLOSED',
    'MESSAGE_REFUSED',
    'TEMPLATE_NOT_AVAILABLE',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

export const startConversation = endpoint({
  method: 'POST',
  path: BASE,
  ...writing,
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
  ...admin,
  summary: 'A customer’s picture, re-encoded, by the id of its message',
  params: idParams,
  produces: 'image/webp',
  returns: z.unknown(),
  errors: ['MESSAGE_NOT_FOUND'],
})

export const retryMessage = endpoint({
  method: 'POST',
  path: `${BASE}/{contact}/messages/{id}/retry`,
  ...writing,
  summary: 'Send a failed message again; repeated requests send it once',
  params: z.extend(contactParams, { id: z.string().check(z.maxLength(10)) }),
  returns: message,
  errors: ['CONTACT_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'MESSAGE_NOT_FAILED', 'SERVICE_WINDOW_CLOSED'],
})

export const readConversation = endpoint({
  method: 'POST',
  path: `${BASE}/{contact}/read`,
  ...writing,
  summary: 'Mark incoming messages as read, up to the last one seen',
  params: contactParams,
  body: z.optional(z.object({ upTo: z.optional(rowIdNumber) })),
  returns: z.object({ unreadCount: z.number() }),
  errors: ['CONTACT_NOT_FOUND'],
})

export const assignConversation = endpoint({
  method: 'PUT',
  path: `${BASE}/{contact}/assignment`,
  ...writing,
  summary: 'Assign the conversation; null removes the assignment',
  params: contactParams,
  body: z.object({ userId: z.nullable(rowIdNumber) }),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND', 'USER_NOT_FOUND'],
})

export const takeOver = endpoint({
  method: 'POST',
  path: `${BASE}/{contact}/takeover`,
  ...writing,
  summary: 'Pause the bot for a number of hours',
  params: contactParams,
  body: z.optional(
    z.object({
      hours: z.optional(z.int().check(z.gte(1, 'validation.number'), z.lte(MOST_PAUSE_HOURS, 'validation.number'))),
    }),
  ),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND'],
})

export const handBack = endpoint({
  method: 'POST',
  path: `${BASE}/{contact}/handback`,
  ...writing,
  summary: 'Resume the bot',
  params: contactParams,
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND'],
})
