import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idParams } from './ids.ts'
import { message } from './whatsapp-message.ts'

export const getMessageFile = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/files/{id}',
  allow: 'super',
  permissions: ['whatsapp.read'],
  summary: 'A customer’s voice message, video or document, whole or by range, by the id of its message',
  params: idParams,
  produces: 'application/octet-stream',
  returns: z.unknown(),
  errors: ['MESSAGE_NOT_FOUND'],
})

export const refetchMessageFile = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/files/{id}/fetch',
  allow: 'super',
  permissions: ['whatsapp.read', 'whatsapp.write'],
  summary: 'Fetch a missing file or picture from the provider again; does nothing if it is stored or being fetched',
  params: idParams,
  returns: message,
  errors: ['MESSAGE_NOT_FOUND'],
})
