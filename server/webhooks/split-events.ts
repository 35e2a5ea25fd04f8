import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { WebhookEventType } from '@qatra/contract/whatsapp/connection/webhooks'
import { ECHOES, personFields, typeOfField } from './fields.ts'
import { maskPhones } from './masking.ts'
import { depthOf, type Json, objectOf, objectsIn, textOf } from './parse-json.ts'
import { type Parties, partiesOf } from './parties.ts'

/** One event of a call, as stored. */
export interface NewEvent extends Parties {
  webhookId: string
  eventType: WebhookEventType
  field: string | null
  phoneNumberId: string | null
  businessAccountId: string | null
  /** A call's change that contains only this event. */
  rawPayload: string
  /** Why the event cannot be processed, if known when it is stored. */
  problem: string | null
}

const DEEPEST = 40
const KEPT_OF_UNREADABLE = 20_000

const hash = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

/** All events of a call: entries × changes × messages, receipts and others. Unreadable parts become events too. */
export function eventsOf(bytes: Buffer): NewEvent[] {
  const body = bodyOf(bytes)
  if (typeof body === 'string') return [unreadable(bytes, body)]
  const entries = objectsIn(body['entry'])
  const events = entries.flatMap((entry) =>
    objectsIn(entry['changes']).flatMap((change) => eventsOfChange(change, entry)),
  )
  if (events.length === 0) return [{ ...unreadable(bytes, 'There is no change in it'), eventType: 'unknown' }]
  // The same event twice in one call is stored once.
  return [...new Map(events.map((event) => [event.webhookId, event])).values()]
}

function bodyOf(bytes: Buffer): Json | string {
  if (depthOf(bytes) > DEEPEST) return 'It is nested too deeply'
  if (!isUtf8(bytes)) return 'It is no UTF-8'
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? objectOf(value) : 'It is no object'
  } catch {
    return 'It is no JSON'
  }
}

const unreadable = (bytes: Buffer, problem: string): NewEvent => ({
  webhookId: `unreadable:${hash(bytes)}`,
  eventType: 'unreadable',
  field: null,
  phoneNumberId: null,
  businessAccountId: null,
  rawPayload: bytes.subarray(0, KEPT_OF_UNREADABLE).toString('utf8').replaceAll('\u0000', '\uFFFD').toWellFormed(),
  ...partiesOf({}),
  problem,
})

function eventsOfChange(change: Json, entry: Json): NewEvent[] {
  const businessAccountId = textOf(entry['id'], 100)
  const field = textOf(change['field'], 100)
  const value = objectOf(change['value'])
  const phoneNumberId = textOf(objectOf(value['metadata'])['phone_number_id'], 100)
  const isPersonal = personFields.some((one) => one === field)
  const hasOwnTime = field === 'messages' || isPersonal
  /** `stored` is the payload to store, if it differs from `part`. */
  const make = (eventType: WebhookEventType, part: Json, key: string | null, stored = part): NewEvent => {
    // Of two equal changes of the account or a template, such as a second pause, only the time differs.
    const rawPayload = JSON.stringify({ field, value: stored, time: hasOwnTime ? undefined : entry['time'] })
    const webhookId = key !== null && key.length <= 300 ? storable(key) : `${eventType}:${hash(rawPayload)}`
    const parties = partiesOf({ field, value: part })
    return { webhookId, eventType, field, phoneNumberId, businessAccountId, rawPayload, ...parties, problem: null }
  }
  if (field === ECHOES) {
    const { message_echoes: echoes, ...rest } = value
    return objectsIn(echoes).map((echo) => {
      const id = textOf(echo['id'], 250)
      return make('message', { ...rest, message_echoes: [echo] }, id === null ? null : `echo:${id}`)
    })
  }
  if (field !== 'messages') {
    const parts = field !== null && isPersonal ? partsByPerson(value, field) : [value]
    return parts.map((part) => make(typeOfField(field), part, null))
  }

  const { messages, statuses, contacts, errors, ...rest } = value
  const people = objectsIn(contacts)
  const ofMessages = objectsIn(messages).map((message) => {
    const writer = people.find((one) => isWriter(one, message)) ?? (people.length === 1 ? people[0] : undefined)
    const id = textOf(message['id'], 250)
    const part = { ...rest, contacts: writer ? [writer] : [], messages: [message] }
    return make('message', part, id === null ? null : `message:${id}`)
  })
  const ofStatuses = objectsIn(statuses).map((status) => {
    const [id, name] = [textOf(status['id'], 250), textOf(status['status'], 30)]
    const key = id === null || name === null ? null : `status:${id}:${name}`
    const recipient = people.filter((one) => one['wa_id'] === status['recipient_id'])
    const part = { ...rest, contacts: recipient, statuses: [status] }
    return make('status', part, key, { ...rest, statuses: [withoutRecipient(status)] })
  })
  const ofErrors = objectsIn(errors).length > 0 ? [make('account', { ...rest, errors }, null)] : []
  const all = [...ofMessages, ...ofStatuses, ...ofErrors]
  return all.length > 0 ? all : [make('unknown', value, null)]
}

/** Splits into one event per person, so that each can be exported and erased separately. */
function partsByPerson(value: Json, field: string): Json[] {
  const { contacts, ...rest } = value
  const people = objectsIn(contacts)
  const all = objectsIn(value[field])
  if (all.length < 2) return [value]
  return all.map((one) => ({
    ...rest,
    contacts: people.filter((person) => person['wa_id'] === one['wa_id']),
    [field]: [one],
  }))
}

/** Removes the recipient from the payload, which staff can read; the column keeps it. */
const withoutRecipient = (status: Json) => {
  const hidden = (name: string) => (name in status ? { [name]: maskPhones(status[name]) } : {})
  return { ...status, ...hidden('recipient_id'), ...hidden('recipient_user_id') }
}

const isWriter = (person: Json, message: Json) =>
  (typeof message['from'] === 'string' && person['wa_id'] === message['from']) ||
  (typeof message['from_user_id'] === 'string' && person['user_id'] === message['from_user_id'])

const storable = (text: string) => text.replaceAll('\u0000', '\uFFFD').toWellFormed()
