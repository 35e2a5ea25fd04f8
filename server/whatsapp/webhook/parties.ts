import { type Json, objectOf, objectsIn, phoneIn, scopedIdIn, senderIn, textOf } from './reading.ts'

/** Whose event it is, by phone and by business-scoped id. */
export interface Parties {
  senderPhone: string | null
  senderScopedId: string | null
  recipientPhone: string | null
  recipientScopedId: string | null
}

const nobody: Parties = { senderPhone: null, senderScopedId: null, recipientPhone: null, recipientScopedId: null }

/**
 * Pure: reads the people of one stored event from the places where the provider names them, never from what somebody
 * wrote. Events of the account, of templates and of unknown kinds have none.
 */
export function partiesOf(payload: unknown): Parties {
  const { field, value } = objectOf(payload)
  const part = objectOf(value)
  if (field === 'messages') {
    const [message] = objectsIn(part['messages'])
    if (message) return partiesOfMessage(message, objectsIn(part['contacts'])[0] ?? {})
    const [status] = objectsIn(part['statuses'])
    if (!status) return nobody
    return {
      ...nobody,
      recipientPhone: phoneIn(status['recipient_id']),
      recipientScopedId: scopedIdIn(status['recipient_user_id']),
    }
  }
  if (field === 'user_preferences') {
    const [one = {}] = objectsIn(part['user_preferences'])
    return { ...nobody, senderPhone: phoneIn(one['wa_id']), senderScopedId: scopedIdIn(one['user_id']) }
  }
  if (field === 'user_id_update') {
    const [one = {}] = objectsIn(part['user_id_update'])
    const { previous, current } = objectOf(one['user_id'])
    return {
      ...nobody,
      senderPhone: phoneIn(one['wa_id']),
      senderScopedId: scopedIdIn(previous),
      recipientScopedId: scopedIdIn(current),
    }
  }
  return nobody
}

function partiesOfMessage(message: Json, person: Json): Parties {
  const { phone, businessScopedId } = senderIn(message, person)
  const system = message['type'] === 'system' ? objectOf(message['system']) : {}
  return {
    senderPhone: phone,
    senderScopedId: businessScopedId,
    recipientPhone: phoneIn(system['wa_id'] ?? system['new_wa_id']),
    recipientScopedId: scopedIdIn(system['user_id']),
  }
}

/** The message of a receipt whose recipient was stored without the number. */
export function messageOfReceipt(payload: unknown): string | null {
  const [status] = objectsIn(objectOf(objectOf(payload)['value'])['statuses'])
  return textOf(status?.['id'], 250)
}
