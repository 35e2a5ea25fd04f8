import { changeOptOut } from '@qatra/contract/whatsapp-desk'
import { refetchMessageFile } from '@qatra/contract/whatsapp-files'
import { assignConversation, type Conversation, handBack, retryMessage, takeOver } from '@qatra/contract/whatsapp-inbox'
import { useQueryClient } from '@tanstack/react-query'
import { type Translate, useT } from '../../app/i18n.tsx'
import type { CallErrorCode } from '../../lib/api-client.ts'
import { CallError, call } from '../../lib/api-client.ts'
import { toast } from '../../ui/Toast.tsx'
import { cacheConversation, renewConversation, renewDetail } from './inbox-cache.ts'

const known = {
  OFFLINE: 'inbox.error.OFFLINE',
  CONTACT_OPTED_OUT: 'inbox.error.CONTACT_OPTED_OUT',
  PHONE_NOT_REACHED: 'inbox.error.PHONE_NOT_REACHED',
  SERVICE_WINDOW_CLOSED: 'inbox.error.SERVICE_WINDOW_CLOSED',
  MESSAGE_REFUSED: 'inbox.error.MESSAGE_REFUSED',
  MESSAGE_NOT_FAILED: 'inbox.error.MESSAGE_NOT_FAILED',
  TEMPLATE_NOT_AVAILABLE: 'inbox.error.TEMPLATE_NOT_AVAILABLE',
  USER_NOT_FOUND: 'inbox.error.USER_NOT_FOUND',
  CONTACT_NOT_FOUND: 'inbox.error.CONTACT_NOT_FOUND',
} as const

export const wordsOfProblem = (code: CallErrorCode, t: Translate): string =>
  t(code in known ? known[code as keyof typeof known] : 'inbox.error.other')

/** Actions on a conversation; a failure shows a message and changes nothing. */
export function useConversationActions(contactId: number) {
  const t = useT()
  const queries = useQueryClient()
  const params = { contact: String(contactId) }

  async function attempt(work: () => Promise<unknown>, title = t('inbox.notDone')): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toast({ title, text: wordsOfProblem(error.code, t), tone: 'error' })
      return false
    }
  }
  const change = (work: () => Promise<Conversation>) =>
    attempt(async () => {
      cacheConversation(queries, await work())
      void renewDetail(queries, contactId)
    })
  return {
    takeOver: (hours?: number) => change(() => call(takeOver, { params, body: hours === undefined ? {} : { hours } })),
    handBack: () => change(() => call(handBack, { params })),
    assign: (userId: number | null) => change(() => call(assignConversation, { params, body: { userId } })),
    setOptOut: (isOut: boolean) => change(() => call(changeOptOut, { params, body: { isOut } })),
    async refetch(id: number) {
      await attempt(() => call(refetchMessageFile, { params: { id: String(id) } }))
      await renewConversation(queries, contactId)
    },
    async retry(id: number) {
      await attempt(() => call(retryMessage, { params: { ...params, id: String(id) } }), t('inbox.notSent'))
      await renewConversation(queries, contactId)
    },
  }
}
