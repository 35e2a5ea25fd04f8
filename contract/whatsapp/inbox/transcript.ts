import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { instant } from '../../lib/ids.ts'
import { langs } from '../../lib/lang.ts'
import { mayRead, mayReply } from '../access.ts'
import { contactParams } from './inbox.ts'

/** Found messages of a search, the newest. */
export const MOST_HITS = 200

export const searchMessages = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/conversations/{contact}/search',
  ...mayRead,
  summary: 'The newest messages of a conversation with the text, compared as the other searches do',
  params: contactParams,
  query: z.object({ search: z.string().check(z.maxLength(100)) }),
  returns: z.array(
    z.object({ id: z.number(), direction: z.enum(['incoming', 'outgoing']), text: z.string(), at: instant }),
  ),
  errors: ['CONTACT_NOT_FOUND'],
})

/** Older messages are not in the file. */
export const MOST_EXPORTED = 20_000

export const exportConversation = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/conversations/{contact}/messages.txt',
  ...mayReply,
  forbidWhileImpersonating: true,
  summary: 'The messages of a conversation as a text file with times and names; recorded in the history',
  params: contactParams,
  query: z.object({ lang: z.optional(z.enum(langs)) }),
  produces: 'text/plain; charset=utf-8',
  returns: z.unknown(),
  errors: ['CONTACT_NOT_FOUND'],
})
