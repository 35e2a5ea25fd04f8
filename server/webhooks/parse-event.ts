import { cut, fit } from '@qatra/contract/lib/fit'
import type { MessageChange } from '../conversations/changes.commands.ts'
import type { Echo, Received, Sender } from '../conversations/received.ts'
import type { FailureKind, MessagePricing, Receipt } from '../providers/provider.ts'
import { policyOf } from '../providers/whatsapp-cloud/error-policy.ts'
import { accountFields, ECHOES, templateFields } from './fields.ts'
import { type AccountNews, accountNews } from './parse-account.ts'
import { type Content, contentOf } from './parse-content.ts'
import { referralIn } from './parse-forms.ts'
import {
  type Json,
  numberOf,
  objectOf,
  objectsIn,
  phoneIn,
  scopedIdIn,
  senderIn,
  textOf,
  timeIn,
} from './parse-json.ts'
import { type TemplateNews, templateNews } from './parse-template.ts'

/** Parsed meaning of an event. */
export type ParsedEvent =
  | { kind: 'message'; message: Received }
  | { kind: 'change'; change: MessageChange }
  | { kind: 'echo'; message: Echo }
  | { kind: 'receipt'; receipt: ReceiptNews }
  | { kind: 'number'; from: Sender; phone: string | null; businessScopedId: string | null }
  | { kind: 'preference'; from: Sender; isOut: boolean; at: Date }
  | TemplateNews
  | { kind: 'account'; news: AccountNews }
  /** Nothing to do, and why. */
  | { kind: 'ignored'; reason: string }
  /** A known event with missing or invalid fields. */
  | { kind: 'broken'; reason: string }

export interface ReceiptNews {
  messageId: string
  reference: string | null
  status: Receipt
  at: Date
  pricing: MessagePricing | null
  error?: { code: string; text: string; kind: string }
}

const receipts: readonly string[] = ['sent', 'delivered', 'read', 'failed']
const ignored = (reason: string): ParsedEvent => ({ kind: 'ignored', reason })
const broken = (reason: string): ParsedEvent => ({ kind: 'broken', reason })

/** Pure: depends only on its arguments. `now` replaces a missing time of the event. */
export function parseEvent(payload: unknown, now: Date): ParsedEvent[] {
  const change = objectOf(payload)
  const field = textOf(change['field'], 100)
  const value = objectOf(change['value'])
  if (field === 'messages') {
    const people = objectsIn(value['contacts'])
    const all = [
      ...objectsIn(value['messages']).map((message) => meaningOfMessage(message, people[0] ?? {}, now)),
      ...objectsIn(value['statuses']).map((status) => meaningOfStatus(status, now)),
      ...(objectsIn(value['errors']).length > 0 ? [ignored('The provider reports errors of the account')] : []),
    ]
    return all.length > 0 ? all : [ignored('There is nothing in it')]
  }
  if (field === ECHOES) {
    const all = objectsIn(value['message_echoes']).map((echo) => meaningOfEcho(echo, now))
    return all.length > 0 ? all : [broken('There is no message in it')]
  }
  if (field === 'user_preferences') return preferences(value, now)
  if (field === 'user_id_update') return movedIds(value)
  const ofTemplate = templateFields.find((one) => one === field)
  // The time stands beside the change.
  if (ofTemplate)
    return [
      templateNews(ofTemplate, value, timeIn(change['time']) ?? now) ?? broken('The template has no name or change'),
    ]
  const ofAccount = accountFields.find((one) => one === field)
  if (ofAccount) {
    const news = accountNews(ofAccount, value)
    return [news ? { kind: 'account', news } : broken('The change has no event')]
  }
  return [ignored(field === null ? 'The change has no field' : `Unsupported field: ${field.slice(0, 60)}`)]
}

const controls = /[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function senderOf(message: Json, person: Json): Sender {
  const profile = objectOf(person['profile'])
  const name = cut(
    textOf(profile['name'] ?? profile['username'], 300)
      ?.replace(controls, '')
      .trim() ?? '',
    100,
  )
  return {
    ...senderIn(message, person),
    name: name ? name.toWellFormed() : null,
  }
}

function meaningOfMessage(message: Json, person: Json, now: Date): ParsedEvent {
  const providerId = textOf(message['id'], 250)
  if (providerId === null) return broken('The message has no id')
  const from = senderOf(message, person)
  if (from.phone === null && from.businessScopedId === null) return broken('The message has no sender')
  const type = textOf(message['type'], 50) ?? 'unknown'
  if (type === 'system') {
    const system = objectOf(message['system'])
    const phone = phoneIn(system['wa_id'] ?? system['new_wa_id'])
    const businessScopedId = scopedIdIn(system['user_id'])
    if (phone === null && businessScopedId === null) return ignored('A word of the system')
    return { kind: 'number', from: { ...from, businessScopedId: null }, phone, businessScopedId }
  }
  const at = timeIn(message['timestamp']) ?? now
  if (type === 'edit' || type === 'revoke')
    return meaningOfChange(message, { providerId, direction: 'incoming', customer: from, at })
  const contextId = contextOf(message)
  const { parts, ...rest } = withOrigin(contentOf(type, message, from), message)
  const referral = referralIn(objectOf(message['referral']))
  return {
    kind: 'message',
    message: {
      providerId,
      channel: 'whatsapp',
      from,
      at,
      contextId,
      ...rest,
      parts: referral ? { ...parts, referral } : parts,
    },
  }
}

/** Forwarded messages have no label in their text. */
function withOrigin(read: Content, message: Json): Content {
  const { forwarded, frequently_forwarded: isFrequent } = objectOf(message['context'])
  return forwarded === true || isFrequent === true ? { ...read, parts: { ...read.parts, isForwarded: true } } : read
}

const editable: ReadonlySet<string> = new Set(['text', 'image', 'video', 'document'])

function meaningOfChange(message: Json, change: Omit<MessageChange, 'originalId' | 'content'>): ParsedEvent {
  const isEdit = message['type'] === 'edit'
  const part = objectOf(message[isEdit ? 'edit' : 'revoke'])
  const originalId = textOf(part['original_message_id'], 250)
  if (originalId === null) return broken('The change has no message')
  if (!isEdit) return { kind: 'change', change: { ...change, originalId, content: null } }
  const edited = objectOf(part['message'])
  const type = textOf(edited['type'], 50) ?? ''
  if (!editable.has(type)) return ignored(`An edit of an unsupported type: ${type}`)
  const { content } = contentOf(type, edited, change.customer)
  return { kind: 'change', change: { ...change, originalId, content } }
}

/** The message that this one replies or reacts to. */
const contextOf = (message: Json): string | null =>
  textOf(objectOf(message['reaction'])['message_id'], 250) ?? textOf(objectOf(message['context'])['id'], 250)

/** A message that the shop sent from its own phone. */
function meaningOfEcho(echo: Json, now: Date): ParsedEvent {
  const providerId = textOf(echo['id'], 250)
  if (providerId === null) return broken('The message has no id')
  const to = { phone: phoneIn(echo['to']), businessScopedId: scopedIdIn(echo['to_user_id']), name: null }
  if (to.phone === null && to.businessScopedId === null) return broken('The message has no recipient')
  const type = textOf(echo['type'], 50) ?? 'unknown'
  const at = timeIn(echo['timestamp']) ?? now
  if (type === 'edit' || type === 'revoke')
    return meaningOfChange(echo, { providerId, direction: 'outgoing', customer: to, at })
  const noSender = { phone: null, businessScopedId: null, name: null }
  return {
    kind: 'echo',
    message: { providerId, to, at, contextId: contextOf(echo), ...contentOf(type, echo, noSender) },
  }
}

function meaningOfStatus(status: Json, now: Date): ParsedEvent {
  const [messageId, name] = [textOf(status['id'], 250), textOf(status['status'], 30)]
  if (messageId === null) return broken('The receipt has no message')
  // `played` means a voice message was played, which counts as read; newer statuses are ignored.
  const known = name === 'played' ? 'read' : name
  if (known === null || !receipts.includes(known)) return ignored('An unknown receipt')
  const [error] = objectsIn(status['errors'])
  const details = objectOf(error?.['error_data'])
  const code = numberOf(error?.['code'])
  const text = [error?.['title'] ?? error?.['message'], details['details']].filter((one) => typeof one === 'string')
  return {
    kind: 'receipt',
    receipt: {
      messageId,
      reference: textOf(status['biz_opaque_callback_data'], 100),
      status: known as Receipt, // checked one line above
      at: timeIn(status['timestamp']) ?? now,
      pricing: pricingIn(objectOf(status['pricing'])),
      ...(error && known === 'failed'
        ? {
            error: {
              code: String(error['code'] ?? ''),
              text: fit(text.join(': '), 300),
              kind: code === null ? 'undeliverable' : kindOfReceipt(code),
            },
          }
        : {}),
    },
  }
}

/** A failed message certainly did not arrive, whatever its code. */
function kindOfReceipt(code: number): FailureKind {
  const { kind } = policyOf(code, 400)
  return kind === 'unknown' ? 'undeliverable' : kind
}

function pricingIn(pricing: Json): MessagePricing | null {
  const category = textOf(pricing['category'], 50)
  if (category === null) return null
  const [model, type] = [textOf(pricing['pricing_model'], 20), textOf(pricing['type'], 50)]
  // Older versions of the API tell only `billable`, newer ones only the type.
  const isBillable = typeof pricing['billable'] === 'boolean' ? pricing['billable'] : type === 'regular'
  return { isBillable, category, model, type }
}

function preferences(value: Json, now: Date): ParsedEvent[] {
  const all = objectsIn(value['user_preferences']).map((one): ParsedEvent => {
    const from = { phone: phoneIn(one['wa_id']), businessScopedId: scopedIdIn(one['user_id']), name: null }
    if (from.phone === null && from.businessScopedId === null) return broken('The preference has no phone or user id')
    if (one['category'] !== 'marketing_messages') return ignored('A preference about something else')
    if (one['value'] !== 'stop' && one['value'] !== 'resume') return ignored('An unknown preference')
    return { kind: 'preference', from, isOut: one['value'] === 'stop', at: timeIn(one['timestamp']) ?? now }
  })
  return all.length > 0 ? all : [broken('There is no preference in it')]
}

function movedIds(value: Json): ParsedEvent[] {
  const all = objectsIn(value['user_id_update']).map((one): ParsedEvent => {
    const ids = objectOf(one['user_id'])
    const [before, after] = [scopedIdIn(ids['previous']), scopedIdIn(ids['current'])]
    if (after === null) return broken('There is no new id')
    const from = { phone: phoneIn(one['wa_id']), businessScopedId: before, name: null }
    return { kind: 'number', from, phone: null, businessScopedId: after }
  })
  return all.length > 0 ? all : [broken('There is no id in it')]
}
