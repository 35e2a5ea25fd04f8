import { refetchMessageFile } from '@qatra/contract/whatsapp/inbox/files'
import { type Conversation, changeOptOut, retryMessage } from '@qatra/contract/whatsapp/inbox/inbox'
import * as work from '@qatra/contract/whatsapp/inbox/work'
import { useQueryClient } from '@tanstack/react-query'
import type { CallErrorCode } from '../../../lib/api-client.ts'
import { CallError, call } from '../../../lib/api-client.ts'
import { type Translate, useLanguage } from '../../../lib/language/i18n.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { cacheConversation, labelsQuery, renewConversation, renewDetail, renewList } from '../inbox/inbox-cache.ts'
import { dayAndClock } from './chat-time.ts'

const known = {
  OFFLINE: 'inbox.error.OFFLINE',
  CONTACT_OPTED_OUT: 'inbox.error.CONTACT_OPTED_OUT',
  PHONE_NOT_REACHED: 'inbox.error.PHONE_NOT_REACHED',
  SERVICE_WINDOW_CLOSED: 'inbox.error.SERVICE_WINDOW_CLOSED',
  MESSAGE_REFUSED: 'inbox.error.MESSAGE_REFUSED',
  MESSAGE_NOT_FAILED: 'inbox.error.MESSAGE_NOT_FAILED',
  FILE_REFUSED: 'inbox.error.FILE_REFUSED',
  FILE_GONE: 'inbox.error.FILE_GONE',
  TOO_LARGE: 'inbox.error.TOO_LARGE',
  CART_EMPTY: 'inbox.error.CART_EMPTY',
  CART_ITEM_NOT_FOUND: 'inbox.error.CART_ITEM_NOT_FOUND',
  TEMPLATE_NOT_AVAILABLE: 'inbox.error.TEMPLATE_NOT_AVAILABLE',
  USER_NOT_FOUND: 'inbox.error.USER_NOT_FOUND',
  CONTACT_NOT_FOUND: 'inbox.error.CONTACT_NOT_FOUND',
  CONVERSATION_CHANGED: 'inbox.error.CONVERSATION_CHANGED',
  SNOOZE_NOT_AVAILABLE: 'inbox.error.SNOOZE_NOT_AVAILABLE',
  LABELS_FULL: 'inbox.error.LABELS_FULL',
} as const

export const wordsOfProblem = (code: CallErrorCode, t: Translate): string =>
  t(code in known ? known[code as keyof typeof known] : 'inbox.error.other')

/** Who has the conversation, if an assignment was refused for that. */
function wordsOfError({ code, details }: CallError, t: Translate): string {
  if (code !== 'CONVERSATION_TAKEN') return wordsOfProblem(code, t)
  return typeof details.name === 'string'
    ? t('inbox.error.CONVERSATION_TAKEN', { name: details.name })
    : t('inbox.error.takenByNobody')
}

/** Actions on a conversation; a failure shows a message and changes nothing. */
export function useConversationActions(contactId: number) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const params = { contact: String(contactId) }

  async function attempt(act: () => Promise<unknown>, title = t('inbox.notDone')): Promise<boolean> {
    try {
      await act()
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      toast({ title, text: wordsOfError(error, t), tone: 'error' })
      // The page shows what the server has.
      void renewDetail(queries, contactId)
      return false
    }
  }
  const change = (act: () => Promise<Conversation>) =>
    attempt(async () => {
      cacheConversation(queries, await act())
      void renewDetail(queries, contactId)
      void renewList(queries)
    })
  const reopen = () => change(() => call(work.reopenConversation, { params }))
  const snooze = (until: string | null) => change(() => call(work.snoozeConversation, { params, body: { until } }))
  return {
    takeOver: (hours?: number) =>
      change(() => call(work.takeOver, { params, body: hours === undefined ? {} : { hours } })),
    handBack: () => change(() => call(work.handBack, { params })),
    /** Refused if somebody else than `from` has it by now. */
    assign: (userId: number | null, from: number | null) =>
      change(() => call(work.assignConversation, { params, body: { userId, from } })),
    /** `upTo` is the last message seen: a later one of the customer refuses it. */
    async resolve(upTo: number | null) {
      const isDone = await change(() => call(work.resolveConversation, { params, body: { upTo } }))
      if (isDone) {
        const action = { label: t('inbox.undo'), onClick: () => void reopen() }
        toast({ title: t('inbox.resolved'), text: t('inbox.resolved.text'), action })
      }
      return isDone
    },
    reopen,
    async snooze(until: Date) {
      const isDone = await snooze(until.toISOString())
      if (isDone) {
        const title = t('inbox.snoozed', { time: dayAndClock(until, lang) })
        toast({ title, action: { label: t('inbox.undo'), onClick: () => void snooze(null) } })
      }
      return isDone
    },
    endSnooze: () => snooze(null),
    label: (add: string[], remove: string[]) =>
      change(async () => {
        const after = await call(work.changeLabels, { params, body: { add, remove } })
        void queries.invalidateQueries({ queryKey: labelsQuery().queryKey })
        return after
      }),
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
