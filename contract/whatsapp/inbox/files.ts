import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { idParams } from '../../lib/ids.ts'
import { uploadedFile } from '../../lib/upload.ts'
import { mayRead, mayReply } from '../access.ts'
import { message } from './message.ts'

/** WhatsApp's limit for sound and video; documents may not be larger here either. */
export const MAX_UPLOAD_BYTES = 16 * 1024 * 1024

export const uploadConversationFile = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/uploads',
  ...mayReply,
  summary:
    'Upload a picture, voice message, video, PDF or office document for a reply; pictures are re-encoded. Deleted within a day unless it is sent',
  accepts: ['multipart/form-data'],
  body: uploadedFile,
  returns: z.object({
    sha256: z.string(),
    type: z.enum(['image', 'audio', 'video', 'document']),
    mimeType: z.string(),
    size: z.number(),
    seconds: z.nullable(z.number()),
  }),
  errors: ['FILE_REFUSED', 'TOO_LARGE', 'UNAVAILABLE'],
})

export const getMessageFile = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/files/{id}',
  ...mayRead,
  summary: 'A customer’s voice message, video or document, whole or by range, by the id of its message',
  params: idParams,
  produces: 'application/octet-stream',
  returns: z.unknown(),
  errors: ['MESSAGE_NOT_FOUND'],
})

export const refetchMessageFile = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/files/{id}/fetch',
  ...mayReply,
  summary: 'Fetch a missing file or picture from the provider again; does nothing if it is stored or being fetched',
  params: idParams,
  returns: message,
  errors: ['MESSAGE_NOT_FOUND'],
})
