import { ECHOES } from './fields.ts'
import { type Json, objectOf, objectsIn, phoneIn, scopedIdIn, senderIn } from './parse-json.ts'

/** Sender and recipient of an event, by phone and by business-scoped id. */
export interface Parties {
  senderPhone: string | null
  senderScopedId: string | null
  recipientPhone: string | null
  recipientScopedId: string | null
}

const noParties: Parties = { senderPhone: null, senderScopedId: null, recipientPhone: null, recipientScopedId: null }

/**
 * Reads sender and recipient from the provider's fields of a stored event, never from message texts. Events about the
 * account, templates and unknown kinds have none.
 */
export function partiesOf(payload: unknown): Parties {
  const { field, value } = objectOf(payload)
  const part = objectOf(value)
  if (field === 'messages') {
    const [message] = objectsIn(part['messages'])
    if (message) return partiesOfMessage(message, objectsIn(part['contacts'])[0] ?? {})
    const [status] = objectsIn(part['statuses'])
    if (!status) return noParties
    return {
      ...noParties,
      recipientPhone: phoneIn(status['recipient_id']),
      recipientScopedId:
        scopedIdIn(status['recipient_user_id']) ?? scopedIdIn(objectsIn(part['contacts'])[0]?.['user_id']),
    }
  }
  if (field === ECHOES) {
    const [echo = {}] = objectsIn(part['message_echoes'])
    return {
      ...noParties,
      recipientPhone: phoneIn(echo['to']),
      recipientScopedId: scopedIdIn(echo['to_user_id']),
    }
  }
  if (field === 'user_preferences') {
    const [one = {}] = objectsIn(part['user_preferences'])
    return { ...noParties, senderPhone: phoneIn(one['wa_id']), senderScopedId: scopedIdIn(one['user_id']) }
  }
  if (field === 'user_id_update') {
    const [one = {}] = objectsIn(part['user_id_update'])
    const { previous, current } = objectOf(one['user_id'])
    return {
      ...noParties,
      senderPhone: phoneIn(one['wa_id']),
      senderScopedId: scopedIdIn(previous),
      recipientScopedId: scopedIdIn(current),
    }
  }
  return noParties
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
