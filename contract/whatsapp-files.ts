import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idParams } from './ids.ts'
import { message } from './whatsapp-message.ts'

export const getMessageFile = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/files/{id}',
  allow: 'super',
  permissions: ['whatsapp.read'],
  summary: 'A voice message, video or document that a customer sent, whole or in parts; by the id of its message',
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
  summary:
    'Ask the provider once more for a file or picture that is only named; what is here or on its way stays as it is',
  params: idParams,
  returns: message,
  errors: ['MESSAGE_NOT_FOUND'],
})
