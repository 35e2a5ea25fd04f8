import * as z from 'zod/mini'
import { instantInput } from '../../calendar/dates.ts'
import { endpoint } from '../../endpoint.ts'
import { done, instant, rowIdNumber } from '../../lib/ids.ts'
import { freeText } from '../../lib/text.ts'
import { mayRead, mayReply } from '../access.ts'
import { contactParams, conversation, MOST_PAUSE_HOURS } from './inbox.ts'
import { person } from './message.ts'

/** What staff do with a conversation besides answering: assign, take over, resolve, snooze, label, and their presence. */
const BASE = '/api/admin/whatsapp/conversations/{contact}'

export const listAnswerers = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/people',
  ...mayRead,
  summary: 'Staff to whom a conversation can be assigned, with the number of their open conversations',
  query: z.object({
    /** Only those who reach the conversation with this contact. */
    contact: z.optional(z.string().check(z.maxLength(40))),
  }),
  returns: z.array(z.extend(person, { openCount: z.number() })),
  errors: ['CONTACT_NOT_FOUND'],
})

export const assignConversation = endpoint({
  method: 'PUT',
  path: `${BASE}/assignment`,
  ...mayReply,
  summary: 'Assign the conversation, null to nobody; refused if meanwhile somebody else has it than `from`',
  params: contactParams,
  body: z.object({ userId: z.nullable(rowIdNumber), from: z.nullable(rowIdNumber) }),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND', 'USER_NOT_FOUND', 'CONVERSATION_TAKEN'],
})

export const takeOver = endpoint({
  method: 'POST',
  path: `${BASE}/takeover`,
  ...mayReply,
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
  path: `${BASE}/handback`,
  ...mayReply,
  summary: 'Resume the bot',
  params: contactParams,
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND'],
})

export const resolveConversation = endpoint({
  method: 'POST',
  path: `${BASE}/resolve`,
  ...mayReply,
  summary: 'Mark as done until the customer writes again; refused if the customer wrote after `upTo`',
  params: contactParams,
  body: z.object({
    /** The last message seen; null for none. */
    upTo: z.nullable(rowIdNumber),
  }),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND', 'CONVERSATION_CHANGED'],
})

export const reopenConversation = endpoint({
  method: 'POST',
  path: `${BASE}/reopen`,
  ...mayReply,
  summary: 'Undo “done”: the conversation is as before',
  params: contactParams,
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND'],
})

export const MOST_SNOOZE_DAYS = 30

export const snoozeConversation = endpoint({
  method: 'PUT',
  path: `${BASE}/snooze`,
  ...mayReply,
  summary: 'Put the conversation aside until a time, at most 30 days ahead; null ends it',
  params: contactParams,
  body: z.object({
    until: z.nullable(instantInput),
  }),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND', 'SNOOZE_NOT_AVAILABLE'],
})

export const MOST_LABELS = 6
export const LONGEST_LABEL = 24
export const label = freeText(LONGEST_LABEL).check(
  z.minLength(1, 'validation.required'),
  z.refine((text) => !text.includes('\n'), 'validation.text'),
)

export const changeLabels = endpoint({
  method: 'PATCH',
  path: `${BASE}/labels`,
  ...mayReply,
  summary: 'Add and remove labels of the conversation',
  params: contactParams,
  body: z.object({
    add: z._default(z.array(label).check(z.maxLength(MOST_LABELS)), []),
    remove: z._default(z.array(label).check(z.maxLength(MOST_LABELS)), []),
  }),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND', 'LABELS_FULL'],
})

export const listLabels = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/labels',
  ...mayRead,
  summary: 'Labels of the caller’s conversations, the most used first',
  returns: z.array(z.object({ label: z.string(), count: z.number() })),
})

export const muteConversation = endpoint({
  method: 'PUT',
  path: `${BASE}/mute`,
  ...mayReply,
  summary: 'Set whether the caller gets sound and push for messages of the conversation',
  params: contactParams,
  body: z.object({ isMuted: z.boolean() }),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND'],
})

export const changeOptOut = endpoint({
  method: 'PUT',
  path: `${BASE}/opt-out`,
  ...mayReply,
  summary: 'Set whether the contact receives campaigns; replies and order updates are always sent',
  params: contactParams,
  body: z.object({ isOut: z.boolean() }),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND'],
})

export const LONGEST_REASON = 200

export const blockContact = endpoint({
  method: 'PUT',
  path: `${BASE}/block`,
  ...mayReply,
  summary: 'Block the contact, for all by the market’s staff, else for the own vendor; without a reason unblock',
  params: contactParams,
  body: z.object({
    reason: z.nullable(freeText(LONGEST_REASON).check(z.minLength(1, 'validation.required'))),
  }),
  returns: conversation,
  errors: ['CONTACT_NOT_FOUND'],
})

const duty = z.object({ isAway: z.boolean() })

export const getDuty = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/duty',
  ...mayReply,
  summary: 'Whether the caller is off duty: no conversation comes to them in turn',
  returns: duty,
})

export const changeDuty = endpoint({
  method: 'PUT',
  path: '/api/admin/whatsapp/duty',
  ...mayReply,
  summary: 'Go on or off duty; what waits for somebody who is gone returns to the queue',
  body: duty,
  returns: duty,
})

export const presenceStates = ['looking', 'typing', 'gone'] as const

/** A presence that is not renewed within this time has ended. */
export const PRESENCE_SECONDS = 30

/** Event `presence` of the stream: somebody looks at a conversation or types an answer. */
export const presence = z.object({
  contactId: z.number(),
  user: person,
  state: z.enum(presenceStates),
  at: instant,
})
export type Presence = z.output<typeof presence>

export const reportPresence = endpoint({
  method: 'POST',
  path: `${BASE}/presence`,
  ...mayReply,
  summary: 'Tell colleagues that the caller looks at the conversation or types; ends by itself after 30 seconds',
  params: contactParams,
  body: z.object({ state: z.enum(presenceStates) }),
  returns: done,
  errors: ['CONTACT_NOT_FOUND'],
})
